package dev.contexture.engine.turn;

import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.Reply;
import dev.contexture.turn.StepRecord;
import dev.contexture.turn.TurnClosure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Writes and reads what a step led to, in the form in which it is kept for repeats. */
final class StepCodec {
  private StepCodec() {}

  static JsonObject write(StepRecord step) {
    List<JsonValue> results = new ArrayList<>();
    for (AppendResult result : step.results()) {
      List<JsonValue> seqs = new ArrayList<>();
      result.seqs().forEach(seq -> seqs.add(JsonValue.of(seq.orElse(0))));
      results.add(
          JsonObject.builder()
              .put("version", result.version())
              .put("seqs", new JsonArray(seqs))
              .put("late", result.late())
              .build());
    }
    JsonObject.Builder json =
        JsonObject.builder()
            .put("turn", step.turn().value())
            .put("version", step.version())
            .put("results", new JsonArray(results));
    StepRecord.Begun begun = step.begun();
    if (begun != null) {
      json.put(
          "begun",
          JsonObject.builder()
              .put("resumed", begun.resumed())
              .put("new_conversation", begun.newConversation())
              .put("omitted_turns", begun.omittedTurns())
              .build());
    }
    step.reply().ifPresent(reply -> json.put("reply", reply.keep()));
    step.closure()
        .ifPresent(
            closure ->
                json.put("status", closure.status().wireName())
                    .put("closed_version", closure.version())
                    .put(
                        "cancelled",
                        JsonArray.ofStrings(
                            closure.cancelled().stream().map(CallId::value).toList())));
    return json.build();
  }

  static StepRecord read(JsonObject json) {
    TurnId turn = TurnId.of(json.string("turn").orElseThrow());
    List<AppendResult> results = new ArrayList<>();
    for (JsonValue item : items(json, "results")) {
      JsonObject result = (JsonObject) item;
      List<OptionalLong> seqs =
          items(result, "seqs").stream().map(seq -> OptionalLong.of(number(seq))).toList();
      results.add(new AppendResult(number(result, "version"), seqs, result.isTrue("late")));
    }
    TurnClosure closure =
        json.string("status")
            .map(
                status ->
                    new TurnClosure(
                        turn,
                        TurnStatus.valueOf(status.toUpperCase(java.util.Locale.ROOT)),
                        number(json, "closed_version"),
                        items(json, "cancelled").stream()
                            .map(id -> new CallId(((JsonString) id).value()))
                            .toList()))
            .orElse(null);
    return new StepRecord(
        turn,
        number(json, "version"),
        json.object("begun").map(StepCodec::begun).orElse(null),
        json.object("reply").map(Reply::read).orElse(null),
        results,
        closure);
  }

  private static StepRecord.Begun begun(JsonObject json) {
    return new StepRecord.Begun(
        json.isTrue("resumed"),
        json.isTrue("new_conversation"),
        (int) number(json, "omitted_turns"));
  }

  private static List<JsonValue> items(JsonObject json, String key) {
    return json.array(key).orElse(JsonArray.of()).items();
  }

  private static long number(JsonObject json, String key) {
    return json.find(key).map(StepCodec::number).orElse(0L);
  }

  private static long number(JsonValue value) {
    return value instanceof JsonNumber number ? number.asLong().orElse(0) : 0;
  }
}
