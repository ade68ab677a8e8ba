package dev.contexture.turn;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A piece of a tool's result; each becomes one block. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface ResultPart {
  /** Plain text. */
  record Text(String text) implements ResultPart {
    public Text {
      text = SendableText.of(text);
    }
  }

  /** JSON, kept as text. */
  record Json(JsonValue value) implements ResultPart {
    public Json {
      value = SendableText.of(value);
    }
  }

  /** A picture, document or other binary. */
  record Data(String mime, Binary data) implements ResultPart {
    @Override
    public String toString() {
      return mime + " " + data.sha256();
    }
  }

  /** A notice for the agent beside the result: {@code {"code", "message", …}}. */
  record Notice(JsonObject value) implements ResultPart {
    public Notice {
      value = SendableText.of(value);
    }
  }

  /** Something that has a path of its own, with what is there: text, a binary, or both. */
  record Artifact(
      BlockPath path, String mime, @Nullable String text, @Nullable Binary data, JsonObject meta)
      implements ResultPart {
    @Override
    public String toString() {
      return path + " " + mime + " " + text + " " + (data == null ? "" : data.sha256()) + meta;
    }
  }

  /** The block of this part, as part of a call's round. */
  default Block.Builder block(TurnId turn, CallId call, boolean error) {
    boolean notice = this instanceof Notice;
    Block.Builder block =
        Block.builder(notice ? BlockType.REACT_NOTICE : BlockType.REACT_TOOL_RESULT)
            .author(notice ? Author.REACT : Author.TOOL)
            .path(notice ? BlockPath.notice(turn, call) : BlockPath.result(turn, call))
            .toolCallId(call.value())
            .error(error && !notice);
    return switch (this) {
      case Text part -> block.text(part.text());
      case Json part -> json(block, part.value());
      case Notice part -> json(block, part.value());
      case Data part -> block.mime(part.mime()).data(part.data());
      case Artifact part -> artifact(block, part);
    };
  }

  private static Block.Builder json(Block.Builder block, JsonValue value) {
    return block.mime("application/json").text(value.toJson());
  }

  private static Block.Builder artifact(Block.Builder block, Artifact part) {
    block.path(part.path()).mime(part.mime());
    part.meta().members().forEach(block::meta);
    if (part.text() != null) {
      block.text(part.text());
    }
    if (part.data() != null) {
      block.data(part.data());
    }
    return block;
  }
}
