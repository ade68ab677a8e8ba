package dev.contexture.engine.turn;

import dev.contexture.block.Block;
import dev.contexture.block.BlockCodec;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.util.List;

/**
 * An answer without calls, which becomes the completion when the turn closes.
 *
 * @param answerId the answer
 * @param text what it says
 * @param opaque the wire forms of its opaque blocks, without turn and time
 * @param meta what the completion carries
 * @param windowFull whether the window was full, so that the next request is to be shorter
 */
record PendingAnswer(
    String answerId, String text, List<JsonObject> opaque, JsonObject meta, boolean windowFull) {
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
        json.isTrue("window_full"));
  }

  /** Whether it holds anything that can be shown. */
  boolean isEmpty() {
    return text.isBlank() && opaque.isEmpty();
  }

  /** What is left of it when what it says is in blocks. */
  PendingAnswer said() {
    return new PendingAnswer(answerId, "", List.of(), JsonObject.EMPTY, windowFull);
  }

  JsonObject write() {
    return JsonObject.builder()
        .put("answer_id", answerId)
        .put("text", text)
        .put("opaque", new JsonArray(opaque.stream().<JsonValue>map(o -> o).toList()))
        .put("meta", meta)
        .put("window_full", windowFull)
        .build();
  }

  List<Block> opaqueBlocks(TurnId turn, Instant now) {
    return opaque.stream().map(json -> BlockCodec.readContribution(json).build(turn, now)).toList();
  }
}
