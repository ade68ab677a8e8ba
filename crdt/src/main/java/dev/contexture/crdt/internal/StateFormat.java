package dev.contexture.crdt.internal;

import dev.contexture.crdt.CrdtException;
import dev.contexture.crdt.internal.data.ByteReader;
import dev.contexture.crdt.internal.data.Bytes;
import dev.contexture.crdt.internal.data.PackedBytes;
import dev.contexture.crdt.internal.data.PackedWriter;
import dev.contexture.crdt.internal.data.Rope;
import dev.contexture.crdt.internal.data.Utf8;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Reads and writes the values of all containers. */
final class StateFormat {
  private static final int MAX_COUNTER_BYTES = 32;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  private StateFormat() {}

  /** Packed values; empty bytes if every container is empty. */
  static PackedBytes write(State state, Containers containers) {
    List<Integer> filled =
        IntStream.range(0, containers.size())
            .boxed()
            .filter(container -> !isEmpty(state, containers, container))
            .sorted(
                Comparator.<Integer, ContainerKind>comparing(containers::kind)
                    .thenComparing(containers::name))
            .toList();
    if (filled.isEmpty()) {
      return PackedBytes.EMPTY;
    }
    Bytes out = new Bytes(1024);
    out.addUnsigned(filled.size());
    for (int container : filled) {
      out.add(containers.kind(container).code());
      out.addText(containers.name(container));
      writeValue(state, containers, container, out);
    }
    return PackedWriter.pack(out);
  }

  private static boolean isEmpty(State state, Containers containers, int container) {
    return switch (containers.kind(container)) {
      case TEXT, LIST -> state.length(container) == 0;
      case MAP -> state.map(container).size() == 0;
      case COUNTER -> state.counter(container).signum() == 0;
    };
  }

  private static void writeValue(State state, Containers containers, int container, Bytes out) {
    switch (containers.kind(container)) {
      case TEXT -> out.addBlock(state.text(container).toUtf8());
      case LIST -> {
        out.addUnsigned(state.list(container).size());
        state.list(container).forEach(out::addText);
      }
      case MAP -> {
        out.addUnsigned(state.map(container).size());
        state
            .map(container)
            .values()
            .forEach(
                (key, value) -> {
                  out.addText(key);
                  out.addText(value);
                });
      }
      case COUNTER -> out.addBlock(state.counter(container).toByteArray());
    }
  }

  /** The values, with times before every operation. */
  static State read(PackedBytes packed, Containers containers) {
    State state = new State(containers);
    if (packed.size() == 0) {
      return state;
    }
    ByteReader in = PackedWriter.unpack(packed, MAX_BYTES);
    int count = in.count("containers");
    for (int i = 0; i < count; i++) {
      ContainerKind kind = ContainerKind.read(in);
      String name = in.text("name of a container");
      readValue(state, containers.indexOf(new Containers.Key(kind, name)), in);
    }
    in.expectEnd("a state");
    return state;
  }

  private static void readValue(State state, int container, ByteReader in) {
    switch (state.kind(container)) {
      case TEXT -> {
        byte[] utf8 = in.block("a text").rest();
        state.setText(container, Rope.of(utf8, Utf8.check(utf8, 0, utf8.length)));
      }
      case LIST -> {
        ArrayList<String> list = state.list(container);
        int count = in.count("elements");
        for (int i = 0; i < count; i++) {
          list.add(in.text("an element"));
        }
      }
      case MAP -> {
        MapState map = state.map(container);
        int count = in.count("keys");
        for (int i = 0; i < count; i++) {
          map.set(in.text("a key"), in.text("a value"), WriteStamp.ofOld(i));
        }
      }
      case COUNTER -> state.setCounter(container, readSum(in.block("a counter").rest()));
    }
  }

  private static BigInteger readSum(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > MAX_COUNTER_BYTES) {
      throw CrdtException.corrupt("a counter has " + bytes.length + " bytes");
    }
    return new BigInteger(bytes);
  }
}
