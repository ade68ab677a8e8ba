package dev.contexture.engine.agent;

import dev.contexture.block.CallId;
import dev.contexture.engine.search.Search;
import dev.contexture.engine.session.Session;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.tool.ToolSpec;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolAnswer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tools with which an agent works on its own conversation. Thread-safe. */
final class ReactTools {
  private static final System.Logger LOG = System.getLogger(ReactTools.class.getName());
  private static final Set<ErrorCode> WRONG_PARAMS =
      Set.of(
          ErrorCode.INVALID_ARGUMENT,
          ErrorCode.FIELD_TYPE,
          ErrorCode.FIELD_REQUIRED,
          ErrorCode.UNKNOWN_FIELD);

  private final ReadTool read;
  private final HideTool hide;
  private final MemsearchTool memsearch;

  ReactTools(Session chat, Search search, InstantSource clock, long maxTokens) {
    this.read = new ReadTool(chat, maxTokens);
    this.hide = new HideTool(chat);
    this.memsearch = new MemsearchTool(chat, search, clock, maxTokens);
  }

  ToolAnswer run(ToolSpec tool, JsonObject params, CallId call) {
    try {
      return run(tool, ToolParams.of(tool, params), status(tool, call));
    } catch (ContextureException refused) {
      boolean wrong = WRONG_PARAMS.contains(refused.code());
      ErrorCode code = wrong ? ErrorCode.INVALID_ARGUMENT : refused.code();
      boolean asked = wrong || code == ErrorCode.INVALID_ARGUMENT;
      return failed(tool, call, code.wireName(), ToolResults.message(refused), asked);
    } catch (RuntimeException defect) {
      LOG.log(System.Logger.Level.ERROR, tool.name() + " failed", defect);
      return failed(
          tool, call, ErrorCode.INTERNAL.wireName(), tool.name() + ToolResults.UNFORESEEN, false);
    }
  }

  private ToolAnswer run(ToolSpec tool, ToolParams params, JsonObject.Builder status) {
    return switch (tool.name()) {
      case "react.read" -> read.run(params, status);
      case "react.hide" -> hide.run(params, status);
      case "react.memsearch" -> memsearch.run(params, status);
      default -> throw new IllegalStateException("no such tool: " + tool.name());
    };
  }

  private static JsonObject.Builder status(ToolSpec tool, CallId call) {
    return JsonObject.builder().put("tool_id", tool.name()).put("tool_call_id", call.value());
  }

  private static ToolAnswer failed(
      ToolSpec tool, CallId call, String code, String message, boolean wrongParams) {
    List<ResultPart> notices = new ArrayList<>();
    String notice =
        switch (tool.name()) {
          case "react.hide" -> "hide_failed";
          case "react.memsearch" -> wrongParams ? null : "memsearch_failed";
          default -> null;
        };
    if (notice != null) {
      notices.add(
          new ResultPart.Notice(
              JsonObject.builder().put("code", notice).put("message", message).build()));
    }
    return failed(status(tool, call), code, message, notices);
  }

  /** A status that says what failed. */
  static ToolAnswer failed(
      JsonObject.Builder status, String code, String message, List<ResultPart> notices) {
    List<ResultPart> parts = new ArrayList<>(notices);
    parts.add(
        new ResultPart.Json(
            status
                .put(
                    "error", JsonObject.builder().put("code", code).put("message", message).build())
                .build()));
    return new ToolAnswer(parts, true);
  }

  static ContextureException invalid(String field, @Nullable Object actual, String allowed) {
    return ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, field, actual, allowed);
  }
}
