package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.seeds.TestSeed;
import dev.contexture.testkit.KilledProcess;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed while it edits large blocks, of which it stores no more than the edits
 * and now and then a checkpoint, loses nothing that it was told is done.
 */
class LargeMemoryCrashTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");
  private static final String AGENT = "atlas";
  private static final int CHARS = 60_000;
  private static final int LIMIT = 1_000_000;
  private static final List<String> LABELS = List.of("log", "list", "text");

  @TempDir Path directory;

  /** What is killed: adds number after number to each block and prints those that it was told. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      Contexture engine = Contexture.open(Path.of(args[0])); // never closed: it is killed before
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      List<Thread> threads = new ArrayList<>();
      for (String label : LABELS) {
        threads.add(Thread.ofVirtual().start(() -> edit(engine.memory(SCOPE), label, out)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private static void edit(MemoryStore memory, String label, PrintStream out) {
      while (true) {
        int next = numbers(memory, label).size();
        memory.edit(
            AGENT,
            label,
            "",
            document -> {
              add(document, label, next);
              return true;
            });
        if (next % 7 == 6) { // takes the last one back and puts it in again
          memory.undoBlock(AGENT, label);
          memory.redoBlock(AGENT, label);
        }
        synchronized (out) {
          out.println(label + " " + next + " .");
        }
      }
    }
  }

  private static void add(StructuredDocument document, String label, int number) {
    switch (label) {
      case "log" -> document.appendLogEntry(JsonObject.of("n", JsonValue.of(number)));
      case "list" -> document.pushItem(JsonValue.of(number));
      default -> {
        String text = document.text();
        document.splice(text.length() - CHARS / 2, 0, "<" + number + ">");
      }
    }
  }

  private static List<String> numbers(MemoryStore memory, String label) {
    JsonValue value = memory.getSnapshot(AGENT, label).orElseThrow().value();
    List<String> numbers = new ArrayList<>();
    if (value instanceof JsonArray items) {
      for (JsonValue item : items.items()) {
        numbers.add(
            item instanceof JsonObject entry
                ? entry.find("n").orElseThrow().toJson()
                : item.toJson());
      }
    } else {
      String text = ((JsonString) value).value();
      for (String part : text.substring(CHARS / 2, text.length() - CHARS / 2).split(">", -1)) {
        if (!part.isEmpty()) {
          numbers.add(part.substring(1));
        }
      }
    }
    return numbers;
  }

  @Test
  void everyAcknowledgedEditOfALargeBlockIsThere() throws Exception {
    int runs = Integer.getInteger("contexture.crash.runs", 6);
    Random random = TestSeed.random(43);
    create(random);
    Map<String, Integer> told = new TreeMap<>();
    for (int run = 0; run < runs; run++) {
      List<String> lines =
          KilledProcess.run(Child.class, random.nextInt(800), directory.toString());
      for (String line : lines) {
        String[] parts = line.split(" ", -1);
        if (parts.length == 3) { // the last one may be cut
          told.merge(parts[0], Integer.parseInt(parts[1]), Math::max);
        }
      }
      try (Contexture engine = Contexture.open(directory)) {
        for (String label : LABELS) {
          List<String> numbers = numbers(engine.memory(SCOPE), label);
          assertThat(numbers).hasSizeGreaterThan(told.getOrDefault(label, -1));
          for (int i = 0; i < numbers.size(); i++) {
            assertThat(numbers.get(i)).isEqualTo(Integer.toString(i));
          }
        }
      }
    }
    assertThat(told).as("something was written").containsOnlyKeys(LABELS);
  }

  private void create(Random random) {
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(SCOPE);
      BlockSpec log =
          BlockSpec.of("log", MemoryBlockType.LOG)
              .schema(new LogSchema(20, new LogSchema.EntrySchema(true, true, List.of())));
      memory.createBlock(AGENT, log.charLimit(LIMIT));
      memory.createBlock(
          AGENT,
          BlockSpec.of("list", MemoryBlockType.WORKING)
              .schema(ListSchema.ofAnything())
              .charLimit(LIMIT));
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < CHARS; i++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      memory.createBlock(
          AGENT,
          BlockSpec.of("text", MemoryBlockType.WORKING).charLimit(LIMIT).content(text.toString()));
    }
  }
}
