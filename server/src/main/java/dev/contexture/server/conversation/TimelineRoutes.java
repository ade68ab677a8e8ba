package dev.contexture.server.conversation;

import dev.contexture.ContextBrowser;
import dev.contexture.block.BlockPath;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderOptions;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.timeline.Artifact;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineCodec;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.Visibility;
import dev.contexture.timeline.VisibilityRecords;
import dev.contexture.timeline.Window;
import dev.contexture.turn.LoadedContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reading what a conversation holds: its blocks with summaries in their places, one artifact. */
final class TimelineRoutes {
  private static final int DEFAULT_PAGE = 200;
  private static final int DEFAULT_DAYS = 365;
  private static final int READ_AT_ONCE = 50;

  private TimelineRoutes() {}

  static List<Route> routes(String base) {
    return List.of(
        Route.get(
            base + "/timeline", TimelineRoutes::timeline, "visible", "from_seq", "limit", "tokens"),
        Route.get(base + "/context", TimelineRoutes::context, "limit", "days"),
        Route.get(base + "/artifact", TimelineRoutes::artifact, "path"));
  }

  private static Response timeline(Call call) {
    ContextBrowser browser = call.shown(call.known());
    long from = call.queryNumber("from_seq", 1).orElse(1);
    int limit = call.limit(DEFAULT_PAGE, Store.MAX_PAGE);
    long version = browser.version();
    List<JsonObject> blocks =
        call.queryFlag("visible")
            ? visible(browser.timeline(), from, limit)
            : stored(call, browser, from, limit);
    if (call.queryFlag("tokens")) {
      blocks = blocks.stream().map(TimelineRoutes::counted).toList();
    }
    return Response.ok(
        JsonObject.builder()
            .put("version", version)
            .put("blocks", ResponseForms.array(blocks))
            .build());
  }

  /** With the tokens of its text alone: what stands around it in a request is not counted. */
  private static JsonObject counted(JsonObject block) {
    String text = block.string("text").orElse("");
    return block.with(
        "tokens", JsonValue.of(RenderOptions.defaults().meter().texts(List.of(text))));
  }

  /** What a turn may work with: the turns before it and its own blocks, apart. */
  private static Response context(Call call) {
    OptionalLong turns = call.queryNumber("limit", 0);
    int days = (int) Math.min(Integer.MAX_VALUE, call.queryNumber("days", 1).orElse(DEFAULT_DAYS));
    TurnLimit limit =
        new TurnLimit(
            turns.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of((int) Math.min(Integer.MAX_VALUE, turns.getAsLong())),
            OptionalInt.of(days));
    ContextBrowser browser = call.shown(call.known());
    LoadedContext loaded = browser.loadContext(limit);
    Timeline timeline = browser.timeline();
    Summary summary = loaded.summary();
    return Response.ok(
        JsonObject.builder()
            .put("version", loaded.version())
            .put("summary", summary == null ? ResponseForms.NULL : TimelineCodec.write(summary))
            .put("history_blocks", entries(loaded.history(), timeline))
            .put("current_turn_blocks", entries(loaded.current(), timeline))
            .put("omitted_turns", loaded.omittedTurns())
            .build());
  }

  private static JsonArray entries(List<TimelineEntry> entries, Timeline timeline) {
    return ResponseForms.array(
        entries.stream().map(entry -> TimelineCodec.write(entry, timeline)).toList());
  }

  /** What a render would show: behind the newest summary, without excluded turns. */
  private static List<JsonObject> visible(Timeline timeline, long from, int limit) {
    Window window = timeline.window();
    List<JsonObject> blocks = new ArrayList<>();
    if (from == 1) {
      window.summary().ifPresent(summary -> blocks.add(TimelineCodec.write(summary)));
    }
    List<TimelineEntry> entries = new ArrayList<>(window.carried());
    entries.addAll(window.entries());
    boolean reached = from == 1;
    for (TimelineEntry entry : entries) {
      reached = reached || entry.seq().orElse(0) >= from;
      if (reached && blocks.size() < limit) {
        blocks.add(TimelineCodec.write(entry, timeline));
      }
    }
    return blocks;
  }

