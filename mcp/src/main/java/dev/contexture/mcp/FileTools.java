package dev.contexture.mcp;

import static dev.contexture.mcp.McpTool.Effect.READS;
import static dev.contexture.mcp.McpTool.Effect.REPLACES;

import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.TextSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The verbs of Anthropic's memory tool over text blocks: one tool {@code memory}, with the input of
 * that tool. {@code /memories/a/b.md} is the block {@code a:b.md}; what {@code delete} and {@code
 * create} replace stays in the store, where people can bring it back.
 */
final class FileTools {
  private static final String ROOT = "/memories";
  private static final int FILE_CHARS = 100_000;
  private static final int KIB = 1_024;

  private final AgentMemory memory;
  private final ResultLimit limit;

  FileTools(AgentMemory memory, ResultLimit limit) {
    this.memory = memory;
    this.limit = limit;
  }

  List<McpTool> all() {
    return List.of(
        McpTool.of(
            "memory",
            "Memory files",
            memory.settings().readOnly() ? READS : REPLACES,
            "Keeps text files under /memories. view: a folder, or a file with line numbers"
                + " (view_range: first and last line). create: a new file, or another content of"
                + " one (file_text). str_replace: old_str, which must stand there once, by new_str."
                + " insert: insert_text behind line insert_line, 0 for the beginning. delete: a"
                + " file or folder. rename: old_path to new_path.",
            "{\"command\":{\"type\":\"string\",\"enum\":[\"view\",\"create\",\"str_replace\","
                + "\"insert\",\"delete\",\"rename\"]},"
                + "\"path\":{\"type\":\"string\"},"
                + "\"view_range\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},"
                + "\"file_text\":{\"type\":\"string\"},"
                + "\"old_str\":{\"type\":\"string\"},\"new_str\":{\"type\":\"string\"},"
                + "\"insert_line\":{\"type\":\"integer\",\"minimum\":0},"
                + "\"insert_text\":{\"type\":\"string\"},"
                + "\"old_path\":{\"type\":\"string\"},\"new_path\":{\"type\":\"string\"},"
                + "\"offset\":{\"type\":\"integer\",\"minimum\":0,"
                + "\"description\":\"view: go on at this character, as a cut result says.\"}},"
                + "\"required\":[\"command\"]",
            this::run));
  }

  private ToolReply run(ToolInput input) {
    String command = input.text("command");
    if (memory.settings().readOnly() && !command.equals("view")) {
      throw new ContextureException(ErrorCode.FORBIDDEN, "the key may only read: use view");
    }
    return switch (command) {
      case "view" -> view(input);
      case "create" -> create(label(input.text("path")), input.text("file_text"));
      case "str_replace" ->
          replace(
              label(input.text("path")), input.text("old_str"), input.find("new_str").orElse(""));
      case "insert" ->
          insert(
              label(input.text("path")), input.number("insert_line", 0), input.text("insert_text"));
      case "delete" -> delete(input.text("path"));
      case "rename" -> rename(input.text("old_path"), input.text("new_path"));
      default -> throw new IllegalStateException("no such command: " + command);
    };
  }

  /**
   * The label of the block that is a file.
   *
   * @throws ContextureException {@code invalid_path} for what is not under the root
   */
  static String label(String path) {
    String inner = inner(path);
    if (inner.isEmpty()) {
      throw wrong(path, "a file under " + ROOT + ", for example " + ROOT + "/notes.md");
    }
    return inner.replace('/', ':');
  }

  /** What stands behind the root; empty for the root itself. */
  private static String inner(String path) {
    String plain = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (plain.equals(ROOT)) {
      return "";
    }
    if (!plain.startsWith(ROOT + "/")) {
      throw wrong(path, "a path under " + ROOT);
    }
    String inner = plain.substring(ROOT.length() + 1);
    for (String name : inner.split("/", -1)) {
      if (name.equals(".") || name.equals("..") || !name.matches("[A-Za-z0-9_.-]+")) {
        throw wrong(path, "names of A-Z a-z 0-9 _ . - with / between them, no . or ..");
      }
    }
    if (inner.length() > 64) {
      throw wrong(path, "at most 64 characters behind " + ROOT + "/");
    }
    return inner;
  }

