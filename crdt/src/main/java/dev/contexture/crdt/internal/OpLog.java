package dev.contexture.crdt.internal;

import dev.contexture.crdt.internal.data.Bytes;
import dev.contexture.crdt.internal.data.Utf8Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/*
 * What was done, in the order of the local numbers, as runs: typing forwards, deleting forwards and
 * deleting backwards each make one run however long they last. Positions are those that the author
 * saw, so nothing here ever changes. Memory: 20 bytes per run, plus the inserted text once.
 */
/** The operations of a document. Append-only, confined to one thread. */
final class OpLog {
  private static final int RUN_BYTES = 20;

  private final Containers containers;
  private int[] events;
  private int[] codes;
  private int[] positions;
  private int[] contents;
  private int[] bytes;
  private int size;
  private int next;
  private final Bytes text;
  private final List<String> values;
  private long[] steps;
  private int stepCount;
  private long valueChars;

  OpLog(Containers containers, int first) {
    this.containers = containers;
    this.next = first;
    this.events = new int[16];
    this.codes = new int[16];
    this.positions = new int[16];
    this.contents = new int[16];
    this.bytes = new int[16];
    this.text = new Bytes();
    this.values = new ArrayList<>();
    this.steps = new long[4];
  }

  private OpLog(OpLog other, Containers containers) {
    this.containers = containers;
    this.events = other.events.clone();
    this.codes = other.codes.clone();
    this.positions = other.positions.clone();
    this.contents = other.contents.clone();
    this.bytes = other.bytes.clone();
    this.size = other.size;
    this.next = other.next;
    this.text = other.text.copy();
    this.values = new ArrayList<>(other.values);
    this.steps = other.steps.clone();
    this.stepCount = other.stepCount;
    this.valueChars = other.valueChars;
  }

  /** The same operations, over a copy of their containers. */
  OpLog copy(Containers copiedContainers) {
    return new OpLog(this, copiedContainers);
  }

  Containers containers() {
    return containers;
  }

  /** About as many bytes as it would have if it were encoded, or more. */
  long heldBytes() {
    return (long) size * RUN_BYTES + text.size() + valueChars;
  }

  Bytes text() {
    return text;
  }

  int runs() {
    return size;
  }

  String value(int index) {
    return values.get(index);
  }

  List<String> values(int from, int count) {
    return values.subList(from, from + count);
  }

  long step(int index) {
    return steps[index];
  }

  /** Where the next operation starts. */
  int next() {
    return next;
  }

  /**
   * @param joins whether the operation before this one is its only parent
   */
  void insertText(int container, int position, Utf8Slice inserted, boolean joins) {
    boolean extend =
        joins
            && endsWith(OpKind.INSERT, container)
            && positions[size - 1] + lastLength() == position
            && contents[size - 1] + bytes[size - 1] == text.size();
    if (!extend) {
      addRun(OpKind.INSERT, container, position, text.size());
    }
    text.add(inserted.bytes(), inserted.from(), inserted.size());
    bytes[size - 1] += inserted.size();
    next += inserted.codePoints();
  }

  /**
   * @param joins whether the operation before this one is its only parent
   */
  void insertItems(int container, int position, List<String> items, boolean joins) {
    boolean extend =
        joins
            && endsWith(OpKind.INSERT, container)
            && positions[size - 1] + lastLength() == position
            && contents[size - 1] + lastLength() == values.size();
    if (!extend) {
      addRun(OpKind.INSERT, container, position, values.size());
    }
    values.addAll(items);
    items.forEach(item -> valueChars += item.length());
    next += items.size();
  }

  /**
   * @param joins whether the operation before this one is its only parent
   */
  void delete(int container, int position, int count, boolean joins) {
    if (joins && endsWith(OpKind.DELETE, container) && positions[size - 1] == position) {
      next += count;
      return;
    }
    if (!extendBackwards(container, position, count, joins)) {
      addRun(OpKind.DELETE, container, position, 0);
    }
    next += count;
  }

