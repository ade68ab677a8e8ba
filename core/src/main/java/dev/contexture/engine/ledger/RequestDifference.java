package dev.contexture.engine.ledger;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.Prefix;
import dev.contexture.store.RequestRow;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two requests.
 *
 * @param previous the earlier one; null: there is none
 * @param prefix how the later one relates to it, as it was recorded
 * @param shared how many blocks they begin with together
 * @param sharedTokens what those count as
 * @param removed blocks of the earlier one behind them
 * @param added blocks of the later one behind them
 * @param divergence what was recorded about a change of what had been sent; null: there was none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequestDifference(
    @Nullable String previous,
    String prefix,
    int shared,
    long sharedTokens,
    List<LedgerBlock> removed,
    List<LedgerBlock> added,
    @Nullable JsonObject divergence) {
  public RequestDifference {
    removed = List.copyOf(removed);
    added = List.copyOf(added);
  }

  static RequestDifference between(
      @Nullable LedgerRecord before, LedgerRecord now, RequestRow row) {
    List<LedgerBlock> earlier = before == null ? List.of() : before.blocks();
    int shared = 0;
    long tokens = 0;
    while (shared < Math.min(earlier.size(), now.blocks().size())
        && earlier.get(shared).fingerprint().equals(now.blocks().get(shared).fingerprint())) {
      tokens += now.blocks().get(shared).tokens();
      shared++;
    }
    var ledger = LedgerRecord.fields(row);
    return new RequestDifference(
        before == null ? null : before.id(),
        row.record().string("prefix").orElse(new Prefix.Extends().wireName()),
        shared,
        tokens,
        earlier.subList(shared, earlier.size()),
        now.blocks().subList(shared, now.blocks().size()),
        ledger.flatMap(fields -> fields.object("divergence")).orElse(null));
  }

  public JsonObject write() {
    JsonObject.Builder json =
        JsonObject.builder()
            .putIfPresent("previous", previous)
            .put("prefix", prefix)
            .put("shared_blocks", shared)
            .put("shared_tokens", sharedTokens)
            .put("removed", blocks(removed))
            .put("added", blocks(added));
    if (divergence != null) {
      json.put("divergence", divergence);
    }
    return json.build();
  }

  private static JsonArray blocks(List<LedgerBlock> blocks) {
    List<JsonValue> written = new ArrayList<>();
    for (LedgerBlock block : blocks) {
      written.add(
          JsonObject.builder()
              .put("hash", block.fingerprint().hex())
              .put("tier", block.tier().wireName())
              .put("kind", block.kind())
              .put("role", block.role())
              .put("tokens", block.tokens())
              .put("path", block.origin().path())
              .put("seq", block.origin().seq())
              .put("actor", block.origin().actor())
              .build());
    }
    return new JsonArray(written);
  }
}