  private static ContextureException wrong(String path, String allowed) {
    return ContextureException.invalid(ErrorCode.INVALID_PATH, "path", path, allowed);
  }

  private static String path(String label) {
    return ROOT + "/" + label.replace(':', '/');
  }

  private List<BlockMetadata> files() {
    return memory.own().stream().filter(block -> block.schema() instanceof TextSchema).toList();
  }

  /** The files that a folder holds, at any depth. */
  private List<BlockMetadata> under(String path) {
    String inner = inner(path);
    String prefix = inner.isEmpty() ? "" : inner.replace('/', ':') + ":";
    return files().stream().filter(file -> file.label().startsWith(prefix)).toList();
  }

  private boolean isFile(String path) {
    String inner = inner(path);
    return !inner.isEmpty()
        && files().stream().anyMatch(file -> file.label().equals(inner.replace('/', ':')));
  }

  private String content(String label) {
    return memory
        .store()
        .getBlock(memory.agent(), label)
        .filter(document -> document.schema() instanceof TextSchema)
        .map(StructuredDocument::text)
        .orElseThrow(() -> none(path(label)));
  }

  private static ContextureException none(String path) {
    return new ContextureException(
        ErrorCode.NOT_FOUND,
        "there is no file or folder " + path + "; view " + ROOT + " shows what there is",
        Map.of("field", "path"),
        null);
  }

  private ToolReply view(ToolInput input) {
    String path = input.text("path");
    long offset = input.number("offset", 0);
    return isFile(path)
        ? limit.text(numbered(content(label(path)), range(input)), offset)
        : limit.text(folder(path), offset);
  }

  private String folder(String path) {
    List<BlockMetadata> files = under(path);
    if (files.isEmpty() && !inner(path).isEmpty()) {
      throw none(path);
    }
    StringBuilder text = new StringBuilder();
    text.append(files.size()).append(" files in ").append(path).append('\n');
    for (BlockMetadata file : files) {
      text.append(size(file.size())).append('\t').append(path(file.label())).append('\n');
    }
    return text.toString();
  }

  private static String size(long chars) {
    return chars < KIB ? chars + "" : String.format(Locale.ROOT, "%.1fK", chars / (double) KIB);
  }

  private record Range(int first, int last) {}

  private static Range range(ToolInput input) {
    JsonArray given = input.all().array("view_range").orElse(null);
    if (given == null) {
      return new Range(1, Integer.MAX_VALUE);
    }
    if (given.size() == 2) {
      int first = number(given.items().get(0));
      int last = number(given.items().get(1));
      if (first >= 1 && (last >= first || last == -1)) {
        return new Range(first, last == -1 ? Integer.MAX_VALUE : last);
      }
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT,
        "view_range",
        given.toJson(),
        "first and last line, from 1; -1 as the last one is the end");
  }

  private static int number(JsonValue value) {
    long number = ((JsonNumber) value).asLong().orElse(0);
    return Math.clamp(number, -1, Integer.MAX_VALUE);
  }

  private static String numbered(String content, Range range) {
    StringBuilder text = new StringBuilder();
    List<String> lines = lines(content);
    int last = Math.min(lines.size(), range.last());
    for (int line = range.first(); line <= last; line++) {
      text.append(String.format(Locale.ROOT, "%6d\t%s\n", line, lines.get(line - 1)));
    }
    return text.toString();
  }

  /** Lines as editors count them: a line feed at the end begins no other line. */
  private static List<String> lines(String content) {
    List<String> lines = new ArrayList<>(List.of(content.split("\n", -1)));
    if (lines.getLast().isEmpty()) {
      lines.removeLast();
    }
    return lines;
  }

