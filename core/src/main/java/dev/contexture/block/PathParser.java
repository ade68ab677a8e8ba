package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.SendableText;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one path by the grammar of T-13. */
final class PathParser {
  static final String ATTACHMENTS = ".user.attachments/";
  static final String FILES = ".files/";
  static final String CODE = ".code.";
  static final String RANGE_SUMMARY = ".conv.range.summary";

  private static final int MAX_CHARS = 1024;
  private static final String SOURCES = "so:sources_pool[";
  private static final Pattern SKILL = Pattern.compile("[A-Za-z0-9_./-]+");
  private static final Pattern SHORT_TOOL = Pattern.compile("([^.]+)\\.(call|result|notice)");
  private static final Pattern LONG_TOOL =
      Pattern.compile("tool_calls\\.([^.]+)\\.(call|result|notice)(\\.json)?");
  private static final String NOTES = "react.notes.";

  private final String text;

  PathParser(String text) {
    boolean refused = hasControl(text); // and not repaired
    this.text = refused ? text : SendableText.of(text);
  }

  BlockPath parse() {
    int chars = text.codePointCount(0, text.length());
    if (chars > MAX_CHARS) {
      throw ContextureException.limit(
          ErrorCode.INVALID_PATH, "path", MAX_CHARS, chars, "characters");
    }
    String scheme = text.length() < 3 ? "" : text.substring(0, 3);
    return switch (scheme) {
      case "ar:" -> artifact();
      case "fi:" -> file();
      case "tc:" -> tool();
      case "so:" -> sources();
      case "su:" -> summary();
      case "sk:" -> skill();
      default -> throw BlockPath.invalid(text, "it starts with none of these");
    };
  }

  private BlockPath artifact() {
    int dot = text.indexOf('.');
    TurnId turn = turn(dot);
    String names = text.substring(dot + 1);
    if (!areNames(names)) {
      throw BlockPath.invalid(text, "names after the turn have A-Z a-z 0-9 _ - only");
    }
    String note = names.startsWith(NOTES) ? names.substring(NOTES.length()) : "";
    CallId call = CallId.isEngineForm(note) ? new CallId(note) : null;
    return new BlockPath(BlockPath.Kind.ARTIFACT, text, turn, call, names);
  }

