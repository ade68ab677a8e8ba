package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The stable address of something in a conversation, for example {@code ar:turn_1.user.prompt}.
 * Immutable; equal if the canonical texts are equal.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BlockPath {
  /** The kind of thing that a path points to. */
  public enum Kind {
    /** {@code ar:}, an artifact of a turn. */
    ARTIFACT,
    /** {@code fi:<turn>.user.attachments/<name>}. */
    ATTACHMENT,
    /** {@code fi:<turn>.files/<relative path>}. */
    FILE,
    /** {@code fi:<turn>.code.<call>}. */
    CODE,
    /** {@code tc:<turn>.<call>.call}. */
    CALL,
    /** {@code tc:<turn>.<call>.result}. */
    RESULT,
    /** {@code tc:<turn>.tool_calls.<call>.notice.json}. */
    NOTICE,
    /** {@code so:sources_pool[...]}. */
    SOURCES,
    /** {@code su:<turn>.conv.range.summary}. */
    SUMMARY,
    /** {@code sk:}, reserved: it parses and resolves to nothing. */
    SKILL
  }

  /** The longest name of a file, in UTF-8. */
  public static final int MAX_NAME_BYTES = 255;

  private final Kind kind;
  private final String text;
  private final @Nullable TurnId turn;
  private final @Nullable CallId call;
  private final String rest;

  BlockPath(Kind kind, String text, @Nullable TurnId turn, @Nullable CallId call, String rest) {
    this.kind = kind;
    this.text = text;
    this.turn = turn;
    this.call = call;
    this.rest = rest;
  }

  /**
   * Reads a path. Nothing is trimmed.
   *
   * @throws ContextureException {@code invalid_path} if it does not follow the grammar, {@code
   *     unsafe_path} if a file path would leave its folder
   */
  public static BlockPath parse(String text) {
    return new PathParser(text).parse();
  }

  /** Whether {@link #parse} accepts the text. */
  public static boolean isValid(String text) {
    try {
      parse(text);
      return true;
    } catch (ContextureException refused) {
      return false;
    }
  }

  public static BlockPath userPrompt(TurnId turn) {
    return artifact(turn, "user.prompt");
  }

  public static BlockPath completion(TurnId turn) {
    return artifact(turn, "assistant.completion");
  }

  public static BlockPath notes(TurnId turn, CallId call) {
    return artifact(turn, "react.notes." + call);
  }

  /** {@code ar:<turn>.<names>}, where names are joined by dots. */
  public static BlockPath artifact(TurnId turn, String names) {
    return parse("ar:" + turn + "." + names);
  }

  public static BlockPath attachment(TurnId turn, String name) {
    return parse("fi:" + turn + PathParser.ATTACHMENTS + name);
  }

  public static BlockPath file(TurnId turn, String relativePath) {
    return parse("fi:" + turn + PathParser.FILES + relativePath);
  }

  public static BlockPath code(TurnId turn, CallId call) {
    return parse("fi:" + turn + PathParser.CODE + call);
  }

  public static BlockPath call(TurnId turn, CallId call) {
    return tool(Kind.CALL, turn, call);
  }

  public static BlockPath result(TurnId turn, CallId call) {
    return tool(Kind.RESULT, turn, call);
  }

  public static BlockPath notice(TurnId turn, CallId call) {
    return tool(Kind.NOTICE, turn, call);
  }

  public static BlockPath summary(TurnId turn) {
    return new BlockPath(Kind.SUMMARY, "su:" + turn + PathParser.RANGE_SUMMARY, turn, null, "");
  }

  static BlockPath tool(Kind kind, TurnId turn, CallId call) {
    String text =
        switch (kind) {
          case CALL -> "tc:" + turn + "." + call + ".call";
          case RESULT -> "tc:" + turn + "." + call + ".result";
          case NOTICE -> "tc:" + turn + ".tool_calls." + call + ".notice.json";
          case ARTIFACT, ATTACHMENT, FILE, CODE, SOURCES, SUMMARY, SKILL ->
              throw new IllegalArgumentException(kind + " is no path of a tool call");
        };
    return new BlockPath(kind, text, turn, call, "");
  }

  /**
   * The path of a file on disk: {@code <turn>/files/<relative path>} or {@code
   * <turn>/attachments/<name>}. The reverse of {@link #physical()}.
   *
   * @throws ContextureException {@code invalid_path} or {@code unsafe_path}
   */
  public static BlockPath ofPhysical(String physical) {
    return PathParser.ofPhysical(physical);
  }

  public Kind kind() {
    return kind;
  }

  /** The turn that the path names; {@code so:} and {@code sk:} paths name none. */
  public Optional<TurnId> turn() {
    return Optional.ofNullable(turn);
  }

  /**
   * The call that the path names: of {@code tc:} and code paths, and of {@code
   * ar:<turn>.react.notes.<call>}.
   */
  public Optional<CallId> callId() {
    return Optional.ofNullable(call);
  }

  /**
   * Where the file lies relative to the files of the conversation, for file and attachment paths.
   */
  public Optional<String> physical() {
    return switch (kind) {
      case FILE -> Optional.of(turn + "/files/" + rest);
      case ATTACHMENT -> Optional.of(turn + "/attachments/" + rest);
      case ARTIFACT, CODE, CALL, RESULT, NOTICE, SOURCES, SUMMARY, SKILL -> Optional.empty();
    };
  }

  /** The part after the last slash, or the whole text where there is none. */
  public String lastSegment() {
    return text.substring(text.lastIndexOf('/') + 1);
  }

  /** The rows that a {@code so:} path selects; of any other path none. */
  public SourceSelector selector() {
    return SourceSelector.parse(kind == Kind.SOURCES ? rest : "");
  }

  /** The canonical form, the only one that is ever written. */
  public String text() {
    return text;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BlockPath path && text.equals(path.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  static ContextureException invalid(String path, String why) {
    return ContextureException.invalid(
        ErrorCode.INVALID_PATH,
        "path",
        path,
        "ar:<turn>.<name>, fi:<turn>.files/<path>, fi:<turn>.user.attachments/<name>,"
            + " fi:<turn>.code.<call>, tc:<turn>.<call>.call|result|notice, so:sources_pool[...],"
            + " su:<turn>.conv.range.summary or sk:<name> ("
            + why
            + ")");
  }
}
