package dev.contexture.prompt;

import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.view.DroppedBlock;
import java.util.Locale;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Something that a request does not show, or not whole, and why.
 *
 * @param kind {@code memory_block}, {@code activity}, {@code tool_rule}, {@code turn}, {@code
 *     block}, {@code message}, {@code answer} for a part of an answer, or {@code more} for those
 *     beyond the ones that are listed
 * @param id which one: a name that its owner knows
 * @param reason why
 * @param detail the same in words, with numbers
 * @param tokens what is not shown, as far as it is counted
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Omission(String kind, String id, Reason reason, String detail, long tokens) {
  /** The reason why something is not shown. */
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
    EMPTY_MESSAGE,
    /** There is no room for it beside what must be there. */
    OVER_BUDGET,
    /** The limit of turns or days leaves it out. */
    TURN_LIMIT,
    /** The provider's format or the model does not take it. */
    NOT_TAKEN,
    FILTERED,
    HIDDEN,
    EMPTY,
    UNREADABLE,
    PENDING_CALL,
    UNANSWERED_CALL,
    ORPHAN_RESULT,
    PIN_OVER_SHARE,
    /** The turn ended with another answer. */
    REPLACED,
    /** It had not ended when the answer was cut. */
    CUT_OFF,
    /** A further answer beside the one that counts. */
    EXTRA_CHOICE,
    /** It is too large for the budget, a part of it is shown. */
    OVERSIZE,
    /** The prompt cache had expired, a part of it is shown. */
    TTL,
    /** The arguments of the call are shortened. */
    ARGUMENTS;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final String BLOCK = "memory_block";
  private static final Set<String> FIELDS = Set.of("kind", "id", "reason", "detail", "tokens");

  /** Something that is not counted. */
  public Omission(String kind, String id, Reason reason, String detail) {
    this(kind, id, reason, detail, 0);
  }

  /** About a memory block. */
  public static Omission block(String name, Reason reason, String detail, long tokens) {
    return new Omission(BLOCK, name, reason, detail, tokens);
  }

  /** About a memory block that is not counted. */
  public static Omission block(String name, Reason reason, String detail) {
    return block(name, reason, detail, 0);
  }

  /** About a block of the conversation that a render leaves out. */
  public static Omission of(DroppedBlock dropped, long tokens) {
    return of(
        dropped.entry(),
        Reason.valueOf(dropped.reason().name()),
        "of type " + dropped.entry().block().type().name(),
        tokens);
  }

  /** About a block of the conversation: by its path, or by its number where it has none. */
  public static Omission of(TimelineEntry entry, Reason reason, String detail, long tokens) {
    String id =
        entry
            .block()
            .path()
            .map(path -> path.text())
            .orElseGet(() -> entry.turn().value() + "#" + entry.seq().orElse(0));
    return new Omission("block", id, reason, detail, tokens);
  }

  public JsonObject toJson() {
    return JsonObject.builder()
        .put("kind", kind)
        .put("id", id)
        .put("reason", reason.wireName())
        .put("detail", detail)
        .put("tokens", tokens)
        .build();
  }

  /** Reads a stored one; older ones have reasons in upper case and are not counted. */
  public static Omission fromJson(JsonObject json) {
    return new Omission(
        json.string("kind").orElseThrow(),
        json.string("id").orElseThrow(),
        Reason.valueOf(json.string("reason").orElseThrow().toUpperCase(Locale.ROOT)),
        json.string("detail").orElseThrow(),
        JsonFields.of(json, FIELDS).number("tokens").orElse(0));
  }
}