  /** Whether a text is names with a dot between each two. */
  private static boolean areNames(String text) {
    int from = 0;
    for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
      if (dot == from || !TurnId.isName(text, from, dot)) {
        return false;
      }
      from = dot + 1;
    }
    return from < text.length() && TurnId.isName(text, from, text.length());
  }

  private static boolean hasControl(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private BlockPath file() {
    int dot = text.indexOf('.');
    TurnId turn = turn(dot);
    String after = text.substring(dot);
    if (after.startsWith(ATTACHMENTS)) {
      String name = after.substring(ATTACHMENTS.length());
      checkSafe(name);
      if (name.indexOf('/') >= 0) {
        throw BlockPath.invalid(text, "an attachment has a plain name");
      }
      checkSegments(name);
      return new BlockPath(BlockPath.Kind.ATTACHMENT, text, turn, null, name);
    }
    if (after.startsWith(FILES)) {
      String path = after.substring(FILES.length());
      checkSafe(path);
      checkSegments(path);
      return new BlockPath(BlockPath.Kind.FILE, text, turn, null, path);
    }
    if (after.startsWith(CODE)) {
      CallId call = call(after.substring(CODE.length()));
      return new BlockPath(BlockPath.Kind.CODE, text, turn, call, "");
    }
    throw BlockPath.invalid(text, "unknown kind of file");
  }

  private BlockPath tool() {
    int dot = text.indexOf('.');
    TurnId turn = turn(dot);
    String after = text.substring(dot + 1);
    Matcher longForm = LONG_TOOL.matcher(after);
    if (longForm.matches()) {
      return BlockPath.tool(kind(longForm.group(2)), turn, call(longForm.group(1)));
    }
    Matcher shortForm = SHORT_TOOL.matcher(after);
    if (shortForm.matches()) {
      return BlockPath.tool(kind(shortForm.group(2)), turn, call(shortForm.group(1)));
    }
    throw BlockPath.invalid(text, "a tool path ends in .<call>.call, .result or .notice");
  }

  private static BlockPath.Kind kind(String word) {
    return switch (word) {
      case "call" -> BlockPath.Kind.CALL;
      case "result" -> BlockPath.Kind.RESULT;
      default -> BlockPath.Kind.NOTICE;
    };
  }

  private BlockPath sources() {
    if (!text.startsWith(SOURCES) || text.indexOf(']') != text.length() - 1) {
      throw BlockPath.invalid(text, "the selector stands in one pair of brackets");
    }
    String items = text.substring(SOURCES.length(), text.length() - 1);
    return new BlockPath(BlockPath.Kind.SOURCES, text, null, null, items);
  }

  private BlockPath summary() {
    int dot = text.indexOf('.');
    TurnId turn = turn(dot);
    if (!text.substring(dot).equals(RANGE_SUMMARY)) {
      throw BlockPath.invalid(text, "a summary path ends in " + RANGE_SUMMARY);
    }
    return BlockPath.summary(turn);
  }

  private BlockPath skill() {
    String rest = text.substring(3);
    if (!SKILL.matcher(rest).matches()) {
      throw BlockPath.invalid(text, "a skill path has A-Z a-z 0-9 _ - . / only");
    }
    return new BlockPath(BlockPath.Kind.SKILL, text, null, null, rest);
  }

  private TurnId turn(int end) {
    String turn = end < 0 ? "" : text.substring(3, end);
    if (!TurnId.isValid(turn)) {
      throw BlockPath.invalid(text, "the turn id before the first dot is not valid");
    }
    return new TurnId(turn);
  }

  private CallId call(String id) {
    if (!CallId.isEngineForm(id)) {
      throw BlockPath.invalid(text, "the call id is not tc_ and 1 to 61 of A-Z a-z 0-9 _ -");
    }
    return new CallId(id);
  }

  private void checkSafe(String path) {
    if (path.startsWith("/") || path.indexOf('\\') >= 0 || hasControl(path) || hasDots(path)) {
      throw ContextureException.invalid(
          ErrorCode.UNSAFE_PATH,
          "path",
          text,
          "a relative path without . and .. segments, backslashes and control characters");
    }
  }

  private static boolean hasDots(String path) {
    for (String segment : path.split("/", -1)) {
      if (segment.equals(".") || segment.equals("..")) {
        return true;
      }
    }
    return false;
  }

  private void checkSegments(String path) {
    for (String segment : path.split("/", -1)) {
      if (segment.isEmpty()) {
        throw BlockPath.invalid(text, "a file name is empty");
      }
      int bytes = segment.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > BlockPath.MAX_NAME_BYTES) {
        throw ContextureException.limit(
            ErrorCode.INVALID_PATH,
            "path",
            BlockPath.MAX_NAME_BYTES,
            bytes,
            "bytes in a file name");
      }
    }
  }

  static BlockPath ofPhysical(String physical) {
    new PathParser(physical).checkSafe(physical);
    @Nullable String logical = logical(physical, "/files/", FILES);
    if (logical == null) {
      logical = logical(physical, "/attachments/", ATTACHMENTS);
    }
    if (logical == null) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_PATH,
          "physical_path",
          physical,
          "<turn>/files/<path> or <turn>/attachments/<name>");
    }
    return new PathParser(logical).parse();
  }

  private static @Nullable String logical(String physical, String folder, String marker) {
    int slash = physical.indexOf('/');
    if (slash < 0 || !physical.startsWith(folder, slash)) {
      return null;
    }
    String turn = physical.substring(0, slash);
    if (!TurnId.isValid(turn)) {
      return null;
    }
    return "fi:" + turn + marker + physical.substring(slash + folder.length());
  }
}
