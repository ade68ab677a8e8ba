package dev.contexture.crdt.internal;

/** The kind of an operation. Its codes are part of the format. */
enum OpKind {
  /** Code points or elements go in; each operation of the run stands behind the one before. */
  INSERT(0),
  /** Code points or elements go out; the run starts at its position and eats what follows. */
  DELETE(1),
  /** As {@link #DELETE}, but the last one goes first, as with the backspace key. */
  DELETE_BACKWARDS(2),
  /** An element of a list gets a value. */
  SET_ITEM(3),
  /** A key gets a value. */
  SET_KEY(4),
  /** A key goes. */
  REMOVE_KEY(5),
  /** A counter moves. */
  ADD(6);

  private static final OpKind[] ALL = values();

  private final int code;

  OpKind(int code) {
    this.code = code;
  }

  /** The kind with a code below {@link #count()}. */
  static OpKind of(int code) {
    return ALL[code];
  }

  static int count() {
    return ALL.length;
  }

  int code() {
    return code;
  }

  boolean isDelete() {
    return this == DELETE || this == DELETE_BACKWARDS;
  }

  boolean fits(ContainerKind container) {
    return switch (this) {
      case INSERT, DELETE, DELETE_BACKWARDS -> container.isSequence();
      case SET_ITEM -> container == ContainerKind.LIST;
      case SET_KEY, REMOVE_KEY -> container == ContainerKind.MAP;
      case ADD -> container == ContainerKind.COUNTER;
    };
  }
}
