package dev.contexture.prompt;

import dev.contexture.json.JsonObject;
import org.apiguardian.api.API;

/**
 * Something that a request does not show, or not whole, and why.
 *
 * @param kind {@code memory_block}, {@code activity}, {@code tool_rule}, {@code turn} or {@code
 *     message}
 * @param id which one: a name that its owner knows
 * @param reason why
 * @param detail the same in words, with numbers
 */
@API(status = API.Status.STABLE, since = "0.1")
public record Omission(String kind, String id, Reason reason, String detail) {
  /** Why something is not shown. */
  public enum Reason {
    OVER_MEMORY_BUDGET,
    UNKNOWN_BLOCK,
    NO_ACCESS,
    READ_FAILED,
    TYPE_NOT_IN_CONTEXT,
    INCOMPLETE_TURN,
    ARCHIVED,
    ACTIVITY_FAILED,
    UNKNOWN_TOOL,
    EMPTY_MESSAGE
  }

  static final String BLOCK = "memory_block";

  /** About a memory block. */
  public static Omission block(String name, Reason reason, String detail) {
    return new Omission(BLOCK, name, reason, detail);
  }

  public JsonObject toJson() {
    return JsonObject.builder()
        .put("kind", kind)
        .put("id", id)
        .put("reason", reason.name())
        .put("detail", detail)
        .build();
  }

  static Omission fromJson(JsonObject json) {
    return new Omission(
        json.string("kind").orElseThrow(),
        json.string("id").orElseThrow(),
        Reason.valueOf(json.string("reason").orElseThrow()),
        json.string("detail").orElseThrow());
  }
}
