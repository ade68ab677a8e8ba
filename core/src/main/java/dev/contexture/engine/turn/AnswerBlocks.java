package dev.contexture.engine.turn;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.engine.ledger.LedgerRecord;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.prompt.Omission;
import dev.contexture.render.RenderOptions;
import dev.contexture.request.ReplyParts;
import dev.contexture.store.RequestRow;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.token.TokenMeter;
import dev.contexture.turn.ToolCall;
import dev.contexture.view.TailMemory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Turns one answer of a model into blocks: in the order of its parts, what it said and what only it
 * can read beside the calls they belong to.
 */
final class AnswerBlocks {
  private static final int MAX_TEXT_BYTES = 1 << 20;
  private static final TokenMeter METER = RenderOptions.defaults().meter();

  private final TurnId turn;
  private final ModelRef asked;
  private final String answerId;
  private final boolean partial;
  private final OfferedTools tools;

  AnswerBlocks(TurnId turn, ModelRef asked, String answerId, boolean partial, OfferedTools tools) {
    this.turn = turn;
    this.asked = asked;
    this.answerId = answerId;
    this.partial = partial;
    this.tools = tools;
  }

  /**
   * The engine's ids of the calls: made from the provider's; generated where there is none or the
   * turn already waits for a result under it.
   */
  static List<CallId> callIds(
      dev.contexture.model.ModelAnswer reply, Set<CallId> unanswered, IdGenerator ids) {
    Set<CallId> taken = new HashSet<>(unanswered);
    List<CallId> made = new ArrayList<>();
    for (ReplyCall call : reply.calls()) {
      CallId id = call.providerId().filter(p -> !p.isEmpty()).map(CallId::of).orElse(null);
      while (id == null || !taken.add(id)) {
        id = ids.call();
      }
      made.add(id);
    }
    return made;
  }

  /** The blocks of an answer with calls. */
  List<Block.Builder> withCalls(dev.contexture.model.ModelAnswer reply, List<CallId> ids) {
    Map<Integer, List<Block.Builder>> byOrder = new TreeMap<>();
    List<ReplyCall> calls = reply.calls();
    for (int i = 0; i < calls.size(); i++) {
      add(byOrder, calls.get(i).order(), call(calls.get(i), ids.get(i)));
    }
    for (ReplyText text : reply.texts()) {
      if (!text.text().isBlank()) {
        add(byOrder, text.order(), notes(text, callOf(text.order(), calls, ids)));
      }
    }
    for (ReplyOpaque opaque : kept(reply)) {
      boolean verbatim = byOrder.containsKey(opaque.order());
      CallId of = callOf(opaque.order(), calls, ids);
      List<Block.Builder> at = byOrder.computeIfAbsent(opaque.order(), unused -> new ArrayList<>());
      at.addFirst(opaque(opaque, verbatim).toolCallId(of.value()));
    }
    return byOrder.values().stream().flatMap(List::stream).toList();
  }

