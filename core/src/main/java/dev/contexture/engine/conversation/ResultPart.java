package dev.contexture.engine.conversation;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.json.JsonValue;
import org.apiguardian.api.API;

/** A piece of a tool's result; each becomes one block. */
@API(status = API.Status.STABLE, since = "0.1")
public sealed interface ResultPart {
  /** Plain text. */
  record Text(String text) implements ResultPart {}

  /** JSON, kept as text. */
  record Json(JsonValue value) implements ResultPart {}

  /** A picture, document or other binary. */
  record Data(String mime, Binary data) implements ResultPart {
    @Override
    public String toString() {
      return mime + " " + data.sha256();
    }
  }

  default Block.Builder into(Block.Builder block) {
    return switch (this) {
      case Text part -> block.text(part.text());
      case Json part -> block.mime("application/json").text(part.value().toJson());
      case Data part -> block.mime(part.mime()).data(part.data());
    };
  }
}
