package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The type of a block: a dotted lower-case name. The set is open; the catalogue below says how the
 * known ones behave, and an unknown one has no flag.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class BlockType {
  /** A property of the behaviour of a known type. */
  public enum Flag {
    /** Exempt from filters. */
    BASE,
    /** Opens a turn. */
    OPENS_TURN,
    /** A message boundary, where compaction likes to cut. */
    MESSAGE,
    /** A tool result. */
    RESULT,
    /** Belongs to the final round of its turn. */
    FINAL,
    /** Stored, never emitted. */
    QUIET,
    /** Emitted in the native dialect only. */
    NATIVE_ONLY,
    /** Never hidden, pruned or previewed. */
    FIXED
  }

  private static final int MAX_CHARS = 64;
  private static final Pattern GRAMMAR = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*");
  private static final Map<String, BlockType> KNOWN = new LinkedHashMap<>();

  public static final BlockType TURN_HEADER =
      known("turn.header", Flag.BASE, Flag.OPENS_TURN, Flag.FIXED);
  public static final BlockType USER_PROMPT =
      known("user.prompt", Flag.BASE, Flag.OPENS_TURN, Flag.MESSAGE);
  public static final BlockType USER_ATTACHMENT_META = known("user.attachment.meta", Flag.BASE);
  public static final BlockType USER_ATTACHMENT = known("user.attachment", Flag.BASE);
  public static final BlockType USER_ATTACHMENT_TEXT = known("user.attachment.text", Flag.BASE);
  public static final BlockType ASSISTANT_COMPLETION =
      known("assistant.completion", Flag.BASE, Flag.MESSAGE, Flag.FINAL);
  public static final BlockType REACT_NOTES = known("react.notes");
  public static final BlockType REACT_NOTE = known("react.note");
  public static final BlockType REACT_THINKING = known("react.thinking", Flag.QUIET);
  public static final BlockType MODEL_OPAQUE = known("model.opaque", Flag.NATIVE_ONLY, Flag.FIXED);
  public static final BlockType CONTEXT_TAIL = known("context.tail", Flag.NATIVE_ONLY, Flag.FIXED);
  public static final BlockType REACT_TOOL_CODE = known("react.tool.code");
  public static final BlockType REACT_TOOL_CALL = known("react.tool.call", Flag.MESSAGE);
  public static final BlockType REACT_TOOL_RESULT = known("react.tool.result", Flag.RESULT);
  public static final BlockType TOOL_LATE_RESULT = known("tool.late_result");
  public static final BlockType REACT_NOTICE = known("react.notice");
  public static final BlockType STAGE_GATE = known("stage.gate");
  public static final BlockType STAGE_FEEDBACK = known("stage.feedback");
  public static final BlockType STAGE_CLARIFICATION = known("stage.clarification");
  public static final BlockType STAGE_CLARIFICATION_RESOLVED =
      known("stage.clarification.resolved");
  public static final BlockType STAGE_SUGGESTED_FOLLOWUPS =
      known("stage.suggested_followups", Flag.QUIET, Flag.FINAL);
  public static final BlockType STAGE_SOURCES_USED =
      known("stage.sources_used", Flag.QUIET, Flag.FINAL);
  public static final BlockType REACT_STATE = known("react.state", Flag.QUIET, Flag.FINAL);
  public static final BlockType REACT_EXIT = known("react.exit", Flag.QUIET, Flag.FINAL);
  public static final BlockType ANNOUNCE = known("announce", Flag.QUIET, Flag.FINAL);
  public static final BlockType SYSTEM_MESSAGE = known("system.message", Flag.FIXED);
  public static final BlockType CONTEXT_PIN = known("context.pin", Flag.BASE, Flag.FIXED);
  public static final BlockType RANGE_SUMMARY = known("conv.range.summary", Flag.BASE, Flag.FIXED);

  /** What a contributed block is when it does not say. */
  public static final BlockType AGENT_BLOCK = known("agent.block");

  private final String name;
  private final Set<Flag> flags;

  private BlockType(String name, Set<Flag> flags) {
    this.name = name;
    this.flags = flags;
  }

  private static BlockType known(String name, Flag... flags) {
    EnumSet<Flag> set = EnumSet.noneOf(Flag.class);
    set.addAll(Set.of(flags));
    BlockType type = new BlockType(name, set);
    KNOWN.put(name, type);
    return type;
  }

  /**
   * The type of this name, known or not.
   *
   * @throws ContextureException {@code invalid_type} if the name is no dotted lower-case name of at
   *     most 64 characters
   */
  public static BlockType of(String name) {
    BlockType known = KNOWN.get(name);
    if (known != null) {
      return known;
    }
    if (name.length() > MAX_CHARS || !GRAMMAR.matcher(name).matches()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_TYPE,
          "type",
          name,
          "a dotted lower-case name such as stage.gate, at most " + MAX_CHARS + " characters");
    }
    return new BlockType(name, Set.of());
  }

  /** The catalogue of known types. */
  public static Collection<BlockType> known() {
    return Collections.unmodifiableCollection(KNOWN.values());
  }

  public String name() {
    return name;
  }

  public boolean has(Flag flag) {
    return flags.contains(flag);
  }

  public boolean isResult() {
    return has(Flag.RESULT);
  }

  public boolean isCall() {
    return equals(REACT_TOOL_CALL);
  }

  /** Whether blocks of this type come from the agent's loop: their text may name its call. */
  public boolean isReact() {
    return name.startsWith("react.");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BlockType type && name.equals(type.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
