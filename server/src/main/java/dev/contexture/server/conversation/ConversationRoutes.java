package dev.contexture.server.conversation;

import dev.contexture.ContextBrowser;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderOptions;
import dev.contexture.server.agent.EraseRoutes;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.Head;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Conversations as a whole: the list, one of them, its title, erasing it. */
final class ConversationRoutes {
  private static final int DEFAULT_PAGE = 50;
  private static final int MAX_PAGE = 200;
  private static final char CURSOR_SEPARATOR = '|';

  private ConversationRoutes() {}

  static List<Route> routes(String base) {
    return List.of(
        Route.get("/v1/users/{user}/conversations", ConversationRoutes::list, "limit", "cursor"),
        Route.get(base, call -> Response.ok(one(call.loaded(call.known())))),
        Route.patch(base, ConversationRoutes::rename),
        Route.delete(base, ConversationRoutes::erase));
  }

  private static Response list(Call call) {
    int limit = call.limit(DEFAULT_PAGE, MAX_PAGE);
    ConversationEntry.Cursor after =
        call.query("cursor").map(ConversationRoutes::read).orElse(null);
    List<ConversationEntry> page =
        VisibleRows.read(
            limit + 1,
            (last, size) ->
                call.engine()
                    .conversations(call.user(), last == null ? after : last.cursor(), size),
            entry ->
                call.caller().reachesAgent(entry.head().agent())
                    && call.reaches(entry.conversation()));
    List<JsonValue> rows = new ArrayList<>();
    for (ConversationEntry entry : page.subList(0, Math.min(limit, page.size()))) {
      rows.add(row(entry.conversation().conversation(), entry.head()).build());
    }
    JsonValue next =
        page.size() > limit
            ? JsonValue.of(write(page.get(limit - 1).cursor()))
            : ResponseForms.NULL;
    return Response.ok(
        JsonObject.builder()
            .put("conversations", new JsonArray(rows))
            .put("next_cursor", next)
            .build());
  }

  private static String write(ConversationEntry.Cursor cursor) {
    String text = cursor.activity().toString() + CURSOR_SEPARATOR + cursor.conversation();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ConversationEntry.Cursor read(String cursor) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      int end = text.indexOf(CURSOR_SEPARATOR);
      if (end > 0) {
        return new ConversationEntry.Cursor(
            Instant.parse(text.substring(0, end)), text.substring(end + 1));
      }
    } catch (IllegalArgumentException | DateTimeException unreadable) {
      // refused below
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "cursor", cursor, "the next_cursor of the page before");
  }

  private static JsonObject.Builder row(String conversation, Head head) {
    return JsonObject.builder()
        .put("conversation_id", conversation)
        .put("title", ResponseForms.orNull(head.title()))
        .put("agent", ResponseForms.orNull(head.agent()))
        .put("turns", head.turns())
        .put("blocks", head.blocks())
        .put("last_activity_at", head.lastActivityAt().toString())
        .put("version", head.version());
  }

  /** One conversation with what it costs now. */
  private static JsonObject one(ContextBrowser browser) {
    Head head = browser.head().orElseThrow();
    @Nullable String open = Optional.ofNullable(head.openTurn()).map(TurnId::value).orElse(null);
    return row(browser.scope().conversation(), head)
        .put("open_turn", ResponseForms.orNull(open))
        .put("summaries", browser.summaries().stream().filter(s -> !s.withdrawn()).count())
        .put("tokens", browser.render(RenderOptions.defaults()).report().totalTokens())
        .build();
  }

  private static Response rename(Call call) {
    RequestFields body = call.body("title");
    ContextBrowser browser = call.loaded(call.known());
    browser.setTitle(body.requiredString("title"), true);
    return Response.ok(one(browser));
  }

  private static Response erase(Call call) {
    boolean reached = call.reaches(call.conversation()); // else there is none for this key
    return EraseRoutes.quietly(call, "conversations", reached && call.startable().erase());
  }
}