  private ToolReply create(String label, String text) {
    if (memory.store().getBlockMetadata(memory.agent(), label).isPresent()) {
      content(label); // a block of another shape is no file
      memory.store().updateBlockText(memory.agent(), label, text);
      return ToolReply.text("replaced the content of " + path(label));
    }
    memory
        .store()
        .createBlock(
            memory.agent(),
            BlockSpec.of(label, MemoryBlockType.WORKING)
                .description("file " + path(label))
                .charLimit(FILE_CHARS)
                .permission(MemoryPermission.ADMIN) // it may delete what it keeps
                .content(text));
    return ToolReply.text("created " + path(label));
  }

  private ToolReply replace(String label, String old, String replacement) {
    String before = content(label);
    int at = before.indexOf(old);
    if (old.isEmpty() || at < 0) {
      throw new ContextureException(
          ErrorCode.NO_MATCH, "old_str does not stand in " + path(label) + "; nothing was changed");
    }
    if (before.indexOf(old, at + 1) >= 0) {
      throw new ContextureException(
          ErrorCode.NO_MATCH,
          "old_str stands in " + path(label) + " more than once; give more of the text around it");
    }
    memory
        .store()
        .edit(
            memory.agent(),
            label,
            "memory str_replace",
            document -> document.replaceText(old, replacement));
    return ToolReply.text("edited " + path(label));
  }

  private ToolReply insert(String label, long line, String text) {
    List<String> lines = lines(content(label));
    if (line > lines.size()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "insert_line", line, "0 to " + lines.size());
    }
    String inserted = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    memory
        .store()
        .edit(memory.agent(), label, "memory insert", document -> insert(document, line, inserted));
    return ToolReply.text("inserted text behind line " + line + " of " + path(label));
  }

  private static boolean insert(StructuredDocument document, long line, String text) {
    List<String> lines = lines(document.text());
    int before = 0; // in code points
    for (String one : lines.subList(0, (int) Math.min(line, lines.size()))) {
      before += one.codePointCount(0, one.length()) + 1;
    }
    int length = document.text().codePointCount(0, document.text().length());
    boolean unended = before > length; // the last line has no line feed
    document.splice(Math.min(before, length), 0, unended ? "\n" + text : text + "\n");
    return true;
  }

  private ToolReply delete(String path) {
    List<BlockMetadata> gone = isFile(path) ? file(path) : under(path);
    if (inner(path).isEmpty()) {
      throw wrong(path, "a file or folder under " + ROOT + "; " + ROOT + " itself stays");
    }
    if (gone.isEmpty()) {
      throw none(path);
    }
    gone.forEach(file -> memory.delete(file.label()));
    return ToolReply.text("deleted " + path + " (" + gone.size() + " files)");
  }

  private List<BlockMetadata> file(String path) {
    String label = label(path);
    return files().stream().filter(file -> file.label().equals(label)).toList();
  }

  private ToolReply rename(String from, String to) {
    String target = label(to);
    List<BlockMetadata> moved = isFile(from) ? file(from) : under(from);
    if (inner(from).isEmpty() || moved.isEmpty()) {
      throw none(from);
    }
    String source = label(from);
    for (BlockMetadata file : moved) {
      String next = target + file.label().substring(source.length());
      label(path(next)); // too long, perhaps
      memory.checkDeletable(file.label());
      if (memory.store().getBlockMetadata(memory.agent(), next).isPresent()) {
        throw new ContextureException(
            ErrorCode.LABEL_TAKEN, path(next) + " is there already; nothing was renamed");
      }
    }
    for (BlockMetadata file : moved) {
      create(target + file.label().substring(source.length()), content(file.label()));
      memory.delete(file.label());
    }
    return ToolReply.text("renamed " + from + " to " + to + " (" + moved.size() + " files)");
  }
}
