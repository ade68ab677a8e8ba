package dev.contexture.engine.agent;

import dev.contexture.block.CodePoints;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.turn.ToolAnswer;
import java.util.Map;
import java.util.Objects;

/** Builds the answers of the memory tools. */
final class ToolResults {
  /** Follows the name of a tool whose failure nobody foresaw. */
  static final String UNFORESEEN = " failed in a way that nobody foresaw; the log has more";

  private static final System.Logger LOG = System.getLogger(ToolResults.class.getName());
  private static final Map<ErrorCode, String> MESSAGES =
      Map.of(
          ErrorCode.STORE_FULL, "there is no room left to write",
          ErrorCode.STORE_READ_ONLY, "nothing may be written now",
          ErrorCode.STORE_DAMAGED, "what is stored there cannot be read",
          ErrorCode.STORE_UNAVAILABLE, "the store cannot be used now",
          ErrorCode.SEARCH_UNAVAILABLE, "search cannot be used now");

  /** Code points of a hit's text. */
  static final int MAX_HIT_CHARS = 2_000;

  private static final Map<ErrorCode, String> HINTS =
      Map.ofEntries(
          Map.entry(ErrorCode.INVALID_ARGUMENT, "correct the parameter and call again"),
          Map.entry(ErrorCode.INVALID_LABEL, "use 1 to 64 of A-Z a-z 0-9 _ . : -"),
          Map.entry(
              ErrorCode.BLOCK_NOT_FOUND,
              "call block with op list to see your blocks, or create it"),
          Map.entry(ErrorCode.LABEL_TAKEN, "choose another label, or edit the block that has it"),
          Map.entry(ErrorCode.AMBIGUOUS_LABEL, "give the label as owner/label"),
          Map.entry(
              ErrorCode.PERMISSION_DENIED, "do not try again; ask the owner for the permission"),
          Map.entry(ErrorCode.CONSENT_DENIED, "do not try again; tell the user what you wanted"),
          Map.entry(ErrorCode.ACCESS_DENIED, "work in your own memory"),
          Map.entry(ErrorCode.READ_ONLY, "write another field or section"),
          Map.entry(
              ErrorCode.WRONG_SCHEMA, "call block with op info and use an op that fits its schema"),
          Map.entry(ErrorCode.FIELD_NOT_FOUND, "call block with op info to see its fields"),
          Map.entry(ErrorCode.INDEX_OUT_OF_RANGE, "call block with op load and count from 0"),
          Map.entry(ErrorCode.LIMIT_EXCEEDED, "shorten the content, or move parts elsewhere"),
          Map.entry(
              ErrorCode.NO_MATCH, "call block with op load and copy the text exactly as it is"),
          Map.entry(
              ErrorCode.PATCH_CONFLICT, "call block with op load and make the diff from that"),
          Map.entry(ErrorCode.INVALID_REGEX, "simplify the expression, or use mode first"),
          Map.entry(ErrorCode.NOTHING_TO_DO, "go on; the block is as it was first"),
          Map.entry(ErrorCode.STORE_UNAVAILABLE, "call again later"),
          Map.entry(ErrorCode.SEARCH_UNAVAILABLE, "go on without search"));

  private ToolResults() {}

  static ToolAnswer done(String message, JsonObject data) {
    return ToolAnswer.of(
        JsonObject.builder().put("success", true).put("message", message).put("data", data).build(),
        false);
  }

  /** What was found, and how much: {@code 1 hit}. */
  static ToolAnswer found(int number, String one, String many, JsonObject data) {
    return done(number + " " + (number == 1 ? one : many), data);
  }

  /**
   * What a model is told of a refusal: why, if it can do something about it. What the store or the
   * index says, with the names of their files, is for who runs them.
   */
  static String message(ContextureException refused) {
    return isOurs(refused)
        ? MESSAGES.getOrDefault(refused.code(), "the tool cannot be used now")
        : Objects.requireNonNullElse(refused.getMessage(), "refused");
  }

  /** Whether it is no fault of the caller, and not told in this package's own words either. */
  private static boolean isOurs(ContextureException refused) {
    return refused.code().httpStatus() >= ErrorCode.INTERNAL.httpStatus()
        && refused.code() != ErrorCode.INTERNAL;
  }

  static ToolAnswer failed(ContextureException refused) {
    JsonObject.Builder details = JsonObject.builder();
    if (isOurs(refused)) {
      LOG.log(System.Logger.Level.WARNING, "a tool failed", refused);
    } else {
      refused.details().forEach((name, value) -> details.put(name, json(value)));
    }
    JsonObject.Builder error =
        JsonObject.builder()
            .put("code", refused.code().wireName())
            .put("message", message(refused))
            .put(
                "hint",
                HINTS.getOrDefault(refused.code(), "read the message, correct the call and retry"));
    JsonObject facts = details.build();
    if (!facts.isEmpty()) {
      error.put("details", facts);
    }
    return ToolAnswer.of(
        JsonObject.builder().put("success", false).put("error", error.build()).build(), true);
  }

  private static JsonValue json(Object value) {
    return switch (value) {
      case Boolean flag -> JsonValue.of(flag);
      case Integer number -> JsonValue.of(number);
      case Long number -> JsonValue.of(number);
      default -> JsonValue.of(value.toString());
    };
  }

  /** Puts the text of a hit, cut where it is too long. */
  static JsonObject.Builder putText(JsonObject.Builder hit, String text) {
    String shown = CodePoints.first(text, MAX_HIT_CHARS);
    hit.put("content", shown);
    return shown.length() == text.length() ? hit : hit.put("truncated", true);
  }
}
