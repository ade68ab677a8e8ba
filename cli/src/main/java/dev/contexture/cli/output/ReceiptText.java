package dev.contexture.cli.output;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The receipt of a compaction in words: what was kept, what was left out, who wrote it. */
public final class ReceiptText {
  private static final int MAX_PATHS = 20;
  private static final Map<String, String> WRITERS =
      Map.of(
          "built_in", "the built-in summariser",
          "model", "a model",
          "fallback", "the built-in summariser, because the model failed");

  private ReceiptText() {}

  public static List<String> of(String summary, JsonObject receipt) {
    List<String> lines = new ArrayList<>();
    String writer = receipt.string("writer").orElse("");
    lines.add(
        "receipt of " + summary + ": written by " + WRITERS.getOrDefault(writer, "nobody known"));
    JsonObject kinds = receipt.object("tokens").orElse(JsonObject.EMPTY);
    for (String kind : kinds.keys()) {
      JsonObject row = kinds.object(kind).orElse(JsonObject.EMPTY);
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-10s %6d tokens kept, %d left out",
              kind,
              Printer.number(row, "kept"),
              Printer.number(row, "left_out")));
    }
    addPaths(lines, "left out, to be read at", receipt, "left_out");
    addPaths(lines, "pinned, verbatim behind it", receipt, "pins");
    String cost = cost(receipt.object("cost").orElse(JsonObject.EMPTY));
    if (!cost.isEmpty()) {
      lines.add("  cost: " + cost);
    }
    return lines;
  }

  private static void addPaths(List<String> lines, String title, JsonObject receipt, String key) {
    List<JsonValue> rows = receipt.array(key).map(JsonArray::items).orElse(List.of());
    if (rows.isEmpty()) {
      return;
    }
    lines.add("  " + title + ":");
    rows.stream().limit(MAX_PATHS).forEach(row -> lines.add("    " + path((JsonObject) row)));
    if (rows.size() > MAX_PATHS) {
      lines.add("    and " + (rows.size() - MAX_PATHS) + " more (--json shows all)");
    }
  }

  private static String path(JsonObject row) {
    String kind = row.string("kind").map(word -> word + ", ").orElse("");
    return row.string("path").filter(path -> !path.isEmpty()).orElse("no path of its own")
        + " ("
        + kind
        + Printer.number(row, "tokens")
        + " tokens)";
  }

  private static String cost(JsonObject cost) {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, JsonValue> part : cost.members().entrySet()) {
      JsonValue value = part.getValue();
      String shown = value instanceof JsonString text ? text.value() : value.toJson();
      parts.add(part.getKey().replace('_', ' ') + " " + shown);
    }
    return String.join(", ", parts);
  }
}
