package dev.contexture.crdt.internal;

import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.DocumentStep;
import dev.contexture.crdt.internal.data.Rope;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of all containers at one version. Confined to one thread. */
final class State implements Effects {
  private final Containers containers;
  private final List<@Nullable Object> values = new ArrayList<>();
  private @Nullable List<DocumentStep> changes;

  State(Containers containers) {
    this.containers = containers;
  }

  /** The same values, over a copy of their containers. */
  State copy(Containers copiedContainers) {
    State copy = new State(copiedContainers);
    for (Object value : values) {
      copy.values.add(copied(value));
    }
    return copy;
  }

  @SuppressWarnings("unchecked") // a list container holds nothing but strings
  private static @Nullable Object copied(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Rope text -> text.copy();
      case ArrayList<?> list -> new ArrayList<>((ArrayList<String>) list);
      case MapState map -> map.copy();
      case BigInteger sum -> sum;
      default -> throw new IllegalStateException("no container holds a " + value.getClass());
    };
  }

  /** From now on, notes every change in this list; null ends it. */
  void record(@Nullable List<DocumentStep> into) {
    changes = into;
  }

  Rope text(int container) {
    if (value(container) instanceof Rope rope) {
      return rope;
    }
    Rope created = new Rope();
    values.set(container, created);
    return created;
  }

  void setText(int container, Rope rope) {
    value(container);
    values.set(container, rope);
  }

  @SuppressWarnings("unchecked") // a list container holds nothing else
  ArrayList<String> list(int container) {
    Object known = value(container);
    if (known == null) {
      known = new ArrayList<String>();
      values.set(container, known);
    }
    return (ArrayList<String>) known;
  }

  MapState map(int container) {
    if (value(container) instanceof MapState map) {
      return map;
    }
    MapState created = new MapState();
    values.set(container, created);
    return created;
  }

  void setMap(int container, MapState map) {
    value(container);
    values.set(container, map);
  }

  BigInteger counter(int container) {
    return value(container) instanceof BigInteger sum ? sum : BigInteger.ZERO;
  }

  void setCounter(int container, BigInteger sum) {
    value(container);
    values.set(container, sum);
  }

  ContainerKind kind(int container) {
    return containers.kind(container);
  }

  int length(int container) {
    return containers.kind(container) == ContainerKind.TEXT
        ? text(container).length()
        : list(container).size();
  }

  /** Applies a run whose positions are those of this state. */
  void apply(Op op, EventHistory history) {
    switch (op.kind) {
      case INSERT -> insert(op, op.position);
      case DELETE, DELETE_BACKWARDS -> delete(op.container, op.position, op.length);
      case SET_ITEM -> set(op, op.position);
      case SET_KEY, REMOVE_KEY, ADD -> applyUnordered(op, history);
    }
  }

  /** Applies a run on a map or counter; others are left alone. */
  void applyUnordered(Op op, EventHistory history) {
    switch (op.kind) {
      case SET_KEY -> setKey(op, history.stamp(op.event));
      case REMOVE_KEY -> removeKey(op, history.stamp(op.event));
      case ADD -> add(op.container, op.step());
      case INSERT, DELETE, DELETE_BACKWARDS, SET_ITEM -> {}
    }
  }

  @Override
  public void insert(Op op, int position) {
    requireRange(op.container, position, 0);
    if (op.isText()) {
      Rope rope = text(op.container);
      rope.insert(position, op.log.text().array(), op.content, op.contentBytes, op.length);
      if (changes != null) {
        changes.add(new DocumentStep.TextInserted(name(op.container), position, op.text()));
      }
    } else {
      list(op.container).addAll(position, op.values());
      if (changes != null) {
        changes.add(new DocumentStep.ItemsInserted(name(op.container), position, op.values()));
      }
    }
  }

  @Override
  public void delete(int container, int position, int count) {
    requireRange(container, position, count);
    if (containers.kind(container) == ContainerKind.TEXT) {
      text(container).delete(position, count);
      if (changes != null) {
        changes.add(new DocumentStep.TextDeleted(name(container), position, count));
      }
    } else {
      list(container).subList(position, position + count).clear();
      if (changes != null) {
        changes.add(new DocumentStep.ItemsDeleted(name(container), position, count));
      }
    }
  }

  @Override
  public void set(Op op, int position) {
    requireRange(op.container, position, 1);
    list(op.container).set(position, op.value());
    if (changes != null) {
      changes.add(new DocumentStep.ItemSet(name(op.container), position, op.value()));
    }
  }

  private void setKey(Op op, WriteStamp stamp) {
    if (map(op.container).set(op.key(), op.value(), stamp) && changes != null) {
      changes.add(new DocumentStep.KeySet(name(op.container), op.key(), op.value()));
    }
  }

  private void removeKey(Op op, WriteStamp stamp) {
    if (map(op.container).remove(op.key(), stamp) && changes != null) {
      changes.add(new DocumentStep.KeyRemoved(name(op.container), op.key()));
    }
  }

  private void add(int container, long step) {
    setCounter(container, counter(container).add(BigInteger.valueOf(step)));
    if (changes != null) {
      changes.add(new DocumentStep.CounterAdded(name(container), step));
    }
  }

  private String name(int container) {
    return containers.name(container);
  }

  private void requireRange(int container, int position, int count) {
    int length = length(container);
    if (position < 0 || count < 0 || position > length - count) {
      throw CrdtException.corrupt(
          "an operation on '" + name(container) + "' acts beyond its length " + length);
    }
  }

  private @Nullable Object value(int container) {
    while (values.size() <= container) {
      values.add(null);
    }
    return values.get(container);
  }
}
