package dev.contexture.engine.conversation;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderCodec;
import dev.contexture.render.RenderedContext;
import dev.contexture.view.TtlPruning;
import org.apiguardian.api.API;

/**
 * What a render call of a stored conversation led to.
 *
 * @param context what a model would get
 * @param pruned what an expired cache let go
 * @param version of the conversation that is shown
 */
@API(status = API.Status.STABLE, since = "0.1")
public record Rendered(RenderedContext context, TtlPruning.Outcome pruned, long version) {
  /** The wire form (H-5). */
  public JsonObject write() {
    JsonObject pruning =
        JsonObject.builder()
            .put("status", pruned.status().wireName())
            .put("replaced", pruned.records().size())
            .build();
    JsonObject extra =
        JsonObject.builder()
            .put("compaction", JsonNull.NULL)
            .put("previews", JsonArray.of())
            .put("pruning", pruning)
            .put("version", version)
            .build();
    return RenderCodec.write(context, extra);
  }
}
