package dev.contexture.engine.turn;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.List;

/**
 * The last answer of an open turn, if it has no calls. What it says is stored at once; kept with
 * the turn is what the next request and the end of the turn have to know. Older stores kept also
 * what it says.
 *
 * @param answerId the answer
 * @param text what it says and no block holds yet
 * @param opaque the wire forms of opaque blocks that are not stored yet, without turn and time
 * @param meta what the block of its text carries
 * @param windowFull whether the window was full, so that the next request is to be shorter
 * @param replaceable whether no request has shown it, so that the turn may end with another answer
 */
record PendingAnswer(
    String answerId,
    String text,
    List<JsonObject> opaque,
    JsonObject meta,
    boolean windowFull,
    boolean replaceable) {
  PendingAnswer {
    opaque = List.copyOf(opaque);
  }

  static PendingAnswer read(JsonObject json) {
    List<JsonObject> opaque =
        json.array("opaque").orElse(JsonArray.of()).items().stream()
            .map(JsonObject.class::cast)
            .toList();
    return new PendingAnswer(
        json.string("answer_id").orElse(""),
        json.string("text").orElse(""),
        opaque,
        json.object("meta").orElse(JsonObject.EMPTY),
        json.isTrue("window_full"),
        json.isTrue("replaceable"));
  }

  /** What is left of it when what it says is in blocks. */
  PendingAnswer said() {
    return new PendingAnswer(answerId, "", List.of(), JsonObject.EMPTY, windowFull, true);
  }

  /** What is left of it when a request shows it. */
  PendingAnswer shown() {
    return new PendingAnswer(answerId, "", List.of(), JsonObject.EMPTY, windowFull, false);
  }

  JsonObject write() {
    return JsonObject.builder()
        .put("answer_id", answerId)
        .put("text", text)
        .put("opaque", new JsonArray(opaque.stream().<JsonValue>map(o -> o).toList()))
        .put("meta", meta)
        .put("window_full", windowFull)
        .put("replaceable", replaceable)
        .build();
  }
}
