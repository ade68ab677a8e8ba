package dev.contexture.engine.turn;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.engine.ledger.RequestCost;
import dev.contexture.engine.session.Session;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.request.ReplyParts;
import dev.contexture.store.Commit;
import dev.contexture.store.Outcome;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Contribution;
import dev.contexture.timeline.Round;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Records answers of models and results of tools. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class AnswerRecorder {
  private static final String FIRST_TOKEN = "first_token";
  private static final int RECENT_REQUESTS = 64;
  private static final long EXPLAINED_TOKENS = 200; // counts differ by that much anyway

  private final Session session;
  private final TurnId turn;
  private final BlockAppender contributing;

  public AnswerRecorder(Session session, TurnId turn) {
    this.session = session;
    this.turn = turn;
    this.contributing = new BlockAppender(session, turn);
  }

  /**
   * Records one answer.
   *
   * @param requestId the request that it answers; null: not known
   * @param asked the model that was asked
   * @param partial whether it is what was received of a cancelled stream
   */
  public Reply record(
      @Nullable String requestId,
      ModelRef asked,
      dev.contexture.model.ModelAnswer reply,
      boolean partial) {
    String fingerprint = sha256(reply + "|" + partial);
    String answerId = requestId == null ? session.services().ids().of("ans") : requestId;
    OfferedTools tools = OfferedTools.of(request(requestId, asked).orElse(null));
    Answer answer = new Answer(reply, partial, fingerprint, requestId, tools);
    AnswerBlocks maker = new AnswerBlocks(turn, asked, answerId, partial, tools);
    return session.untilDone(
        () -> {
          Optional<Reply> repeated = repeated(requestId, fingerprint);
          return repeated.isPresent()
              ? repeated
              : store(answer, maker, request(requestId, asked)); // read again: it may be erased
        });
  }

  /** Keeps when the first event of an answer came; returns whether this is news. */
  public boolean answering(String requestId) {
    session.services().traffic().answering(requestId);
    return session.untilDone(
        () -> {
          RequestRow row =
              session.services().store().request(session.scope(), requestId).orElse(null);
          if (row == null || row.record().has(FIRST_TOKEN)) {
            return Optional.of(false);
          }
          Instant now = session.services().now();
          JsonObject record = row.record().with(FIRST_TOKEN, JsonValue.of(now.toString()));
          WriteSet set =
              WriteSet.of(session.scope(), now)
                  .add(new Row.PutRequest(row.withRecord(record)))
                  .build();
          return switch (session.commit(set, before -> before)) {
            case Commit.Committed _unused -> Optional.of(true);
            case Commit.Conflict _unused -> Optional.empty(); // erased: it is read again
          };
        });
  }

  /** Empty: it was overtaken. */
  private Optional<Reply> store(Answer answer, AnswerBlocks maker, Optional<RequestRow> request) {
    Instant now = session.services().now();
    dev.contexture.model.ModelAnswer reply = answer.reply;
    List<CallId> ids = AnswerBlocks.callIds(reply, unansweredIds(), session.services().ids());
    Optional<PendingAnswer> earlier = session.current().pendingAnswer().map(PendingAnswer::read);
    List<Block.Builder> drafts = new ArrayList<>();
    earlier.ifPresent(answered -> drafts.addAll(AnswerBlocks.spoken(answered, turn)));
    request.ifPresent(row -> drafts.addAll(AnswerBlocks.tail(reply, row)));
    PendingAnswer last = null;
    if (!reply.calls().isEmpty()) {
      drafts.addAll(maker.withCalls(reply, ids));
    } else if (reply.stop() == Stop.PAUSE) {
      drafts.addAll(AnswerBlocks.paused(maker.pending(reply)));
    } else {
      PendingAnswer answered = maker.pending(reply);
      drafts.addAll(AnswerBlocks.spoken(answered, turn));
      last = answered.said();
    }
    List<Block> blocks =
        drafts.isEmpty()
            ? List.of()
            : Contribution.of(drafts, turn, now, session.services().limits());
    Reply result = result(answer, ids, session.current().version() + 1);
    WriteSet set = writeSet(answer, blocks, last, result, now, request);
    Commit commit = session.commit(set, before -> before.append(blocks));
    if (Session.isOvertaken(commit)) {
      return Optional.empty();
    }
    contributing.done(commit);
    request.ifPresent(
        row ->
            session.afterCommit(
                () -> {
                  session.services().traffic().answering(row.id());
                  learn(row, result);
                }));
    return Optional.of(result);
  }

  /** What the provider counted teaches how its tokens relate to those counted here. */
  private void learn(RequestRow row, Reply reply) {
    Usage usage = reply.tokens();
    JsonObject record = row.record();
    if (usage == null || usage.totalInput() == 0 || !record.has("base_tokens")) {
      return;
    }
    ModelRef model = model(record);
    session
        .services()
        .providers()
        .profile(model)
        .ifPresent(
            profile ->
                session
                    .services()
                    .calibrations()
                    .learn(
                        model,
                        profile,
                        usage.totalInput(),
                        number(record, "media_tokens"),
                        number(record, "base_tokens")));
  }

  private static ModelRef model(JsonObject record) {
    return new ModelRef(record.string("provider").orElse(""), record.string("model").orElse(""));
  }

  private WriteSet writeSet(
      Answer answer,
      List<Block> blocks,
      @Nullable PendingAnswer last,
      Reply result,
      Instant now,
      Optional<RequestRow> request) {
    WriteSet.Builder set = contributing.startNow(now);
    if (!blocks.isEmpty()) {
      set.append(BlockAppender.rows(blocks));
    }
    set.add(new Row.SetPendingAnswer(turn, last == null ? null : last.write()));
    JsonObject value =
        JsonObject.builder()
            .put("fingerprint", answer.fingerprint)
            .put("reply", result.keep())
            .build();
    long next = session.current().timeline().nextSeq() + blocks.size();
    String key =
        answer.requestId == null
            ? answerKey(answer.fingerprint, next)
            : "record:" + answer.requestId;
    set.add(new Row.PutOutcome(new Outcome(key, turn, value)));
    request
        .filter(row -> result.tokens() != null)
        .ifPresent(row -> set.add(new Row.PutRequest(withUsage(row, result))));
    return set.note(contributing.note("block")).build();
  }

  private RequestRow withUsage(RequestRow row, Reply reply) {
    JsonObject usage = reply.write().object("usage").orElse(JsonObject.EMPTY);
    JsonObject record = row.record().with("usage", usage);
    Usage counted = reply.tokens();
    long expected = number(row.record().object("predicted").orElse(JsonObject.EMPTY), "read");
    long off = counted == null ? 0 : Math.abs(counted.cacheRead() - expected);
    if (row.record().has("predicted") && off > Math.max(EXPLAINED_TOKENS, expected / 20)) {
      record = record.with("unexplained_tokens", JsonValue.of(off));
    }
    Optional<ModelProfile> profile = session.services().providers().profile(model(record));
    if (counted != null && profile.isPresent()) {
      RequestCost cost = RequestCost.of(profile.orElseThrow(), row.at());
      record = record.with("spent", cost.spent(counted));
    }
    return row.withRecord(record);
  }

  private Reply result(Answer answer, List<CallId> ids, long version) {
    List<ToolCall> calls = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      var call = answer.reply.calls().get(i);
      calls.add(
          new ToolCall(
              ids.get(i),
              call.providerCallId(),
              answer.tools.named(call.tool()),
              ReplyParts.arguments(call.arguments())));
    }
    String stop = answer.partial ? Reply.CANCELLED : answer.reply.stop().wireName();
    return new Reply(
        answer.reply.text(),
        calls,
        stop,
        answer.reply.tokens(),
        version,
        outcome(answer),
        AnswerBlocks.dropped(answer.reply));
  }

  /** A model that only pauses is stopped, so that every loop ends. */
  private AnswerOutcome outcome(Answer answer) {
    AnswerOutcome outcome =
        answer.partial && answer.reply.calls().isEmpty()
            ? AnswerOutcome.TRUNCATED
            : answer.reply.outcome();
    return outcome == AnswerOutcome.PAUSED && pauses() + 1 >= Reply.MAX_PAUSES
        ? AnswerOutcome.TRUNCATED
        : outcome;
  }

  /** In how many answers in a row the model has paused. */
  private int pauses() {
    Set<String> answers = new HashSet<>();
    List<TimelineEntry> entries = session.current().timeline().entries();
    for (int i = entries.size() - 1; i >= 0 && entries.get(i).turn().equals(turn); i--) {
      TimelineEntry entry = entries.get(i);
      if (entry.isPaused()) {
        entry.answerId().ifPresent(answers::add);
      } else if (!entry.block().type().equals(BlockType.CONTEXT_TAIL)) {
        break;
      }
    }
    return answers.size();
  }

  /** The first reply, if this is the same answer again. */
  private Optional<Reply> repeated(@Nullable String requestId, String fingerprint) {
    Store store = session.services().store();
    long next = session.current().timeline().nextSeq();
    String key = requestId == null ? answerKey(fingerprint, next) : "record:" + requestId;
    Optional<JsonObject> value = store.outcome(session.scope(), key).map(Outcome::value);
    if (value.isPresent() && !value.get().string("fingerprint").orElse("").equals(fingerprint)) {
      throw ContextureException.invalid(
          ErrorCode.ID_CONFLICT,
          "request_id",
          requestId,
          "the same answer again, or the id of a request that was not answered yet");
    }
    return value.flatMap(json -> json.object("reply")).map(Reply::read);
  }

  private String answerKey(String fingerprint, long nextSeq) {
    return "answer:" + turn + ":" + nextSeq + ":" + fingerprint;
  }

  private Optional<RequestRow> request(@Nullable String requestId, ModelRef asked) {
    Store store = session.services().store();
    if (requestId != null) {
      return store.request(session.scope(), requestId);
    }
    return store.requests(session.scope(), null, RECENT_REQUESTS).stream()
        .filter(row -> turn.equals(row.turn()))
        .filter(row -> row.record().string("provider").orElse("").equals(asked.provider()))
        .filter(row -> row.record().string("model").orElse("").equals(asked.model()))
        .findFirst();
  }

  /** The calls of the turn that have no result, as their answers gave them. */
  public List<ToolCall> waitingCalls() {
    return TurnCloser.unanswered(session.current().timeline(), turn).stream()
        .flatMap(round -> round.call().stream().map(call -> waiting(round.id(), call)))
        .toList();
  }

  private static ToolCall waiting(CallId id, TimelineEntry call) {
    String text = call.block().text().orElse("{}");
    String arguments =
        JsonText.isObject(text) ? JsonText.member(text, "params").orElse("{}") : "{}";
    return new ToolCall(
        id, call.providerCallId().orElse(null), call.ownToolId().orElse(""), arguments);
  }

  private Set<CallId> unansweredIds() {
    return TurnCloser.unanswered(session.current().timeline(), turn).stream()
        .map(Round::id)
        .collect(Collectors.toSet());
  }

  /**
   * Stores the result of a call; the same content again is no change. One that comes when its call
   * has ended is late.
   */
  public AppendResult answer(CallId call, List<ResultPart> parts, boolean error) {
    List<ResultPart> content = parts.isEmpty() ? List.of(new ResultPart.Text("")) : parts;
    String fingerprint = sha256(content + "|" + error);
    return session.untilDone(() -> tryAnswer(call, content, error, fingerprint));
  }

  private Optional<AppendResult> tryAnswer(
      CallId call, List<ResultPart> content, boolean error, String fingerprint) {
    boolean open = session.current().timeline().isActive(turn);
    if (open && unansweredIds().contains(call)) {
      return store(call, content, error, fingerprint);
    }
    List<TimelineEntry> blocks = blocksOf(call, open);
    List<TimelineEntry> calls =
        blocks.stream().filter(entry -> entry.block().type().isCall()).toList();
    if (calls.isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.UNKNOWN_CALL, "tool_call_id", call, "a call of turn " + turn);
    }
    LateResultWriter late = new LateResultWriter(session, turn);
    Optional<Outcome> known = outcome(resultKey(call, calls.size()));
    known = known.isPresent() ? known : outcome(late.key(call));
    if (known.isPresent()) {
      return Optional.of(repeatedAnswer(call, known.get().value(), fingerprint));
    }
    boolean answered =
        blocks.stream()
            .map(TimelineEntry::block)
            .anyMatch(block -> block.type().isResult() && !TurnCloser.isCancelled(block));
    if (answered) {
      throw alreadyAnswered(call);
    }
    String tool = calls.getLast().ownToolId().orElse("");
    return late.tryWrite(call, tool, content, error, fingerprint);
  }

  private Optional<AppendResult> store(
      CallId call, List<ResultPart> content, boolean error, String fingerprint) {
    Timeline timeline = session.current().timeline();
    Instant now = session.services().now();
    List<Block.Builder> drafts = new ToolAnswer(content, error).blocks(turn, call);
    List<Block> blocks = Contribution.of(drafts, turn, now, session.services().limits());
    JsonObject value =
        JsonObject.builder()
            .put("fingerprint", fingerprint)
            .put("first_seq", timeline.nextSeq())
            .put("count", blocks.size())
            .put("version", session.current().version() + 1)
            .build();
    String key = resultKey(call, rounds(call));
    WriteSet set =
        contributing
            .startNow(now)
            .append(BlockAppender.rows(blocks))
            .add(new Row.PutOutcome(new Outcome(key, turn, value)))
            .note(contributing.note("block"))
            .build();
    Commit commit = session.commit(set, before -> before.append(blocks));
    if (Session.isOvertaken(commit)) {
      return Optional.empty();
    }
    Commit.Committed done = contributing.done(commit);
    return Optional.of(
        new AppendResult(done.version(), done.seqs().stream().map(OptionalLong::of).toList()));
  }

  private String resultKey(CallId call, long rounds) {
    return "result:" + turn + ":" + call + ":" + rounds;
  }

  private Optional<Outcome> outcome(String key) {
    return session.services().store().outcome(session.scope(), key);
  }

  private static AppendResult repeatedAnswer(CallId call, JsonObject value, String fingerprint) {
    if (!value.string("fingerprint").orElse("").equals(fingerprint)) {
      throw alreadyAnswered(call);
    }
    List<OptionalLong> seqs = new ArrayList<>();
    for (long i = 0; i < number(value, "count"); i++) {
      seqs.add(OptionalLong.of(number(value, "first_seq") + i));
    }
    return new AppendResult(number(value, "version"), seqs, value.isTrue("late"));
  }

  private static ContextureException alreadyAnswered(CallId call) {
    return ContextureException.invalid(
        ErrorCode.ALREADY_ANSWERED, "tool_call_id", call, "a call without a result");
  }

  /** The blocks of the turn that name the call; of a closed turn also those before a summary. */
  private List<TimelineEntry> blocksOf(CallId call, boolean open) {
    List<TimelineEntry> all =
        open
            ? session.current().timeline().entries()
            : session.services().store().turnBlocks(session.scope(), turn).stream()
                .map(stored -> TimelineEntry.of(stored.block()))
                .toList();
    return all.stream()
        .filter(entry -> entry.turn().equals(turn))
        .filter(entry -> entry.callId().filter(call::equals).isPresent())
        .toList();
  }

  /** How many calls of this id the open turn holds. */
  private long rounds(CallId call) {
    return blocksOf(call, true).stream().filter(entry -> entry.block().type().isCall()).count();
  }

  private static long number(JsonObject json, String key) {
    JsonValue value = json.find(key).orElse(new JsonString(""));
    return value instanceof dev.contexture.json.JsonNumber number ? number.asLong().orElse(0) : 0;
  }

  static String sha256(String text) {
    return Binary.of(text.getBytes(StandardCharsets.UTF_8)).sha256();
  }

  private record Answer(
      dev.contexture.model.ModelAnswer reply,
      boolean partial,
      String fingerprint,
      @Nullable String requestId,
      OfferedTools tools) {}
}
