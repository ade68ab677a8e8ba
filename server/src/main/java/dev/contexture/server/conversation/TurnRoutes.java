package dev.contexture.server.conversation;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.Binary;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.agent.EraseRoutes;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.TurnRow;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.Finish;
import dev.contexture.turn.TurnClosure;
import dev.contexture.turn.TurnLog;
import dev.contexture.turn.TurnSettings;
import dev.contexture.turn.TurnStart;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The life of turns: starting, closing, listing, reading, erasing them. */
final class TurnRoutes {
  private static final int DEFAULT_PAGE = 100;
  private static final int MAX_PAGE = 500;
  private static final Map<String, TurnStart.Supersede> SUPERSEDE =
      Map.of(
          "interrupt", TurnStart.Supersede.INTERRUPT,
          "abort", TurnStart.Supersede.ABORT);

  private TurnRoutes() {}

  static List<Route> routes(String base) {
    String one = base + "/turns/{turn}";
    return List.of(
        Route.post(base + "/turns", TurnRoutes::start),
        Route.get(base + "/turns", TurnRoutes::list, "limit", "cursor"),
        Route.get(one, TurnRoutes::one),
        Route.delete(one, TurnRoutes::erase),
        Route.post(one + "/finish", TurnRoutes::finish),
        Route.post(
            one + "/interrupt",
            call -> {
              String reason = call.body("reason").requiredString("reason");
              return closed(call.loaded(call.known()).turn(call.turn()).interrupt(reason));
            }),
        Route.post(
            one + "/abort",
            call -> {
              String reason = call.body("reason").requiredString("reason");
              return closed(call.loaded(call.known()).turn(call.turn()).abort(reason));
            }));
  }

  private static Response start(Call call) {
    TurnStart start = start(call, call);
    ContextBrowser browser = call.shown(call.startable());
    Turn turn = browser.startTurn(start);
    if (turn.resumed()) {
      return Response.ok(begun(browser, turn.id(), turn.newConversation(), turn.omittedTurns()));
    }
    long version = turn.input().getFirst().version();
    return Response.created(
        begun(turn.id(), version, turn.input(), turn.newConversation(), turn.omittedTurns()));
  }

  /** The start that the body of a call, or a member of it, describes. */
  static TurnStart start(Call call, Call part) {
    return read(
        part.body(
            "prompt", "turn_id", "agent", "parent", "attachments", "ts", "supersede", "settings"),
        call);
  }

  /** What the start of a turn answers. */
  static JsonObject begun(
      ContextBrowser browser, TurnId turn, boolean newConversation, int omittedTurns) {
    TurnLog log = browser.turnLog(turn);
    List<StoredBlock> opening =
        log.blocks().stream()
            .filter(block -> block.version() == log.turn().openedVersion())
            .filter(block -> isInput(block.block().type()))
            .toList();
    return begun(turn, log.turn().openedVersion(), opening, newConversation, omittedTurns);
  }

  private static JsonObject begun(
      TurnId turn,
      long version,
      List<StoredBlock> opening,
      boolean newConversation,
      int omittedTurns) {
    return JsonObject.builder()
        .put("turn_id", turn.value())
        .put("version", version)
        .put("blocks", ResponseForms.array(opening.stream().map(TurnRoutes::withoutData).toList()))
        .put("new_conversation", newConversation)
        .put("omitted_turns", omittedTurns)
        .build();
  }

  /** Whether a block is what a turn is opened with; a step stores more in the same commit. */
  private static boolean isInput(BlockType type) {
    return type.equals(BlockType.TURN_HEADER) || type.name().startsWith("user.");
  }

  /** What the caller just sent is not sent back to it in base64. */
  private static JsonObject withoutData(StoredBlock block) {
    return ResponseForms.block(block).without("data");
  }

  private static TurnStart read(RequestFields body, Call call) {
    List<Attachment> attachments = body.list("attachments", TurnRoutes::attachment);
    Optional<TurnId> id = body.fields().string("turn_id").map(TurnId::of);
    String prompt = body.string("prompt");
    if (prompt == null && attachments.isEmpty() && id.isEmpty()) {
      throw RequestFields.required(
          "prompt", "a string; it may be left out to go on with an open turn_id");
    }
    boolean resume = prompt == null && attachments.isEmpty();
    TurnStart start =
        resume
            ? TurnStart.resume(id.orElseThrow())
            : TurnStart.prompt(prompt == null ? "" : prompt);
    id.ifPresent(start::id);
    attachments.forEach(start::attach);
    body.fields()
        .string("agent")
        .map(call::agent)
        .or(() -> Optional.ofNullable(call.caller().grant().agent()))
        .ifPresent(start::agent);
    body.fields().object("parent").ifPresent(parent -> parent(parent, start, call));
    Instant ts = body.ts("ts");
    if (ts != null) {
      start.ts(ts);
    }
    body.fields().string("supersede").map(TurnRoutes::supersede).ifPresent(start::supersede);
    body.fields().object("settings").map(TurnRoutes::settings).ifPresent(start::settings);
    return start;
  }

