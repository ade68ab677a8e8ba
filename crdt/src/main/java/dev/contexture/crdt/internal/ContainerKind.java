package dev.contexture.crdt.internal;

import dev.contexture.crdt.internal.data.ByteReader;

/** The kind of value that a container holds. Its codes are part of the format. */
public enum ContainerKind {
  TEXT(0),
  LIST(1),
  MAP(2),
  COUNTER(3);

  private static final ContainerKind[] ALL = values();

  private final int code;

  ContainerKind(int code) {
    this.code = code;
  }

  static ContainerKind read(ByteReader in) {
    return ALL[in.bounded(ALL.length - 1, "kind of a container")];
  }

  int code() {
    return code;
  }

  boolean isSequence() {
    return this == TEXT || this == LIST;
  }
}
