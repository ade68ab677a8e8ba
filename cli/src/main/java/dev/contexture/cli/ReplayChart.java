package dev.contexture.cli;

import dev.contexture.cli.output.MoneyLine;
import dev.contexture.cli.output.Paint;
import dev.contexture.cli.output.Printer;
import dev.contexture.json.JsonObject;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.simulator.CacheReport;
import dev.contexture.simulator.CacheUse;
import java.util.List;
import java.util.Locale;

/** Draws requests one below the other, each as a bar that is as long as its share of the budget. */
final class ReplayChart {
  private static final int WIDTH = 40;
  private static final int PERCENT = 100;
  private static final String READ = "#";
  private static final String WRITTEN = "+";
  private static final String UNCACHED = "-";

  /** One request. */
  record Row(ContextMetadata metadata, CacheUse cache) {
    long written() {
      return cache.write() + cache.write5m() + cache.write1h();
    }

    boolean compacted() {
      return metadata.compression().applied();
    }

    long compactedBlocks() {
      JsonObject report = metadata.compression().report();
      return report == null ? 0 : Printer.number(report, "compacted_blocks");
    }

    long system() {
      return metadata.tokens().instructions() + metadata.tokens().rules();
    }

    long tools() {
      return metadata.tokens().tools();
    }

    long summary() {
      return metadata.tokens().summary();
    }

    long history() {
      return metadata.tokens().history() + metadata.tokens().tail();
    }

    long total() {
      return metadata.tokens().total();
    }
  }

  private final Printer printer;
  private final long limit;

  ReplayChart(Printer printer, long limit) {
    this.printer = printer;
    this.limit = limit;
  }

  void print(List<Row> rows, CacheReport report) {
    Paint paint = printer.paint();
    printer.line(
        String.format(
            Locale.ROOT,
            "%s read from the cache, %s written to it, %s neither; %d tokens wide",
            paint.good(READ),
            paint.doubtful(WRITTEN),
            paint.bad(UNCACHED),
            limit));
    printer.line(
        paint.faint(
            String.format(
                Locale.ROOT,
                "%4s  %s  %7s %4s %7s %7s %7s %7s   %7s %7s %7s",
                "CALL",
                " ".repeat(WIDTH + 2),
                "TOTAL",
                "%",
                "SYSTEM",
                "TOOLS",
                "SUMMARY",
                "HISTORY",
                "READ",
                "WRITTEN",
                "NEITHER")));
    for (int i = 0; i < rows.size(); i++) {
      print(i + 1, rows.get(i));
    }
    long compactions = rows.stream().filter(Row::compacted).count();
    long largest = rows.stream().mapToLong(Row::total).max().orElse(0);
    printer.line(
        String.format(
            Locale.ROOT,
            "%s, %s, largest %d of %d tokens",
            Printer.count(rows.size(), "request", "requests"),
            Printer.count(compactions, "compaction", "compactions"),
            largest,
            limit));
    printer.line(
        String.format(
            Locale.ROOT,
            "cache: read %d, written %d, neither %d; cost %.0f plain input tokens, %.0f without"
                + " cache; efficiency %.4f",
            report.read(),
            report.written(),
            report.uncached(),
            report.cost(),
            report.costNoCache(),
            report.efficiency()));
    printer.line(MoneyLine.rewritten(report));
    MoneyLine.of(report).ifPresent(printer::line);
  }

  private void print(int number, Row row) {
    printer.line(
        String.format(
            Locale.ROOT,
            "%4d  %s  %7d %4d %7d %7d %7d %7d   %7d %7d %7d",
            number,
            bar(row),
            row.total(),
            row.total() * PERCENT / limit,
            row.system(),
            row.tools(),
            row.summary(),
            row.history(),
            row.cache.read(),
            row.written(),
            row.cache.uncached()));
    if (row.compacted()) {
      printer.line(
          "      "
              + printer
                  .paint()
                  .doubtful(
                      String.format(
                          Locale.ROOT,
                          "^ compacted: %d blocks became a summary, %d tokens before, %d after;"
                              + " %d tokens written again",
                          row.compactedBlocks(),
                          row.metadata.compression().tokensBefore(),
                          row.metadata.compression().tokensAfter(),
                          row.cache.rewritten())));
    }
  }

  private String bar(Row row) {
    int read = cells(row.cache.read());
    int written = cells(row.cache.read() + row.written()) - read;
    int all = cells(row.cache.read() + row.written() + row.cache.uncached());
    Paint paint = printer.paint();
    return "["
        + paint.good(READ.repeat(read))
        + paint.doubtful(WRITTEN.repeat(written))
        + paint.bad(UNCACHED.repeat(all - read - written))
        + " ".repeat(WIDTH - all)
        + "]";
  }

  private int cells(long tokens) {
    return (int) Math.min(WIDTH, (tokens * WIDTH + limit / 2) / limit);
  }
}
