package dev.contexture.engine.turn;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Feedback on a turn, as it is stored and as an open turn shows it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FeedbackBlocks {
  private FeedbackBlocks() {}

  public static void check(String origin, @Nullable String reaction) {
    if (!Set.of("user", "machine").contains(origin)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "origin", origin, "user or machine");
    }
    if (reaction != null && !Set.of("ok", "not_ok", "neutral").contains(reaction)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "reaction", reaction, "ok, not_ok, neutral or null");
    }
  }

  public static JsonObject value(
      String origin, @Nullable String reaction, String text, double confidence) {
    return JsonObject.builder()
        .put("origin", origin)
        .putIfPresent("reaction", reaction)
        .put("text", text)
        .put("confidence", new JsonNumber(BigDecimal.valueOf(confidence).toPlainString()))
        .build();
  }

  public static Block shown(TurnId open, TurnId target, JsonObject value, Instant now) {
    StringBuilder lines = new StringBuilder("origin: ").append(value.string("origin").orElse(""));
    lines.append("\nreaction: ").append(value.string("reaction").orElse("null"));
    lines.append("\ntext: ").append(value.string("text").orElse(""));
    lines.append("\nconfidence: ").append(value.find("confidence").orElseThrow().toJson());
    lines.append("\nfrom_turn_id: ").append(target);
    return Block.builder(BlockType.STAGE_FEEDBACK)
        .author(Author.USER)
        .path(BlockPath.artifact(open, BlockType.STAGE_FEEDBACK.name()))
        .text(lines.toString())
        .build(open, now);
  }
}
