package dev.contexture.turn;

import dev.contexture.block.Block;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The answer of a tool, for {@link dev.contexture.Turn#answer(ToolCall, ToolAnswer)}.
 *
 * @param parts notices, the status, what was read; in this order
 * @param error whether it failed
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ToolAnswer(List<ResultPart> parts, boolean error) {
  public ToolAnswer {
    parts = List.copyOf(parts);
  }

  /** An answer that is one text. */
  public static ToolAnswer text(String text) {
    return new ToolAnswer(List.of(new ResultPart.Text(text)), false);
  }

  /** An answer that says why the call failed, in words that are meant for the model. */
  @API(status = API.Status.STABLE, since = "0.3")
  public static ToolAnswer failed(String why) {
    return new ToolAnswer(List.of(new ResultPart.Text(why)), true);
  }

  /** An answer that is one JSON object. */
  public static ToolAnswer of(JsonObject json, boolean error) {
    return new ToolAnswer(List.of(new ResultPart.Json(json)), error);
  }

  /** What the tool says about what it did; empty if that is no JSON object. */
  public JsonObject json() {
    for (ResultPart part : parts) {
      if (part instanceof ResultPart.Json json && json.value() instanceof JsonObject object) {
        return object;
      }
    }
    return JsonObject.EMPTY;
  }

  /** All of it as one text, for frameworks that take no other. */
  public String plainText() {
    return parts.stream().map(ToolAnswer::plain).collect(Collectors.joining("\n"));
  }

  private static String plain(ResultPart part) {
    return switch (part) {
      case ResultPart.Text text -> text.text();
      case ResultPart.Json json -> json.value().toJson();
      case ResultPart.Notice notice -> notice.value().toJson();
      case ResultPart.Data data -> data.toString();
      case ResultPart.Artifact found ->
          found.path() + ":\n" + (found.text() == null ? found.mime() : found.text());
    };
  }

  /** The blocks of the answer. */
  public List<Block.Builder> blocks(TurnId turn, CallId call) {
    List<Block.Builder> blocks = new ArrayList<>();
    parts.forEach(part -> blocks.add(part.block(turn, call, error)));
    return blocks;
  }
}
