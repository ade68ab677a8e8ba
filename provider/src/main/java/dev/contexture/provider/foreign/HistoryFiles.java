package dev.contexture.provider.foreign;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.history.HistoryTurns;
import dev.contexture.request.history.HistoryFormat;
import dev.contexture.request.history.ImportedFile;
import dev.contexture.request.history.ImportedFile.ImportedChat;
import dev.contexture.request.history.ImportedFile.ImportedMemory;
import dev.contexture.request.history.ImportedHistory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reads files and chats of other programs, whichever format they have. Thread-safe. */
@API(status = API.Status.INTERNAL, since = "0.2")
public final class HistoryFiles {
  private static final int ID_DIGITS = 16;

  private final Map<ForeignFormat, ForeignHistoryReader> providers;

  /**
   * @param providers the readers of what is sent to providers
   */
  public HistoryFiles(Map<ForeignFormat, ForeignHistoryReader> providers) {
    this.providers = Map.copyOf(providers);
  }

  /**
   * Reads a file.
   *
   * @throws ContextureException {@code malformed_json} or {@code import_malformed} with the place
   */
  public ImportedFile read(String text, ImportedFile.Options options) {
    FileUnits file = FileUnits.of(SendableText.paired(text));
    return switch (lines(file, wanted(options))) {
      case GRAPH -> graph(file.units(), options);
      case LOG -> {
        Found found = new Found(options);
        for (ForeignChat chat : ClaudeCodeLog.read(file.units(), reader(ForeignFormat.ANTHROPIC))) {
          found.add(ForeignFormat.CLAUDE_CODE, chat, file.units().getFirst());
        }
        yield found.file();
      }
      case CHATS -> chats(file.units(), options);
    };
  }

  private static @Nullable ForeignFormat wanted(ImportedFile.Options options) {
    return options.format() == null ? null : ForeignFormat.of(options.format());
  }

  private static FileUnits.Lines lines(FileUnits file, @Nullable ForeignFormat wanted) {
    ForeignFormat is =
        switch (file.lines()) {
          case GRAPH -> ForeignFormat.MCP_MEMORY;
          case LOG -> ForeignFormat.CLAUDE_CODE;
          case CHATS -> null;
        };
    if (wanted != null && (is == null ? isOfLines(wanted) : wanted != is)) {
      throw ChatUnit.malformed(
          "",
          is == null ? "of another format" : "of format " + is.wireName(),
          wanted.wireName() + " (" + wanted.shape() + ")");
    }
    return file.lines();
  }

  private static boolean isOfLines(ForeignFormat format) {
    return format == ForeignFormat.MCP_MEMORY || format == ForeignFormat.CLAUDE_CODE;
  }

  private static ImportedFile graph(List<ChatUnit> lines, ImportedFile.Options options) {
    List<ImportedMemory> blocks = McpMemoryFile.of(lines).blocks();
    return new ImportedFile(
        List.of(), blocks.stream().map(block -> owned(block, options.agent())).toList());
  }

  private static ImportedMemory owned(ImportedMemory block, @Nullable String agent) {
    return new ImportedMemory(
        block.format(),
        agent == null ? block.agent() : agent,
        block.label(),
        block.description(),
        block.permission(),
        block.charLimit(),
        block.schema(),
        block.content());
  }

  private ImportedFile chats(List<ChatUnit> units, ImportedFile.Options options) {
    Found found = new Found(options);
    ForeignFormat wanted = wanted(options);
    for (ChatUnit unit : units) {
      ForeignFormat format = wanted == null ? FormatSigns.of(unit) : wanted;
      List<ForeignChat> chats = chats(format, unit);
      if (format == ForeignFormat.LETTA) {
        LettaFile.memory(unit).forEach(block -> found.memory.add(owned(block, options.agent())));
        chats = chats.stream().filter(chat -> !chat.messages().isEmpty()).toList();
      }
      boolean skips = units.size() > 1; // a service keeps conversations that nobody began
      for (ForeignChat chat : chats) {
        if (!(skips && chat.messages().isEmpty())) {
          found.add(format, chat, unit);
        }
      }
    }
    return found.file();
  }

