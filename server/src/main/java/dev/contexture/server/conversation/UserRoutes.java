package dev.contexture.server.conversation;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.Grant;
import dev.contexture.store.UserEntry;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** Routes for the users of a project, and for the caller itself. */
final class UserRoutes {
  private static final int DEFAULT_PAGE = 50;
  private static final int MAX_PAGE = 200;
  private static final char CURSOR_SEPARATOR = '|';

  private UserRoutes() {}

  static List<Route> routes() {
    return List.of(
        Route.get("/v1/users", UserRoutes::list, "limit", "cursor"),
        Route.get("/v1/caller", UserRoutes::caller));
  }

  private static Response list(Call call) {
    call.caller().mayReachAll();
    int limit = call.limit(DEFAULT_PAGE, MAX_PAGE);
    UserEntry.Cursor after = call.query("cursor").map(UserRoutes::read).orElse(null);
    List<UserEntry> page = call.engine().users(call.scope(), after, limit + 1);
    List<UserEntry> shown = page.subList(0, Math.min(limit, page.size()));
    JsonValue next =
        page.size() > limit ? JsonValue.of(write(shown.getLast().cursor())) : ResponseForms.NULL;
    return Response.ok(
        JsonObject.builder()
            .put("users", ResponseForms.array(shown.stream().map(UserRoutes::row).toList()))
            .put("next_cursor", next)
            .build());
  }

  private static JsonObject row(UserEntry entry) {
    return JsonObject.builder()
        .put("user", entry.user())
        .put("conversations", entry.conversations())
        .put("last_activity_at", entry.activity().toString())
        .build();
  }

  private static String write(UserEntry.Cursor cursor) {
    String text = cursor.activity().toString() + CURSOR_SEPARATOR + cursor.user();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static UserEntry.Cursor read(String cursor) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      int end = text.indexOf(CURSOR_SEPARATOR);
      if (end > 0) {
        return new UserEntry.Cursor(Instant.parse(text.substring(0, end)), text.substring(end + 1));
      }
    } catch (IllegalArgumentException | DateTimeException unreadable) {
      // refused below
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "cursor", cursor, "the next_cursor of the page before");
  }

  /** What the caller may do, so that a page offers nothing that would be refused. */
  private static Response caller(Call call) {
    Grant grant = call.caller().grant();
    String key = call.caller().key();
    return Response.ok(
        JsonObject.builder()
            .put("role", grant.role().wireName())
            .put("tenant", call.scope().tenant())
            .put("project", call.scope().project())
            .put("user", ResponseForms.orNull(grant.user()))
            .put("agent", ResponseForms.orNull(grant.agent()))
            .put("key", ResponseForms.orNull(key))
            .build());
  }
}
