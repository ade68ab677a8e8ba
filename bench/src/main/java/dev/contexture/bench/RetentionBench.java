package dev.contexture.bench;

import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.TextTable;
import dev.contexture.bench.support.UsageException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a context still holds of what was said, after compactions: our presets and what others do.
 * Nobody judges: a sentence stands there verbatim, or it does not. The figures do not depend on the
 * machine.
 */
final class RetentionBench implements Bench {
  @Override
  public String name() {
    return "retention";
  }

  @Override
  public String summary() {
    return "what compaction keeps: [needles|dialogues|sessions] [FILES...] [--limits N,N]"
        + " [--presets P,P]";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    RetentionOptions options = RetentionOptions.parse(args);
    BenchReport report = new BenchReport(name(), options.quick());
    Map<String, List<List<String>>> tables = new LinkedHashMap<>();
    for (RetentionOptions.Part part : options.parts()) {
      switch (part) {
        case NEEDLES ->
            tables.put(
                "facts that the user stated once, verbatim in the context after compactions",
                NeedlesPart.run(options, report));
        case DIALOGUES -> {
          List<Path> folders = options.dialogues();
          if (present(part, folders, options)) {
            tables.put(
                "questions whose messages are in the last context, or among ten hits of a search",
                DialoguesPart.run(options, folders, report));
          }
        }
        case SESSIONS -> {
          List<Path> files = options.sessions();
          if (present(part, files, options)) {
            tables.put(
                "recorded sessions: sentences of the user and references that stand in the context",
                SessionsPart.run(options, files, report));
          }
        }
      }
    }
    if (options.json()) {
      report.print(out, true);
    } else {
      tables.forEach(
          (title, rows) -> {
            out.println(title);
            TextTable.print(rows, out);
            out.println();
          });
    }
    return 0;
  }

  /** Whether a part has data; one that was asked for must have some. */
  private static boolean present(
      RetentionOptions.Part part, List<Path> files, RetentionOptions options) {
    if (files.isEmpty() && options.parts().size() == 1) {
      throw new UsageException("there is no data for " + part.shown() + "; name files of it");
    }
    return !files.isEmpty();
  }
}
