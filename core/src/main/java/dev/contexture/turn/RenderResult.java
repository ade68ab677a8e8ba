package dev.contexture.turn;

import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderCodec;
import dev.contexture.render.RenderedContext;
import dev.contexture.view.TtlPruner;
import org.apiguardian.api.API;

/**
 * A rendered context and what was done before it was rendered.
 *
 * @param context what the model gets
 * @param compaction what was compacted, and why or why not
 * @param pruning what was pruned
 * @param version of the conversation that it shows
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RenderResult(
    RenderedContext context,
    CompactionOutcome compaction,
    TtlPruner.Outcome pruning,
    long version) {
  /** The answer of a render call. */
  public JsonObject write() {
    JsonObject pruned =
        JsonObject.builder()
            .put("status", pruning.status().wireName())
            .put("replaced", pruning.records().size())
            .build();
    JsonObject extra =
        JsonObject.builder()
            .putAll(RenderCodec.compaction(compaction, context.view().timeline()))
            .put("pruning", pruned)
            .put("version", version)
            .build();
    return RenderCodec.write(context, extra);
  }
}