  /** Everything that is stored, with summaries before the blocks that they end at. */
  private static List<JsonObject> stored(Call call, ContextBrowser browser, long from, int limit) {
    VisibilityRecords records = browser.timeline().visibilityRecords();
    List<Summary> summaries = summariesFrom(browser, from);
    List<JsonObject> blocks = new ArrayList<>();
    int placed = 0;
    for (StoredBlock block : range(call, browser, from, limit)) {
      while (placed < summaries.size() && summaries.get(placed).cutSeq() <= block.seq()) {
        blocks.add(TimelineCodec.write(summaries.get(placed++)));
      }
      blocks.add(shown(block, records.of(block.seq())));
    }
    return blocks;
  }

  /** Blocks in parts, so that those that there is no memory for are not read. */
  private static List<StoredBlock> range(Call call, ContextBrowser browser, long from, int limit) {
    List<StoredBlock> blocks = new ArrayList<>();
    List<StoredBlock> part;
    long next = from;
    do {
      int most = Math.min(READ_AT_ONCE, limit - blocks.size());
      part = browser.readRange(next, Long.MAX_VALUE, most);
      call.read(part.stream().mapToLong(ResponseForms::bytes).sum());
      blocks.addAll(part);
      next = part.isEmpty() ? next : part.getLast().seq() + 1;
    } while (part.size() == READ_AT_ONCE && blocks.size() < limit);
    return blocks;
  }

  private static List<Summary> summariesFrom(ContextBrowser browser, long from) {
    List<Summary> found = new ArrayList<>();
    List<Summary> page = browser.summaries(null, Store.MAX_PAGE);
    while (!page.isEmpty()) { // the highest cut first
      page.stream()
          .filter(summary -> !summary.withdrawn() && summary.cutSeq() >= from)
          .forEach(found::add);
      Summary last = page.getLast();
      page =
          page.size() < Store.MAX_PAGE || last.cutSeq() < from
              ? List.of()
              : browser.summaries(last.id(), Store.MAX_PAGE);
    }
    found.sort(Comparator.comparingLong(Summary::cutSeq));
    return found;
  }

  /** A block as all views show it, and what views of some budgets show in its place. */
  private static JsonObject shown(StoredBlock block, List<Visibility> records) {
    JsonObject json = ResponseForms.block(block).without("hidden").without("replacement_text");
    if (records.isEmpty()) {
      return json;
    }
    if (records.getFirst().isForAllViews()) {
      return json.with("hidden", JsonValue.of(true))
          .with("replacement_text", JsonValue.of(records.getFirst().replacement()));
    }
    List<JsonValue> views = new ArrayList<>();
    for (Visibility record : records) {
      views.add(
          JsonObject.builder()
              .put("max_tokens", record.maxTokens())
              .put("reason", record.reason().wireName())
              .put("replacement_text", record.replacement())
              .build());
    }
    return json.with("views", new JsonArray(views));
  }

  private static Response artifact(Call call) {
    ContextBrowser browser = call.known();
    String path = call.query("path").orElseThrow(() -> RequestFields.required("path", "a path"));
    Artifact found =
        browser
            .resolve(BlockPath.parse(path), false)
            .orElseThrow(
                () ->
                    ContextureException.invalid(
                        ErrorCode.NOT_FOUND, "path", path, "a path of the conversation"));
    JsonObject.Builder json =
        JsonObject.builder()
            .put("path", found.path().text())
            .put("mime", found.mime())
            .put("kind", found.kind());
    found.text().ifPresent(text -> json.put("text", text));
    found.data().ifPresent(data -> json.put("data", data.base64()));
    return Response.ok(
        json.put("ts", ResponseForms.orNull(found.ts().map(Instant::toString).orElse(null)))
            .put("meta", found.meta())
            .put("versions", found.versions())
            .build());
  }
}
