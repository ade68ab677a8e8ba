package dev.contexture.crdt.internal;

import dev.contexture.crdt.internal.data.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A run of operations of one kind, as read from an {@link OpLog}. It is reused by whoever reads and
 * valid until the next one is read. Confined to one thread.
 */
final class Op {
  final OpLog log;
  OpKind kind = OpKind.INSERT;
  int container;
  int event;
  int length;

  /** Where in a sequence, or the index of a map's key among the values of the log. */
  int position;

  /** First byte of an inserted text, first index of values, or index of a counter's step. */
  int content;

  /** Bytes of an inserted text. */
  int contentBytes;

  Op(OpLog log) {
    this.log = log;
  }

  int end() {
    return event + length;
  }

  boolean isText() {
    return log.containers().kind(container) == ContainerKind.TEXT;
  }

  String text() {
    return new String(log.text().array(), content, contentBytes, StandardCharsets.UTF_8);
  }

  List<String> values() {
    return log.values(content, length);
  }

  String value() {
    return log.value(content);
  }

  String key() {
    return log.value(position);
  }

  long step() {
    return log.step(content);
  }

  /** Narrows the run to {@code count} operations from {@code offset} on. */
  void clip(int offset, int count) {
    if (kind == OpKind.INSERT && isText()) {
      boolean ascii = contentBytes == length;
      byte[] bytes = log.text().array();
      int skipped = ascii ? offset : Utf8.bytesOf(bytes, content, offset);
      content += skipped;
      contentBytes = ascii ? count : Utf8.bytesOf(bytes, content, count);
    } else if (kind == OpKind.INSERT) {
      content += offset;
    }
    if (kind == OpKind.INSERT) {
      position += offset;
    } else if (kind == OpKind.DELETE_BACKWARDS) {
      position += length - offset - count;
    }
    event += offset;
    length = count;
  }
}
