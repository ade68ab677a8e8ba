package dev.contexture.server.conversation;

import dev.contexture.ContextBrowser;
import dev.contexture.block.BlockPath;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.turn.PinnedPath;
import java.util.List;
import java.util.OptionalLong;

/** Paths that stay in context, whatever is compacted. */
final class PinRoutes {
  private PinRoutes() {}

  static List<Route> routes(String base) {
    return List.of(
        Route.get(base + "/pins", PinRoutes::list),
        Route.post(base + "/pins", PinRoutes::pin),
        Route.delete(base + "/pins", PinRoutes::unpin, "path"));
  }

  private static Response list(Call call) {
    List<PinnedPath> pins = call.shown(call.known()).pins();
    return Response.ok(
        JsonObject.builder()
            .put("pins", write(pins))
            .put("tokens", pins.stream().mapToLong(PinnedPath::tokens).sum())
            .build());
  }

  static JsonArray write(List<PinnedPath> pins) {
    return ResponseForms.array(pins.stream().map(PinRoutes::write).toList());
  }

  private static JsonObject write(PinnedPath pin) {
    return JsonObject.builder()
        .put("path", pin.path().text())
        .put("tokens", pin.tokens())
        .put("pinned_at", pin.at().toString())
        .build();
  }

  private static Response pin(Call call) {
    RequestFields body = call.body("path", "max_tokens");
    BlockPath path = BlockPath.parse(body.requiredString("path"));
    OptionalLong most = body.fields().number("max_tokens");
    if (most.isPresent() && most.getAsLong() < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "max_tokens", most.getAsLong(), "a number from 1");
    }
    ContextBrowser chat = call.shown(call.known());
    return Response.ok(write(most.isPresent() ? chat.pin(path, most.getAsLong()) : chat.pin(path)));
  }

  /** Doing it again is no error: the path is not pinned, which is what was wanted. */
  private static Response unpin(Call call) {
    ContextBrowser chat = call.known();
    String path = call.query("path").orElseThrow(() -> RequestFields.required("path", "a path"));
    boolean removed = call.shown(chat).unpin(BlockPath.parse(path));
    return Response.ok(JsonObject.builder().put("removed", removed).build());
  }
}
