package dev.contexture.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Samples;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Consumer;

/** One durable edit of large documents: a log, a text, a list. */
final class LargeDocumentsPart {
  private static final String AGENT = "atlas";
  private static final int CHAR_LIMIT = 1_000_000; // the most that a block may have

  private final MemoryStore memory;
  private final StoredBytes stored;
  private final BenchReport report;
  private final int repetitions;
  private final int shrink;

  LargeDocumentsPart(MemoryStore memory, StoredBytes stored, BenchReport report, boolean quick) {
    this.memory = memory;
    this.stored = stored;
    this.report = report;
    this.repetitions = quick ? 5 : 100;
    this.shrink = quick ? 20 : 1;
  }

  void run() {
    int entries = 10_000 / shrink;
    LogSchema log = new LogSchema(20, new LogSchema.EntrySchema(true, true, List.of()));
    create(BlockSpec.of("log", MemoryBlockType.LOG).schema(log));
    fill("log", entries, document -> document.appendLogEntry(entry()));
    measure("log of " + entries, "log", document -> document.appendLogEntry(entry()));

    int chars = 990_000 / shrink;
    create(BlockSpec.of("text", MemoryBlockType.WORKING).content("some words ".repeat(chars / 11)));
    measure("text of " + chars, "text", document -> document.splice(chars / 2, 0, "z"));

    int items = 9_000 / shrink;
    create(BlockSpec.of("list", MemoryBlockType.WORKING).schema(ListSchema.ofAnything()));
    fill("list", items, document -> document.pushItem(new JsonString("one more item of it")));
    measure("list of " + items, "list", document -> document.pushItem(new JsonString("x")));
  }

  private void create(BlockSpec spec) {
    memory.createBlock(AGENT, spec.charLimit(CHAR_LIMIT));
  }

  private static JsonObject entry() {
    return JsonObject.of("note", JsonValue.of("the parcel of the customer left the depot"));
  }

  private void fill(String label, int count, Consumer<StructuredDocument> edit) {
    for (int done = 0; done < count; done += 500) {
      int now = Math.min(500, count - done);
      edit(
          label,
          document -> {
            for (int i = 0; i < now; i++) {
              edit.accept(document);
            }
          });
    }
  }

  private long edit(String label, Consumer<StructuredDocument> edit) {
    return memory
        .edit(
            AGENT,
            label,
            "",
            document -> {
              edit.accept(document);
              return true;
            })
        .version();
  }

  private void measure(String name, String label, Consumer<StructuredDocument> edit) {
    for (int i = 0; i < repetitions / 4; i++) {
      edit(label, edit);
    }
    long bytes = stored.added();
    long before = processorNanos();
    Samples samples = Samples.measure(0, repetitions, () -> edit(label, edit));
    long used = processorNanos() - before;
    report.figure(name + ": one edit, durable", samples.medianMillis(), "ms");
    report.figure(name + ": one edit, p99", samples.percentileMillis(99), "ms");
    report.figure(name + ": one edit, processor", used / 1e6 / repetitions, "ms");
    report.figure(name + ": one edit, rows", stored.each(label, bytes, repetitions), "bytes");
  }

  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
