package dev.contexture.server.http;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockCodec;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.StoredBlock;
import dev.contexture.turn.AppendResult;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Forms that several routes answer with. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ResponseForms {
  public static final JsonValue NULL = JsonNull.NULL;

  private static final long BLOCK_BYTES = 100; // beside its content

  private ResponseForms() {}

  public static JsonValue orNull(@Nullable String text) {
    return text == null ? NULL : JsonValue.of(text);
  }

  public static JsonObject version(long version) {
    return JsonObject.builder().put("version", version).build();
  }

  public static JsonObject contributed(AppendResult done) {
    List<JsonValue> seqs = new ArrayList<>();
    done.seqs().forEach(seq -> seqs.add(seq.isPresent() ? JsonValue.of(seq.getAsLong()) : NULL));
    JsonObject answer =
        JsonObject.builder()
            .put("version", done.version())
            .put("seqs", new JsonArray(seqs))
            .build();
    return done.late() ? answer.with("late", JsonValue.of(true)) : answer;
  }

  /** A stored block with its number. */
  public static JsonObject block(StoredBlock stored) {
    return BlockCodec.write(stored.block()).with("seq", JsonValue.of(stored.seq()));
  }

  /** About how many bytes a block has. */
  public static long bytes(StoredBlock stored) {
    Block block = stored.block();
    return BLOCK_BYTES
        + block.text().map(String::length).orElse(0)
        + block.data().map(Binary::sizeBytes).orElse(0);
  }

  public static JsonArray array(List<JsonObject> items) {
    return new JsonArray(List.copyOf(items));
  }
}
