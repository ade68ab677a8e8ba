package dev.contexture.server.conversation;

import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderCall;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import java.util.List;
import java.util.Set;

/** Compacting without rendering. */
final class CompactionRoutes {
  private static final Set<String> AS_IN_RENDER =
      Set.of("max_tokens", "system_text", "policy", "keep_recent_turns", "tokenizer");

  private CompactionRoutes() {}

  static List<Route> routes(String base) {
    return List.of(Route.post(base + "/compact", CompactionRoutes::compact));
  }

  /** It is forced where no budget says when it is due; a dry run stores nothing. */
  private static Response compact(Call call) {
    JsonFields fields =
        call.body(
                "max_tokens",
                "force",
                "system_text",
                "policy",
                "keep_recent_turns",
                "tokenizer",
                "dry_run")
            .fields();
    boolean force = fields.flag("force", fields.value("max_tokens") == null);
    JsonObject.Builder options =
        JsonObject.builder()
            .put("force_sanitize", force)
            .put("read_only", fields.flag("dry_run", false));
    for (String name : AS_IN_RENDER) {
      JsonValue value = fields.value(name);
      if (value != null) {
        options.put(name, value);
      }
    }
    RenderCall render = RenderCall.read(options.build());
    return Response.ok(call.shown(call.known()).compact(render.options()).toJson());
  }
}
