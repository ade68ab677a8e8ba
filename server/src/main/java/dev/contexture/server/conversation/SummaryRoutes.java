package dev.contexture.server.conversation;

import dev.contexture.ContextBrowser;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderOptions;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.timeline.Summary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The summaries of a conversation: in pages, one with its receipt, and the newest taken back. */
final class SummaryRoutes {
  private static final int DEFAULT_PAGE = 50;
  private static final int MAX_PAGE = 200;

  private SummaryRoutes() {}

  static List<Route> routes(String base) {
    return List.of(
        Route.get(base + "/summaries", SummaryRoutes::list, "limit", "cursor"),
        Route.get(base + "/summaries/{summary}", SummaryRoutes::one),
        Route.post(base + "/summaries/{summary}/withdraw", SummaryRoutes::withdraw));
  }

  /** Without what they say: that is asked for one by one. */
  private static Response list(Call call) {
    int limit = call.limit(DEFAULT_PAGE, MAX_PAGE);
    @Nullable String cursor = call.query("cursor").orElse(null);
    List<Summary> page = call.known().summaries(cursor, limit + 1);
    List<Summary> shown = page.subList(0, Math.min(limit, page.size()));
    JsonValue next = page.size() > limit ? JsonValue.of(shown.getLast().id()) : ResponseForms.NULL;
    List<JsonObject> rows = shown.stream().map(summary -> row(summary).build()).toList();
    return Response.ok(
        JsonObject.builder()
            .put("summaries", ResponseForms.array(rows))
            .put("next_cursor", next)
            .build());
  }

  private static JsonObject.Builder row(Summary summary) {
    return JsonObject.builder()
        .put("summary_id", summary.id())
        .put("cut_seq", summary.cutSeq())
        .put("from_seq", summary.fromSeq())
        .put("turn_id", summary.turn().value())
        .put("path", summary.path().text())
        .put(
            "covered_turn_ids",
            JsonArray.ofStrings(summary.coveredTurns().stream().map(t -> t.value()).toList()))
        .put("digest", summary.meta().find("compaction_digest").orElse(ResponseForms.NULL))
        .put("created_at", summary.createdAt().toString())
        .put("withdrawn", summary.withdrawn());
  }

  private static Response one(Call call) {
    ContextBrowser browser = call.shown(call.known());
    String id = call.path("summary");
    Summary summary =
        browser
            .summary(id)
            .orElseThrow(
                () ->
                    ContextureException.invalid(
                        ErrorCode.NOT_FOUND,
                        "summary_id",
                        id,
                        "the id of a summary of the conversation"));
    return Response.ok(
        row(summary)
            .put("text", summary.text())
            .put("entries", entries(summary))
            .put("receipt", receipt(browser, summary))
            .build());
  }

  /** What it says, in parts; one that was made before there were parts is one of its own. */
  private static JsonArray entries(Summary summary) {
    return summary.meta().array("entries").orElseGet(() -> new JsonArray(List.of(whole(summary))));
  }

  private static JsonObject whole(Summary summary) {
    return JsonObject.builder()
        .put("kind", "earlier")
        .put("turn", summary.turn().value())
        .put("text", summary.text())
        .put("tokens", RenderOptions.defaults().meter().texts(List.of(summary.text())))
        .build();
  }

  /** With what is pinned now: it stands behind the summary. */
  private static JsonValue receipt(ContextBrowser browser, Summary summary) {
    return summary
        .meta()
        .object("receipt")
        .<JsonValue>map(receipt -> receipt.with("pins", PinRoutes.write(browser.pins())))
        .orElse(ResponseForms.NULL);
  }

  private static Response withdraw(Call call) {
    call.body();
    ContextBrowser browser = call.loaded(call.known());
    return Response.ok(ResponseForms.version(browser.withdrawSummary(call.path("summary"))));
  }
}
