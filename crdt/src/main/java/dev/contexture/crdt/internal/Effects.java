package dev.contexture.crdt.internal;

/** Takes operations on sequences at the positions where they act on the current state. */
interface Effects {
  /** For replaying what the state already shows. */
  Effects NONE =
      new Effects() {
        @Override
        public void insert(Op op, int position) {}

        @Override
        public void delete(int container, int position, int count) {}

        @Override
        public void set(Op op, int position) {}
      };

  void insert(Op op, int position);

  void delete(int container, int position, int count);

  void set(Op op, int position);
}
