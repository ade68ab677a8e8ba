package dev.contexture.bench.retention;

import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.TextTable;
import dev.contexture.bench.support.UsageException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * What a context still holds of what was said, after compactions: our presets and what others do.
 * Nobody judges: a sentence stands there verbatim, or it does not. The figures do not depend on the
 * machine.
 */
public final class RetentionBench implements Bench {
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
    for (RetentionOptions.Part part : options.parts()) {
      List<List<String>> rows = measure(part, options, report);
      if (!options.json()) {
        out.println(title(part) + (options.quick() ? " (quick: not to be quoted)" : ""));
        TextTable.print(rows.isEmpty() ? List.of(List.of("no data")) : rows, out);
        out.println();
      }
    }
    if (options.json()) {
      report.print(out, true);
    }
    return 0;
  }

  private static String title(RetentionOptions.Part part) {
    return switch (part) {
      case NEEDLES -> "facts that the user stated once, verbatim in the context after compactions";
      case DIALOGUES ->
          "questions whose messages are in the last context, or among ten hits of a search";
      case SESSIONS -> "sentences of the user and references in the requests of recorded sessions";
    };
  }

  /** The rows of a part; none if there is no data for it. */
  private static List<List<String>> measure(
      RetentionOptions.Part part, RetentionOptions options, BenchReport report) {
    if (part == RetentionOptions.Part.NEEDLES) {
      return NeedlesPart.run(options, report);
    }
    boolean dialogues = part == RetentionOptions.Part.DIALOGUES;
    List<Path> files = dialogues ? options.dialogues() : options.sessions();
    if (!files.isEmpty()) {
      return dialogues
          ? DialoguesPart.run(options, files, report)
          : SessionsPart.run(options, files, report);
    }
    if (options.parts().size() == 1) {
      throw new UsageException("there is no data for " + part.shown() + "; name files of it");
    }
    return List.of();
  }
}
