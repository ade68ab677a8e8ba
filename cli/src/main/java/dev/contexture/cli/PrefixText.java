package dev.contexture.cli;

import dev.contexture.cli.output.Printer;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says in words why the prefix of a request was written again, and what that cost. */
final class PrefixText {
  private static final String COMPACTION = "compaction";
  private static final String WITHDRAWN = "withdrawn";
  private static final Map<String, String> CAUSES =
      Map.ofEntries(
          Map.entry("first", "it is the first"),
          Map.entry("model", "it is the first to this model"),
          Map.entry("erased", "what was sent before is gone"),
          Map.entry(COMPACTION, "a summary stands for what was sent before"),
          Map.entry(WITHDRAWN, "a summary was withdrawn"),
          Map.entry("model_changed", "another model is asked"),
          Map.entry("tools_changed", "other tools are offered"),
          Map.entry("cold_cache", "the last call was longer ago than the cache lives"),
          Map.entry("requested", "it was asked for"),
          Map.entry("does_not_fit", "what changed in memory has no room behind the conversation"),
          Map.entry("access_lost", "the agent may not read a block any more that was shown"),
          Map.entry("access_regained", "the agent may read a block again that was shown"),
          Map.entry("block_erased", "a memory block that was shown was erased"));

  private PrefixText() {}

  /** A word for a table: {@code extends}, {@code diverges}, or {@code rebased: cold_cache}. */
  static String word(JsonObject row, @Nullable JsonObject before) {
    String prefix = row.string("prefix").orElse("-");
    return cause(row, before).map(word -> prefix + ": " + word).orElse(prefix);
  }

  /** A sentence on why the prefix was begun anew; empty: it was not. */
  static Optional<String> anew(JsonObject row, @Nullable JsonObject before) {
    return cause(row, before)
        .map(
            word -> "the prefix was begun anew (" + word + "): " + CAUSES.getOrDefault(word, word));
  }

  private static Optional<String> cause(JsonObject row, @Nullable JsonObject before) {
    if (!row.string("prefix").orElse("").equals("rebased")) {
      return Optional.empty();
    }
    if (before != null && !summary(row).equals(summary(before))) {
      return Optional.of(summary(row).isEmpty() ? WITHDRAWN : COMPACTION);
    }
    return row.string("epoch_cause").or(() -> row.string("rebased_by"));
  }

  /** The summary that an epoch begins with: what stands before the first mark of its name. */
  private static String summary(JsonObject row) {
    return row.string("epoch").orElse("").split("[@+-]", 2)[0];
  }

  /** What was written to the cache again because of it; empty: nothing. */
  static Optional<String> rewritten(JsonObject row) {
    return row.object("rewritten")
        .map(
            again ->
                String.format(
                    Locale.ROOT,
                    "%d tokens are written to the cache again, which costs %s plain input tokens"
                        + " more than reading them%s",
                    Printer.number(again, "tokens"),
                    again.find("cost").map(JsonValue::toJson).orElse("?"),
                    money(again, "money", row.string("currency").orElse("USD"))));
  }

  /** An amount in brackets; nothing where it is not known. */
  static String money(JsonObject from, String name, String currency) {
    return from.find(name)
        .filter(value -> !value.equals(JsonNull.NULL))
        .map(value -> " (" + value.toJson() + " " + currency + ")")
        .orElse("");
  }
}