  /** The call that a part belongs to: the next one, else the last. */
  private static CallId callOf(int order, List<ReplyCall> calls, List<CallId> ids) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).order() >= order) {
        return ids.get(i);
      }
    }
    return ids.getLast();
  }

  /**
   * What stood behind the conversation when an answer was made. Thinking is bound to everything
   * before it, so that this becomes part of the conversation, for the agent that was told.
   */
  static List<Block.Builder> tail(dev.contexture.model.ModelAnswer reply, RequestRow request) {
    boolean binds =
        reply.opaque().stream().map(ReplyOpaque::kind).anyMatch(ReplyOpaque::isSendable);
    String agent = request.record().string("agent").orElse(null);
    return !binds
        ? List.of()
        : LedgerRecord.tail(request).stream()
            .map(
                text ->
                    Block.builder(BlockType.CONTEXT_TAIL)
                        .author(Author.SYSTEM)
                        .meta(TailMemory.meta(agent, text, LedgerRecord.tailMemory(request)))
                        .text(text))
            .toList();
  }

  /** An answer without calls: what it says and what is kept of it with the turn. */
  PendingAnswer pending(dev.contexture.model.ModelAnswer reply) {
    Set<Integer> texts = new HashSet<>();
    reply.texts().stream()
        .filter(text -> !text.text().isBlank())
        .forEach(text -> texts.add(text.order()));
    List<JsonObject> opaque =
        kept(reply).stream().map(part -> wire(opaque(part, texts.contains(part.order())))).toList();
    int order = reply.texts().isEmpty() ? 0 : reply.texts().getFirst().order();
    JsonObject meta = meta(order);
    return new PendingAnswer(
        answerId,
        reply.text(),
        opaque,
        reply.texts().size() > 1 ? withEnds(meta, reply) : meta,
        !partial && reply.outcome() == AnswerOutcome.CONTEXT_LIMIT,
        true);
  }

  /** Where each text ends in the joined one, and its place among the parts. */
  private static JsonObject withEnds(JsonObject meta, dev.contexture.model.ModelAnswer reply) {
    List<JsonValue> ends = new ArrayList<>();
    List<JsonValue> orders = new ArrayList<>();
    int end = 0;
    for (ReplyText text : reply.texts()) {
      end += text.text().length();
      ends.add(JsonValue.of(end));
      orders.add(JsonValue.of(text.order()));
    }
    return meta.with("text_ends", new JsonArray(ends)).with("text_orders", new JsonArray(orders));
  }

  private static JsonObject wire(Block.Builder block) {
    TurnId none = TurnId.of("none");
    JsonObject json =
        dev.contexture.block.BlockCodec.write(block.build(none, java.time.Instant.EPOCH));
    return json.without("turn_id").without("ts");
  }

  /** What an answer without calls says: an answer of the turn, behind its opaque parts. */
  static List<Block.Builder> spoken(PendingAnswer answer, TurnId turn) {
    return said(
        answer,
        Block.builder(BlockType.ASSISTANT_COMPLETION)
            .author(Author.ASSISTANT)
            .path(BlockPath.completion(turn)));
  }

  /** What a model says that pauses and goes on: notes without a call. */
  static List<Block.Builder> paused(PendingAnswer answer) {
    return said(answer, Block.builder(BlockType.REACT_NOTES).author(Author.REACT)).stream()
        .map(block -> block.meta(TimelineEntry.PAUSED, JsonValue.of(true)))
        .toList();
  }

  private static List<Block.Builder> said(PendingAnswer answer, Block.Builder text) {
    List<Block.Builder> blocks = new ArrayList<>();
    answer
        .opaque()
        .forEach(json -> blocks.add(dev.contexture.block.BlockCodec.readContribution(json)));
    if (!answer.text().isBlank()) {
      blocks.add(text.meta(answer.meta()).text(answer.text()));
    }
    return blocks;
  }

  /** Parts that had not ended when the answer was cut, and further answers, are dropped. */
  private static List<ReplyOpaque> kept(dev.contexture.model.ModelAnswer reply) {
    return reply.opaque().stream().filter(ReplyOpaque::kept).toList();
  }

  /** What is not recorded of an answer. */
  static List<Omission> dropped(dev.contexture.model.ModelAnswer reply) {
    List<Omission> dropped = new ArrayList<>();
    for (ReplyOpaque part : reply.opaque()) {
      if (!part.kept()) {
        boolean extra = part.kind().equals(ReplyOpaque.EXTRA_CHOICE);
        String type = part.kind().replace(ReplyOpaque.PARTIAL_PREFIX, "");
        dropped.add(
            new Omission(
                "answer",
                name(part.json()).orElse(type),
                extra ? Omission.Reason.EXTRA_CHOICE : Omission.Reason.CUT_OFF,
                extra ? "a further answer" : "a " + type + " that had not ended",
                METER.texts(List.of(part.json()))));
      }
    }
    return dropped;
  }

  /** The id that a part has. */
  private static Optional<String> name(String json) {
    return JsonText.isObject(json) && JsonValue.parse(json) instanceof JsonObject part
        ? part.string("call_id").or(() -> part.string("id")).filter(id -> !id.isEmpty())
        : Optional.empty();
  }

  private Block.Builder call(ReplyCall call, CallId id) {
    String arguments = ReplyParts.arguments(call.arguments());
    String tool = tools.named(call.tool());
    return new ToolCall(id, call.providerCallId(), tool, arguments)
        .block(turn, tools.describe(tool, meta(call.order())));
  }

  private Block.Builder notes(ReplyText text, CallId of) {
    return Block.builder(BlockType.REACT_NOTES)
        .author(Author.REACT)
        .path(BlockPath.notes(turn, of))
        .meta(meta(text.order()))
        .toolCallId(of.value())
        .text(text.text());
  }

  private Block.Builder opaque(ReplyOpaque part, boolean verbatim) {
    JsonObject.Builder meta = meta(part.order()).toBuilder();
    meta.put("provider", asked.provider()).put("model", asked.model()).put("kind", part.kind());
    if (verbatim) {
      meta.put("verbatim", true);
    }
    Block.Builder block =
        Block.builder(BlockType.MODEL_OPAQUE)
            .author(Author.REACT)
            .mime("application/json")
            .meta(meta.build());
    byte[] bytes = part.json().getBytes(StandardCharsets.UTF_8);
    return bytes.length <= MAX_TEXT_BYTES ? block.text(part.json()) : block.data(Binary.of(bytes));
  }

  private JsonObject meta(int order) {
    JsonObject.Builder meta = JsonObject.builder();
    meta.put("answer_id", answerId).put("wire_order", order);
    if (partial) {
      meta.put("partial", true);
    }
    return meta.build();
  }

  private static void add(
      Map<Integer, List<Block.Builder>> byOrder, int order, Block.Builder block) {
    byOrder.computeIfAbsent(order, unused -> new ArrayList<>()).add(block);
  }
}