  private static Attachment attachment(JsonObject json) {
    JsonFields fields = JsonFields.of(json, Set.of("name", "mime", "text", "data", "summary"));
    return new Attachment(
        fields.requiredString("name"),
        fields.requiredString("mime"),
        fields.string("text").orElse(null),
        fields.string("data").map(Binary::ofBase64).orElse(null),
        fields.string("summary").orElse(null));
  }

  private static void parent(JsonObject json, TurnStart start, Call call) {
    JsonFields fields = JsonFields.of(json, Set.of("conversation", "turn", "tool_call_id"));
    start.parent(
        call.user().conversation(fields.requiredString("conversation")).conversation(),
        TurnId.of(fields.requiredString("turn")),
        fields.string("tool_call_id").map(CallId::of).orElse(null));
  }

  private static TurnSettings settings(JsonObject json) {
    try {
      return TurnSettings.read(json);
    } catch (ContextureException refused) {
      throw refused.within("settings");
    }
  }

  private static TurnStart.Supersede supersede(String name) {
    TurnStart.Supersede known = SUPERSEDE.get(name);
    if (known == null) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "supersede", name, "interrupt or abort");
    }
    return known;
  }

  private static Response finish(Call call) {
    Finish finish = finishOf(call);
    return closed(call.loaded(call.known()).turn(call.turn()).finish(finish));
  }

  /** The end that the body of a call, or a member of it, describes. */
  static Finish finishOf(Call call) {
    RequestFields body =
        call.body(
            "completion", "sources_used", "suggested_followups", "state", "exit_reason", "ts");
    return new Finish(
        body.string("completion"),
        body.numbers("sources_used"),
        body.fields().strings("suggested_followups"),
        body.fields().value("state"),
        body.string("exit_reason"),
        body.ts("ts"));
  }

  private static Response closed(TurnClosure closed) {
    JsonObject answer =
        JsonObject.builder()
            .put("turn_id", closed.turn().value())
            .put("status", closed.status().wireName())
            .put("version", closed.version())
            .build();
    List<String> cancelled = closed.cancelled().stream().map(CallId::value).toList();
    return Response.ok(
        cancelled.isEmpty() ? answer : answer.with("cancelled", JsonArray.ofStrings(cancelled)));
  }

  private static Response list(Call call) {
    ContextBrowser browser = call.known();
    int limit = call.limit(DEFAULT_PAGE, MAX_PAGE);
    @Nullable TurnId after = call.query("cursor").map(TurnId::of).orElse(null);
    List<StoredTurn> page = browser.turns(after, limit + 1);
    List<StoredTurn> shown = page.subList(0, Math.min(limit, page.size()));
    JsonValue next =
        page.size() > limit ? JsonValue.of(shown.getLast().turn().value()) : ResponseForms.NULL;
    return Response.ok(
        JsonObject.builder()
            .put("turns", ResponseForms.array(shown.stream().map(TurnRoutes::row).toList()))
            .put("next_cursor", next)
            .build());
  }

  private static Response one(Call call) {
    TurnLog log = call.known().turnLog(call.turn());
    call.read(log.blocks().stream().mapToLong(ResponseForms::bytes).sum());
    return Response.ok(log(log));
  }

  private static JsonObject row(StoredTurn turn) {
    return head(turn).put("blocks", turn.blocks()).build();
  }

  private static JsonObject log(TurnLog log) {
    JsonObject.Builder head = head(log.turn());
    log.turn().row().meta().object("settings").ifPresent(set -> head.put("settings", set));
    return head.put(
            "feedback",
            ResponseForms.array(log.turn().feedback().stream().map(f -> f.value()).toList()))
        .put(
            "blocks", ResponseForms.array(log.blocks().stream().map(ResponseForms::block).toList()))
        .build();
  }

  private static JsonObject.Builder head(StoredTurn stored) {
    TurnRow turn = stored.row();
    JsonObject.Builder json =
        JsonObject.builder()
            .put("turn_id", turn.turn().value())
            .put("status", turn.status().wireName())
            .put("agent", ResponseForms.orNull(turn.agent()))
            .put("started_at", turn.startedAt().toString())
            .put(
                "ended_at",
                ResponseForms.orNull(
                    Optional.ofNullable(turn.endedAt()).map(Instant::toString).orElse(null)));
    TurnRow.Parent parent = turn.parent();
    if (parent != null) {
      json.put("parent", parent(parent));
    }
    turn.meta().string("reason").ifPresent(reason -> json.put("reason", reason));
    return json;
  }

  private static JsonObject parent(TurnRow.Parent parent) {
    return JsonObject.builder()
        .put("conversation", parent.conversation())
        .put("turn", parent.turn().value())
        .putIfPresent(
            "tool_call_id",
            Optional.ofNullable(parent.toolCallId()).map(CallId::value).orElse(null))
        .build();
  }

  private static Response erase(Call call) {
    ContextBrowser browser = call.browser();
    boolean known = call.engine().store().turn(call.conversation(), call.turn()).isPresent();
    if (known) {
      browser.eraseTurn(call.turn());
    }
    return EraseRoutes.quietly(call, "turns", known);
  }
}