  /**
   * Reads one chat.
   *
   * @param json as its format has it, or an object with it as {@code messages} and perhaps {@code
   *     system}
   */
  public ImportedHistory read(String format, String json, ImportedHistory.Options options) {
    JsonValue value = JsonValue.parse(SendableText.paired(json));
    ChatUnit unit = new ChatUnit("", null, SendableText.paired(json), value);
    ForeignFormat known =
        format.equals(HistoryFormat.AUTO)
            ? FormatSigns.of(inner(unit))
            : ForeignFormat.named(format);
    if (isOfLines(known)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "format", format, "a format of chats; import it as a file");
    }
    List<ForeignChat> chats = chats(known, providers.containsKey(known) ? unit : inner(unit));
    if (chats.size() != 1) {
      throw ChatUnit.malformed("", chats.size() + " conversations", "one; import it as a file");
    }
    return HistoryTurns.of(known.wireName(), maker(known), chats.getFirst(), options);
  }

  /** What stands in the place of messages may be a whole conversation. */
  private static ChatUnit inner(ChatUnit unit) {
    if (unit.value() instanceof JsonObject body
        && body.find("messages").orElse(null) instanceof JsonObject inner) {
      String raw = JsonText.member(unit.raw(), "messages").orElseThrow();
      return new ChatUnit("/messages", null, raw, inner);
    }
    return unit;
  }

  private List<ForeignChat> chats(ForeignFormat format, ChatUnit unit) {
    return switch (format) {
      case OPENAI, OPENAI_RESPONSES, ANTHROPIC, GEMINI -> List.of(sent(format, unit));
      case LANGCHAIN -> List.of(beside(unit, LangChainChats.read(list(unit), place(unit))));
      case LANGCHAIN4J -> List.of(beside(unit, LangChain4jChats.read(list(unit), place(unit))));
      case VERCEL_AI -> List.of(beside(unit, VercelChats.read(list(unit), place(unit))));
      case CHATGPT -> List.of(ChatGptExport.read(unit));
      case CLAUDE -> List.of(ClaudeExport.read(unit));
      case LETTA -> LettaFile.chats(unit);
      case SHAREGPT -> List.of(ShareGptChats.read(unit));
      case CLAUDE_CODE, MCP_MEMORY -> List.of();
    };
  }

  private ForeignChat sent(ForeignFormat format, ChatUnit unit) {
    ForeignChat chat = reader(format).chat(unit.raw());
    return unit.value() instanceof JsonObject body
        ? chat.id(ChatUnit.text(body, "conversation_id"))
            .title(ChatUnit.text(body, "title"))
            .at(ChatUnit.time(body, "created_at", "created"))
        : chat;
  }

  private ForeignHistoryReader reader(ForeignFormat format) {
    return Objects.requireNonNull(providers.get(format));
  }

  private static JsonValue list(ChatUnit unit) {
    return unit.value() instanceof JsonObject body
        ? body.find("messages").orElseThrow(() -> FormatSigns.unknown(unit.place()))
        : unit.value();
  }

  private static String place(ChatUnit unit) {
    return unit.value() instanceof JsonArray ? unit.place() : unit.place() + "/messages";
  }

  /** What stands beside the messages. */
  private static ForeignChat beside(ChatUnit unit, ForeignChat chat) {
    if (!(unit.value() instanceof JsonObject body)) {
      return chat;
    }
    String system = ChatUnit.text(body, "system");
    String model = ChatUnit.text(body, "model");
    return chat.id(ChatUnit.text(body, "id", "chatId", "thread_id"))
        .title(ChatUnit.text(body, "title"))
        .model(model == null ? chat.model() : model)
        .at(ChatUnit.time(body, "created_at", "createdAt"))
        .told(system == null ? List.of() : List.of(system));
  }

  /** Whose opaque parts a format has: only that one may get them back. */
  private static String maker(ForeignFormat format) {
    return switch (format) {
      case OPENAI_RESPONSES -> ForeignFormat.OPENAI.wireName();
      case CLAUDE_CODE -> ForeignFormat.ANTHROPIC.wireName();
      default -> format.wireName();
    };
  }

  /** The findings in a file while it is read. Confined to one thread. */
  private static final class Found {
    private final ImportedFile.Options options;
    private final List<ImportedChat> chats = new ArrayList<>();
    private final List<ImportedMemory> memory = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    Found(ImportedFile.Options options) {
      this.options = options;
    }

    void add(ForeignFormat format, ForeignChat chat, ChatUnit unit) {
      String own = chat.id() == null ? "" : SafeNames.id(chat.id());
      String suffix = unit.suffix() == null ? "" : "-" + unit.suffix();
      String named = own.isEmpty() ? SafeNames.id(options.name() + suffix) : own;
      String id = SafeNames.free(named.isEmpty() ? "chat" + suffix : named, ids);
      String agent = options.agent() == null ? chat.agent() : options.agent();
      try {
        ImportedHistory history =
            HistoryTurns.of(
                format.wireName(),
                maker(format),
                chat,
                new ImportedHistory.Options(
                    importId(format, chat, unit), options.ts(), options.model(), agent));
        chats.add(new ImportedChat(id, format, chat.title(), agent, history));
      } catch (ContextureException refused) {
        throw unit.place().isEmpty() ? refused : refused.within(unit.place().substring(1));
      }
    }

    /**
     * Names an import after the conversation if that has a name, so that a later export adds what
     * is new; else after the content, as the route for one chat does.
     */
    private static String importId(ForeignFormat format, ForeignChat chat, ChatUnit unit) {
      if (chat.id() != null) {
        return SafeNames.hash(format.wireName() + ":" + chat.id()).substring(0, ID_DIGITS);
      }
      String content = unit.raw().strip();
      if (unit.value() instanceof JsonObject && JsonText.member(content, "messages").isPresent()) {
        String system = JsonText.member(content, "system").orElse(null);
        boolean told = system != null && format == ForeignFormat.ANTHROPIC;
        content =
            "{"
                + (told ? "\"system\":" + system + "," : "")
                + "\"messages\":"
                + JsonText.member(content, "messages").orElseThrow()
                + "}";
      } else if (unit.value() instanceof JsonArray) {
        content = "{\"messages\":" + content + "}";
      }
      return SafeNames.hash(content).substring(0, ID_DIGITS);
    }

    ImportedFile file() {
      if (chats.isEmpty() && memory.isEmpty()) {
        throw ChatUnit.malformed("", "without messages", "a file with at least one message");
      }
      return new ImportedFile(chats, memory);
    }
  }
}
