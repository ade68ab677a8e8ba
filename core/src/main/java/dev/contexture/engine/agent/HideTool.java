package dev.contexture.engine.agent;

import dev.contexture.block.BlockPath;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.VisibilityEditor;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.view.HidePlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tool {@code react.hide}: shows a note in the place of a path. */
final class HideTool {
  private static final String DEFAULT = "Hidden.";
  private static final String READ = "react.read";
  private static final Map<String, String> MESSAGES =
      Map.of(
          "hide_before_cache",
          "it lies before the cached part; hide what was added last",
          "hide_too_old",
          "too much stands behind it; hide what was added last");

  private final Session chat;

  HideTool(Session chat) {
    this.chat = chat;
  }

  ToolAnswer run(ToolParams params, JsonObject.Builder status) {
    chat.openTurn(); // an agent hides in its turn only
    BlockPath path = BlockPath.parse(params.requiredText("path"));
    String given = params.choice("replacement").orElse(DEFAULT);
    String replacement =
        given.contains(READ) ? given : given + " Re-read: " + READ + " " + path.text();
    HidePlanner.Outcome outcome =
        chat.locked(
            () -> new VisibilityEditor(chat).hide(path, replacement, Visibility.Reason.AGENT));
    status
        .put("path", path.text())
        .put("status", outcome.status().wireName())
        .put("blocks_hidden", outcome.blocksHidden())
        .put("tokens_hidden", outcome.tokensHidden())
        .put("tail_tokens", outcome.tailTokens())
        .put("tail_limit", outcome.tailLimit());
    List<ResultPart> parts = new ArrayList<>();
    outcome.noticeCode().ifPresent(code -> parts.add(notice(code, path)));
    parts.add(new ResultPart.Json(status.build()));
    return new ToolAnswer(parts, false);
  }

  private static ResultPart notice(String code, BlockPath path) {
    String why = MESSAGES.getOrDefault(code, "it cannot be hidden");
    return new ResultPart.Notice(
        JsonObject.builder()
            .put("code", code)
            .put("message", path.text() + " stays: " + why)
            .put("path", path.text())
            .build());
  }
}