  /** As {@link #delete}; the operation with the greatest position is the first one. */
  void deleteBackwards(int container, int position, int count, boolean joins) {
    if (!extendBackwards(container, position, count, joins)) {
      OpKind kind = count == 1 ? OpKind.DELETE : OpKind.DELETE_BACKWARDS;
      addRun(kind, container, position, 0);
    }
    next += count;
  }

  private boolean extendBackwards(int container, int position, int count, boolean joins) {
    boolean extend =
        joins
            && (endsWith(OpKind.DELETE_BACKWARDS, container)
                || (endsWith(OpKind.DELETE, container) && lastLength() == 1))
            && positions[size - 1] == position + count;
    if (extend) {
      codes[size - 1] = code(OpKind.DELETE_BACKWARDS, container);
      positions[size - 1] = position;
    }
    return extend;
  }

  void setItem(int container, int position, String value) {
    addRun(OpKind.SET_ITEM, container, position, values.size());
    add(value);
    next++;
  }

  private void add(String value) {
    values.add(value);
    valueChars += value.length();
  }

  void setKey(int container, String key, String value) {
    addRun(OpKind.SET_KEY, container, values.size(), values.size() + 1);
    add(key);
    add(value);
    next++;
  }

  void removeKey(int container, String key) {
    addRun(OpKind.REMOVE_KEY, container, values.size(), 0);
    add(key);
    next++;
  }

  void add(int container, long step) {
    addRun(OpKind.ADD, container, 0, stepCount);
    if (stepCount == steps.length) {
      steps = Arrays.copyOf(steps, stepCount * 2);
    }
    steps[stepCount++] = step;
    next++;
  }

  /** Copies a run of another log; the container is the one of this log. */
  void append(Op op, int container, boolean joins) {
    switch (op.kind) {
      case INSERT -> {
        if (op.isText()) {
          Utf8Slice slice =
              new Utf8Slice(op.log.text.array(), op.content, op.contentBytes, op.length);
          insertText(container, op.position, slice, joins);
        } else {
          insertItems(container, op.position, List.copyOf(op.values()), joins);
        }
      }
      case DELETE -> delete(container, op.position, op.length, joins);
      case DELETE_BACKWARDS -> deleteBackwards(container, op.position, op.length, joins);
      case SET_ITEM -> setItem(container, op.position, op.value());
      case SET_KEY -> setKey(container, op.key(), op.value());
      case REMOVE_KEY -> removeKey(container, op.key());
      case ADD -> add(container, op.step());
    }
  }

  /** Visits the operations of a range as runs, cut to the range. */
  void forEach(int from, int to, Consumer<Op> visitor) {
    int run = from >= to ? size : floor(from);
    Op op = new Op(this);
    for (; run < size && events[run] < to; run++) {
      read(run, op);
      int low = Math.max(from, op.event);
      int high = Math.min(to, op.end());
      if (high - low < op.length) {
        op.clip(low - op.event, high - low);
      }
      visitor.accept(op);
    }
  }

  private void read(int run, Op op) {
    int code = codes[run];
    op.kind = OpKind.of(code & 7);
    op.container = code >>> 3;
    op.event = events[run];
    op.length = (run + 1 < size ? events[run + 1] : next) - events[run];
    op.position = positions[run];
    op.content = contents[run];
    op.contentBytes = bytes[run];
  }

  private int floor(int event) {
    int found = Arrays.binarySearch(events, 0, size, event);
    return found >= 0 ? found : -found - 2;
  }

  private boolean endsWith(OpKind kind, int container) {
    return size > 0 && codes[size - 1] == code(kind, container);
  }

  private int lastLength() {
    return next - events[size - 1];
  }

  private static int code(OpKind kind, int container) {
    return container << 3 | kind.code();
  }

  private void addRun(OpKind kind, int container, int position, int content) {
    if (size == events.length) {
      int capacity = size * 2;
      events = Arrays.copyOf(events, capacity);
      codes = Arrays.copyOf(codes, capacity);
      positions = Arrays.copyOf(positions, capacity);
      contents = Arrays.copyOf(contents, capacity);
      bytes = Arrays.copyOf(bytes, capacity);
    }
    events[size] = next;
    codes[size] = code(kind, container);
    positions[size] = position;
    contents[size] = content;
    bytes[size] = 0;
    size++;
  }
}
