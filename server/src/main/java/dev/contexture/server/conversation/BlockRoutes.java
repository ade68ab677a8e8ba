package dev.contexture.server.conversation;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockCodec;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.store.StoredBlock;
import dev.contexture.timeline.PoolSource;
import dev.contexture.view.HidePlanner;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Routes that add to a conversation anything but answers of models: blocks, announcements, sources.
 */
final class BlockRoutes {
  private BlockRoutes() {}

  static List<Route> routes(String base) {
    return List.of(
        Route.post(base + "/blocks", BlockRoutes::contribute),
        Route.put(base + "/announce", BlockRoutes::announce),
        Route.delete(
            base + "/announce",
            call ->
                Response.ok(
                    ResponseForms.version(
                        call.loaded(call.browser()).openTurn().announce(List.of())))),
        Route.get(base + "/sources", call -> sources(call.loaded(call.known()).sources())),
        Route.put(base + "/sources", call -> change(call, ContextBrowser::setSourcesPool)),
        Route.post(base + "/sources", call -> change(call, ContextBrowser::mergeSources)),
        Route.post(base + "/hide", BlockRoutes::hide),
        Route.post(base + "/unhide", BlockRoutes::unhide),
        Route.post(base + "/feedback", BlockRoutes::feedback),
        Route.post(base + "/clarification", BlockRoutes::clarification),
        Route.post(base + "/clarification_resolution", BlockRoutes::resolution));
  }

  private static Response contribute(Call call) {
    RequestFields body = call.body("blocks", "persist", "expected_version");
    List<Block.Builder> blocks = body.requiredList("blocks", BlockCodec::readContribution);
    if (blocks.isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "blocks", "empty", "at least one block");
    }
    boolean persist = body.fields().flag("persist", true);
    OptionalLong expected = body.fields().number("expected_version");
    Turn turn = turnFor(call, blocks);
    return Response.created(ResponseForms.contributed(turn.contribute(blocks, persist, expected)));
  }

  /** The open turn; for a repeat of blocks that are all stored, the turn that they are in. */
  private static Turn turnFor(Call call, List<Block.Builder> blocks) {
    ContextBrowser browser = call.loaded(call.browser());
    List<String> ids = blocks.stream().flatMap(block -> block.id().stream()).toList();
    if (ids.size() == blocks.size() && browser.timeline().activeTurn().isEmpty()) {
      Map<String, StoredBlock> known =
          call.engine().store().blocksWithIds(call.conversation(), ids);
      if (known.size() == Set.copyOf(ids).size()) {
        return browser.turn(known.values().iterator().next().block().turn());
      }
    }
    return browser.openTurn();
  }

  private static Response announce(Call call) {
    RequestFields body = call.body("blocks");
    List<Block.Builder> blocks = body.requiredList("blocks", BlockRoutes::announced);
    return Response.ok(
        ResponseForms.version(call.loaded(call.browser()).openTurn().announce(blocks)));
  }

  private static Block.Builder announced(JsonObject json) {
    boolean typed = json.has("type") || json.has("kind");
    return BlockCodec.readContribution(
        typed ? json : json.with("type", JsonValue.of(BlockType.ANNOUNCE.name())));
  }

  private static Response change(
      Call call, BiFunction<ContextBrowser, List<PoolSource>, List<PoolSource>> change) {
    List<PoolSource> rows = call.body("sources").requiredList("sources", PoolSource::read);
    return sources(change.apply(call.loaded(call.browser()), rows));
  }

  private static Response sources(List<PoolSource> rows) {
    return Response.ok(
        JsonObject.of(
            "sources", ResponseForms.array(rows.stream().map(PoolSource::write).toList())));
  }

  private static Response hide(Call call) {
    RequestFields body = call.body("path", "replacement");
    BlockPath path = BlockPath.parse(body.requiredString("path"));
    String replacement = body.fields().string("replacement").orElse("");
    HidePlanner.Outcome outcome = call.shown(call.known()).hide(path, replacement);
    return Response.ok(
        JsonObject.builder()
            .put("status", outcome.status().wireName())
            .putIfPresent("reason", outcome.notice())
            .put("blocks_hidden", outcome.blocksHidden())
            .put("tokens_hidden", outcome.tokensHidden())
            .put("tail_tokens", outcome.tailTokens())
            .put("tail_limit", outcome.tailLimit())
            .build());
  }

  private static Response unhide(Call call) {
    BlockPath path = BlockPath.parse(call.body("path").requiredString("path"));
    int blocks = call.shown(call.known()).unhide(path);
    return Response.ok(
        JsonObject.builder()
            .put(
                "status",
                (blocks > 0 ? HidePlanner.Status.OK : HidePlanner.Status.NOT_FOUND).wireName())
            .put("blocks_unhidden", blocks)
            .build());
  }

  private static Response feedback(Call call) {
    RequestFields body = call.body("target_turn_id", "origin", "reaction", "text", "confidence");
    TurnId target = TurnId.of(body.requiredString("target_turn_id"));
    String origin = body.requiredString("origin");
    String text = body.fields().string("text").orElse("");
    double confidence = body.decimal("confidence", 1);
    ContextBrowser browser = call.loaded(call.known());
    return Response.created(
        ResponseForms.version(
            browser.feedback(target, origin, body.string("reaction"), text, confidence)));
  }

  private static Response clarification(Call call) {
    RequestFields body = call.body("questions", "ticket");
    List<String> questions = body.fields().strings("questions");
    if (questions.isEmpty()) {
      throw RequestFields.required("questions", "an array of at least one string");
    }
    JsonFields ticket = ticket(body);
    Turn turn = call.loaded(call.browser()).openTurn();
    return Response.created(
        ResponseForms.version(
            turn.clarification(
                    questions,
                    ticket.string("title").orElse(null),
                    ticket.string("status").orElse("open"))
                .version()));
  }

  private static Response resolution(Call call) {
    RequestFields body = call.body("ticket", "resolved_with_answer");
    if (body.fields().object("ticket").isEmpty()) {
      throw RequestFields.required("ticket", "an object with ticket_id, title and status");
    }
    JsonFields ticket = ticket(body);
    String id = ticket.requiredString("ticket_id");
    String title = ticket.string("title").orElse("");
    String status = ticket.string("status").orElse("resolved");
    String answer = body.requiredString("resolved_with_answer");
    Turn turn = call.loaded(call.browser()).openTurn();
    return Response.created(
        ResponseForms.version(turn.clarificationResolved(id, title, status, answer).version()));
  }

  private static JsonFields ticket(RequestFields body) {
    return JsonFields.of(
        body.fields().object("ticket").orElse(JsonObject.EMPTY),
        Set.of("ticket_id", "title", "status"));
  }
}
