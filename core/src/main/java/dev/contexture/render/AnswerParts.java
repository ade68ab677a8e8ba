package dev.contexture.render;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.view.Part;
import dev.contexture.view.StreamItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parts of a recorded answer without calls in the order of the wire. It is stored as its opaque
 * parts and, behind them, all its text as one block.
 */
final class AnswerParts {
  private AnswerParts() {}

  /** The index of an answer's text, if its first opaque part stands at an index; else the index. */
  static int end(List<StreamItem> items, int first) {
    Optional<String> answer = answerOf(items.get(first));
    int at = first;
    while (answer.isPresent() && isOpaque(items.get(at))) {
      at++;
      if (at == items.size() || !answerOf(items.get(at)).equals(answer)) {
        return first;
      }
    }
    return at;
  }

  private static Optional<String> answerOf(StreamItem item) {
    return item.batch().isPresent()
        ? Optional.empty()
        : item.entry().flatMap(TimelineEntry::answerId);
  }

  private static boolean isOpaque(StreamItem item) {
    return item.type().equals(BlockType.MODEL_OPAQUE);
  }

  /** The parts of an answer: opaque items, then the text. */
  static List<Part> of(List<StreamItem> answer) {
    StreamItem said = answer.getLast();
    Map<Long, List<Part>> byOrder = new TreeMap<>();
    for (StreamItem opaque : answer.subList(0, answer.size() - 1)) {
      for (Part part : opaque.emission().parts()) {
        if (!said.replaced() || !isVerbatim(part)) {
          add(byOrder, order(opaque), part);
        }
      }
    }
    addTexts(byOrder, said);
    return byOrder.values().stream().flatMap(List::stream).toList();
  }

  /** Whether a text is that of several parts. */
  static boolean isSplit(StreamItem item) {
    return item.block().filter(block -> block.meta().has("text_ends")).isPresent();
  }

  /** Whether a part goes to its maker instead of what follows it. */
  static boolean isVerbatim(Part part) {
    return part instanceof Part.Opaque opaque && opaque.verbatim();
  }

  private static void addTexts(Map<Long, List<Part>> byOrder, StreamItem said) {
    JsonObject meta = said.block().map(Block::meta).orElse(JsonObject.EMPTY);
    String text = said.block().flatMap(Block::text).orElse("");
    List<Long> ends = numbers(meta, "text_ends");
    List<Long> orders = numbers(meta, "text_orders");
    boolean split = !ends.isEmpty() && ends.size() == orders.size();
    if (said.replaced() || !split || ends.getLast() != text.length()) {
      said.emission().parts().forEach(part -> add(byOrder, order(said), part));
      return;
    }
    int from = 0;
    for (int i = 0; i < ends.size(); i++) {
      int to = Math.toIntExact(ends.get(i));
      String piece = withoutLineBreaks(text.substring(from, to));
      if (!piece.isBlank()) {
        add(byOrder, orders.get(i), new Part.Text(piece));
      }
      from = to;
    }
  }

  private static String withoutLineBreaks(String text) {
    int end = text.length();
    while (end > 0 && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
      end--;
    }
    return text.substring(0, end);
  }

  private static long order(StreamItem item) {
    return item.block()
        .flatMap(block -> block.meta().find("wire_order"))
        .map(AnswerParts::number)
        .orElse(0L);
  }

  private static List<Long> numbers(JsonObject meta, String key) {
    List<Long> numbers = new ArrayList<>();
    for (JsonValue value : meta.array(key).map(JsonArray::items).orElse(List.of())) {
      numbers.add(number(value));
    }
    return numbers;
  }

  private static long number(JsonValue value) {
    return value instanceof JsonNumber number ? number.asLong().orElse(0) : 0;
  }

  private static void add(Map<Long, List<Part>> byOrder, long order, Part part) {
    byOrder.computeIfAbsent(order, unused -> new ArrayList<>()).add(part);
  }
}
