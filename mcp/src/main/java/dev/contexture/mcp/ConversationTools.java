package dev.contexture.mcp;

import static dev.contexture.mcp.McpTool.Effect.READS;

import dev.contexture.ContextBrowser;
import dev.contexture.block.Binary;
import dev.contexture.block.BlockPath;
import dev.contexture.block.CodePoints;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.Artifact;
import dev.contexture.turn.TurnLog;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tools that read conversations of the user: a list, turns, and what a path holds. */
final class ConversationTools {
  private static final int CONVERSATIONS = 50;
  private static final int TURNS = 20;
  private static final int MAX_TURNS = 100;
  private static final int MAX_PATHS = 50;
  private static final int TEXT_CHARS = 2_000;

  private final AgentMemory memory;
  private final ResultLimit limit;

  ConversationTools(AgentMemory memory, ResultLimit limit) {
    this.memory = memory;
    this.limit = limit;
  }

  List<McpTool> all() {
    return List.of(
        McpTool.of(
            "conversation_list",
            "List conversations",
            READS,
            "Lists conversations of the user, newest activity first.",
            "{\"cursor\":{\"type\":\"string\",\"description\":\"next_cursor of the page"
                + " before.\"}}",
            this::list),
        McpTool.of(
            "conversation_read",
            "Read a conversation",
            READS,
            "Shows turns of a conversation, oldest first: what the user said, what was answered,"
                + " and the paths of what there is to read with context_read. Long texts are cut.",
            "{\"conversation\":{\"type\":\"string\"},"
                + "\"after\":{\"type\":\"string\",\"description\":\"Only turns behind this one.\"},"
                + "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":"
                + MAX_TURNS
                + "}},\"required\":[\"conversation\"]",
            this::read),
        McpTool.of(
            "context_read",
            "Read a path",
            READS,
            "Shows what a path of a conversation holds: a message, a result of a tool, a file, an"
                + " attachment, a source. Paths are in hits of search and in conversation_read.",
            "{\"conversation\":{\"type\":\"string\"},\"path\":{\"type\":\"string\"},"
                + "\"offset\":{\"type\":\"integer\",\"minimum\":0,"
                + "\"description\":\"Go on at this character, as a cut result says.\"}},"
                + "\"required\":[\"conversation\",\"path\"]",
            this::context));
  }

  private ToolReply list(ToolInput input) {
    ConversationEntry.Cursor after =
        input.find("cursor").map(ConversationTools::cursor).orElse(null);
    List<ConversationEntry> page =
        memory.engine().conversations(memory.user(), after, CONVERSATIONS);
    List<ConversationEntry> visible =
        page.stream().filter(entry -> memory.shows(entry.conversation())).toList();
    boolean more = page.size() == CONVERSATIONS;
    return limit.page(
        visible.stream().map(ConversationTools::json).toList(),
        (shown, left) -> {
          JsonObject.Builder result =
              JsonObject.builder().put("conversations", MemoryTools.array(shown));
          if (left > 0) {
            result.put("next_cursor", text(visible.get(shown.size() - 1).cursor()));
          } else if (more) {
            result.put("next_cursor", text(page.getLast().cursor()));
          }
          return ToolReply.of(result.build());
        });
  }

  private static JsonObject json(ConversationEntry entry) {
    return JsonObject.builder()
        .put("conversation", entry.conversation().conversation())
        .putIfPresent("title", entry.head().title())
        .putIfPresent("agent", entry.head().agent())
        .put("turns", entry.head().turns())
        .put("last_activity_at", entry.head().lastActivityAt().toString())
        .build();
  }

  private static String text(ConversationEntry.Cursor cursor) {
    String plain = cursor.activity() + "|" + cursor.conversation();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(plain.getBytes(StandardCharsets.UTF_8));
  }

  private static ConversationEntry.Cursor cursor(String text) {
    try {
      String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      int bar = plain.indexOf('|');
      if (bar > 0) {
        return new ConversationEntry.Cursor(
            Instant.parse(plain.substring(0, bar)), plain.substring(bar + 1));
      }
    } catch (IllegalArgumentException | DateTimeException foreign) {
      // refused below
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "cursor", text, "next_cursor of the page before");
  }

  /**
   * A conversation of the user.
   *
   * @throws ContextureException {@code not_found} if there is none that may be shown
   */
  ContextBrowser known(String conversation) {
    Scope.OfConversation one = memory.user().conversation(conversation);
    ContextBrowser browser = memory.engine().browser(one);
    if (!memory.shows(one) || browser.head().isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.NOT_FOUND, "conversation", conversation, "a conversation of the user");
    }
    return browser;
  }

  private ToolReply read(ToolInput input) {
    ContextBrowser browser = known(input.text("conversation"));
    int most = (int) input.number("limit", TURNS);
    @Nullable TurnId after = input.find("after").map(TurnId::of).orElse(null);
    List<StoredTurn> page = browser.turns(after, most + 1);
    List<JsonObject> turns =
        page.stream().limit(most).map(turn -> json(browser.turnLog(turn.turn()))).toList();
    boolean more = page.size() > most;
    return limit.page(
        turns,
        (shown, left) -> {
          JsonObject.Builder result = JsonObject.builder().put("turns", MemoryTools.array(shown));
          if ((more || left > 0) && !shown.isEmpty()) {
            result.put("next_after", page.get(shown.size() - 1).turn().value());
          }
          return ToolReply.of(result.build());
        });
  }

  static JsonObject json(TurnLog log) {
    List<String> paths =
        log.blocks().stream()
            .flatMap(block -> block.block().path().stream())
            .map(BlockPath::text)
            .distinct()
            .toList();
    JsonObject.Builder json =
        JsonObject.builder()
            .put("turn_id", log.turn().turn().value())
            .put("status", log.turn().status().wireName())
            .putIfPresent("agent", log.turn().row().agent())
            .put("user", CodePoints.shortened(log.userText(), TEXT_CHARS));
    log.answer().ifPresent(text -> json.put("answer", CodePoints.shortened(text, TEXT_CHARS)));
    json.put("paths", JsonArray.ofStrings(paths.stream().limit(MAX_PATHS).toList()));
    if (paths.size() > MAX_PATHS) {
      json.put("paths_left_out", paths.size() - MAX_PATHS);
    }
    return json.build();
  }

  private ToolReply context(ToolInput input) {
    String path = input.text("path");
    Artifact found = artifact(input.text("conversation"), path);
    Binary data = found.newestData();
    if (data != null && found.mime().startsWith("image/")) {
      ToolReply image = ToolReply.image(data.base64(), found.mime());
      if (limit.fits(image)) {
        return image;
      }
    }
    return limit.text(text(found), input.number("offset", 0));
  }

  /**
   * What a path holds.
   *
   * @throws ContextureException {@code not_found}, {@code invalid_path}
   */
  Artifact artifact(String conversation, String path) {
    return known(conversation)
        .resolve(BlockPath.parse(path), false)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.NOT_FOUND, "path", path, "a path of the conversation"));
  }

  /** Its text; of a binary what is known about it. */
  static String text(Artifact found) {
    return found.text().orElseGet(() -> about(found).toJson());
  }

  private static JsonObject about(Artifact found) {
    JsonObject.Builder about =
        JsonObject.builder().put("path", found.path().text()).put("mime", found.mime());
    found
        .data()
        .ifPresent(data -> about.put("size_bytes", data.sizeBytes()).put("sha256", data.sha256()));
    return about.put("note", "binary content that is too large, or no image").build();
  }
}
