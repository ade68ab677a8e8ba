package dev.contexture.provider.wire;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One block of a body, as far as rules care. Immutable.
 *
 * @param kind what it is
 * @param type the format's name for it
 * @param pointer where it is
 * @param id of a call, or of the call that a result answers, or of an item; null if it has none
 * @param name of a tool, or the media type of media; empty if it has none
 * @param blank whether it says nothing; of a tool, whether its schema is not one of an object
 * @param mark the life of its cache mark; null without one
 * @param signed whether it carries its maker's signature
 * @param raw of thinking its JSON; of instructions that are a message their text; of a call of
 *     Responses the id of its item
 * @param nested what a result holds
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BodyPart(
    Kind kind,
    String type,
    String pointer,
    @Nullable String id,
    String name,
    boolean blank,
    @Nullable String mark,
    boolean signed,
    String raw,
    List<BodyPart> nested) {
  /** The type of a tool of the provider itself. */
  public static final String NATIVE_TOOL = "native_tool";

  /** The type of a tool of another provider, or in the form of another one. */
  public static final String FOREIGN_TOOL = "foreign_tool";

  /** The type of a text of the user that cites something. */
  public static final String CITED_TEXT = "cited_text";

  /** The kind of a block. */
  public enum Kind {
    TEXT,
    MEDIA,
    CALL,
    RESULT,
    THINKING,
    /** A call of a tool that the provider runs itself. */
    SERVER_CALL,
    /** What such a tool answered. */
    SERVER_RESULT,
    OTHER
  }

  public static BodyPart of(Kind kind, String type, String pointer) {
    return new BodyPart(kind, type, pointer, null, "", false, null, false, "", List.of());
  }

  public BodyPart id(@Nullable String newId) {
    return new BodyPart(kind, type, pointer, newId, name, blank, mark, signed, raw, nested);
  }

  public BodyPart name(String newName) {
    return new BodyPart(kind, type, pointer, id, newName, blank, mark, signed, raw, nested);
  }

  public BodyPart blank(boolean isBlank) {
    return new BodyPart(kind, type, pointer, id, name, isBlank, mark, signed, raw, nested);
  }

  public BodyPart mark(@Nullable String life) {
    return new BodyPart(kind, type, pointer, id, name, blank, life, signed, raw, nested);
  }

  public BodyPart signed(boolean isSigned) {
    return new BodyPart(kind, type, pointer, id, name, blank, mark, isSigned, raw, nested);
  }

  public BodyPart raw(String text) {
    return new BodyPart(kind, type, pointer, id, name, blank, mark, signed, text, nested);
  }

  public BodyPart nested(List<BodyPart> items) {
    return new BodyPart(
        kind, type, pointer, id, name, blank, mark, signed, raw, List.copyOf(items));
  }

  /** The same block in a body where its message stands there. */
  public BodyPart at(String base) {
    List<BodyPart> moved =
        nested.isEmpty() ? nested : nested.stream().map(inner -> inner.at(base)).toList();
    return new BodyPart(kind, type, base + pointer, id, name, blank, mark, signed, raw, moved);
  }

  public boolean is(Kind asked) {
    return kind == asked;
  }
}
