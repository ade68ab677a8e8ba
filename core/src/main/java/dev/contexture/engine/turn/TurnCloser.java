package dev.contexture.engine.turn;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.session.TimelineLoader;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.store.Commit;
import dev.contexture.store.Outcome;
import dev.contexture.store.Row;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Round;
import dev.contexture.timeline.Rounds;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import dev.contexture.timeline.Window;
import dev.contexture.turn.Finish;
import dev.contexture.turn.TurnClosure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Closes a turn, in one commit. Doing it again answers what the first time answered. All methods
 * run inside the session's lock.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TurnCloser {
  private static final String CANCELLED = "cancelled";

  private final Session session;
  private final TurnId turn;
  private final BlockAppender contributing;

  public TurnCloser(Session session, TurnId turn) {
    this.session = session;
    this.turn = turn;
    this.contributing = new BlockAppender(session, turn);
  }

  public TurnClosure finish(Finish finish) {
    return close(
        new Request(TurnStatus.COMPLETE, finish.ts(), finish.exitReason(), finish.content()),
        () -> finished(finish));
  }

  private Ending finished(Finish finish) {
    List<Block> blocks = new ArrayList<>(cancelled("the turn was finished"));
    blocks.addAll(announceCopies());
    List<Block> apart = keptApart();
    blocks.addAll(apart);
    RecordedAnswer recorded = recordedAnswer(apart);
    String given = finish.answer();
    boolean another = given != null && !given.equals(recorded == null ? null : recorded.text);
    Block completion =
        given != null && another && !given.isBlank() ? completion(given, finish) : null;
    if (completion != null) {
      blocks.add(completion);
    } else if (!finish.sourcesUsed().isEmpty()) {
      blocks.add(sources(finish));
    }
    add(blocks, BlockType.STAGE_SUGGESTED_FOLLOWUPS, followups(finish));
    add(blocks, BlockType.REACT_STATE, finish.state() == null ? null : finish.state().toJson());
    add(blocks, BlockType.REACT_EXIT, finish.exitReason());
    OptionalLong replaced =
        another && recorded != null && recorded.replaceable ? recorded.seq : OptionalLong.empty();
    String kept = another || recorded == null ? null : recorded.text;
    String answer = completion == null ? kept : given;
    return new Ending(blocks, replaced, answer);
  }

  public TurnClosure interrupt(String reason) {
    return close(Request.of(TurnStatus.INTERRUPTED, reason), () -> interrupted(reason));
  }

  private Ending interrupted(String reason) {
    List<Block> blocks = new ArrayList<>(cancelled(reason));
    blocks.addAll(keptApart());
    add(blocks, BlockType.REACT_EXIT, reason);
    return Ending.with(blocks);
  }

  private List<Block> cancelled(String reason) {
    List<Round> waiting = unanswered(session.current().timeline(), turn);
    return cancelled(waiting, turn, reason, session.services().now());
  }

  /** Results that say that nothing came of the calls. */
  static List<Block> cancelled(List<Round> waiting, TurnId turn, String reason, Instant now) {
    List<Block> blocks = new ArrayList<>();
    for (Round round : waiting) {
      blocks.add(
          block(BlockType.REACT_TOOL_RESULT, BlockPath.result(turn, round.id()))
              .author(Author.REACT)
              .toolCallId(round.id().value())
              .error(true)
              .meta(CANCELLED, JsonValue.of(true))
              .text("cancelled: " + reason)
              .build(turn, now));
    }
    return blocks;
  }

  /** Whether a result is the engine's own word that nothing came of its call. */
  static boolean isCancelled(Block result) {
    return result.meta().isTrue(CANCELLED)
        || (result.author().equals(Author.REACT)
            && result.isError()
            && result.text().filter(text -> text.startsWith("cancelled: ")).isPresent());
  }

  public TurnClosure abort(String reason) {
    return close(Request.of(TurnStatus.ABORTED, reason), () -> Ending.with(keptApart()));
  }

  /** Closes a turn whose process died. */
  TurnClosure leave() {
    return close(Request.of(TurnStatus.INCOMPLETE, "crashed"), () -> Ending.with(keptApart()));
  }

  /**
   * A request to close a turn.
   *
   * @param content what makes it the same request again
   */
  private record Request(
      TurnStatus status, @Nullable Instant ts, @Nullable String reason, JsonObject content) {
    static Request of(TurnStatus status, String reason) {
      String digest = AnswerRecorder.sha256(SendableText.of(reason));
      JsonObject content = JsonObject.of("exit_reason", JsonValue.of(digest));
      return new Request(status, null, reason, content);
    }
  }

  /**
   * The content that the end of a turn stores.
   *
   * @param replaced the recorded answer in whose place another one was given
   * @param answer what the turn says in the end; null: nothing
   */
  private record Ending(List<Block> blocks, OptionalLong replaced, @Nullable String answer) {
    static Ending with(List<Block> blocks) {
      return new Ending(blocks, OptionalLong.empty(), null);
    }
  }

  private Optional<TurnClosure> repeated(Request wanted) {
    if (session.current().timeline().isActive(turn)) {
      return Optional.empty();
    }
    Optional<Outcome> outcome = session.services().store().outcome(session.scope(), key());
    if (outcome.isEmpty()) {
      StoredTurn known =
          session
              .services()
              .store()
              .turn(session.scope(), turn)
              .orElseThrow(
                  () ->
                      ContextureException.invalid(
                          ErrorCode.NOT_FOUND, "turn_id", turn, "a turn of the conversation"));
      throw Session.turnClosed(turn, known.status().wireName());
    }
    JsonObject value = outcome.get().value();
    if (!value.string("status").orElse("").equals(wanted.status.wireName())) {
      throw Session.turnClosed(turn, value.string("status").orElse("closed"));
    }
    value.object("content").ifPresent(first -> checkSame(first, wanted.content));
    long version = Long.parseLong(value.string("version").orElse("0"));
    List<CallId> cancelled =
        value.array(CANCELLED).orElse(JsonArray.of()).items().stream()
            .map(id -> new CallId(((JsonString) id).value()))
            .toList();
    return Optional.of(new TurnClosure(turn, wanted.status, version, cancelled));
  }

  /** Without a completion, the answer that was recorded is meant, which nobody can compare. */
  private void checkSame(JsonObject first, JsonObject again) {
    JsonObject given =
        again.has(Finish.COMPLETION)
            ? again
            : again.with(Finish.COMPLETION, first.find(Finish.COMPLETION).orElse(JsonNull.NULL));
    boolean same = first.has(Finish.COMPLETION) ? given.equals(first) : again.equals(first);
    if (!same) {
      throw ContextureException.invalid(
          ErrorCode.ID_CONFLICT,
          "turn_id",
          turn,
          "what the turn was closed with the first time; it stays as it is");
    }
  }

  private String key() {
    return "close:" + turn;
  }

  private TurnClosure close(Request wanted, Supplier<Ending> ending) {
    return session.untilDone(
        () -> {
          Optional<TurnClosure> repeated = repeated(wanted);
          if (repeated.isPresent()) {
            return repeated;
          }
          Ending made = ending.get();
          Commit commit = tryClose(wanted, made);
          if (Session.isOvertaken(commit)) {
            return Optional.empty();
          }
          if (commit instanceof Commit.Conflict) { // another node may have closed it just now
            Optional<TurnClosure> first = repeated(wanted);
            if (first.isPresent()) {
              return first;
            }
          }
          long version = contributing.done(commit).version();
          return Optional.of(
              new TurnClosure(turn, wanted.status, version, cancelledCalls(made.blocks)));
        });
  }

  private static List<CallId> cancelledCalls(List<Block> blocks) {
    return blocks.stream()
        .filter(block -> block.type().isResult())
        .flatMap(block -> block.toolCallId().stream())
        .toList();
  }

  private Commit tryClose(Request wanted, Ending ending) {
    List<Block> blocks = ending.blocks;
    TurnStatus status = wanted.status;
    String reason = wanted.reason;
    Instant now = wanted.ts == null ? session.services().now() : wanted.ts;
    TurnRow row =
        session
            .turnRow(turn)
            .orElseThrow(() -> Session.turnClosed(turn, "unknown"))
            .closed(status, now);
    if (reason != null) {
      row = row.withMeta(row.meta().with("reason", JsonValue.of(reason)));
    }
    blocks.forEach(session.services().limits()::check);
    long version = session.current().version() + 1;
    WriteSet.Builder set = contributing.startNow(now);
    if (!blocks.isEmpty()) {
      set.append(BlockAppender.rows(blocks));
    }
    List<Visibility> hidden =
        ending.replaced.stream()
            .mapToObj(seq -> new Visibility(seq, "", Visibility.Reason.REPLACED, now))
            .toList();
    if (!hidden.isEmpty()) {
      set.add(new Row.PutVisibility(hidden));
    }
    set.add(new Row.ClearTurnScoped(turn)).add(new Row.PutTurn(row)).add(new Row.IndexTurn(turn));
    JsonObject answer =
        JsonObject.builder()
            .put("status", status.wireName())
            .put("version", Long.toString(version))
            .put("content", withAnswer(wanted.content, ending.answer))
            .put(
                CANCELLED,
                JsonArray.ofStrings(cancelledCalls(blocks).stream().map(CallId::value).toList()))
            .build();
    set.add(new Row.PutOutcome(new Outcome(key(), turn, answer)));
    set.note(contributing.note("turn").with("status", JsonValue.of(status.wireName())));
    TurnRow closed = row;
    return session.commit(set.build(), before -> applied(before, blocks, hidden, closed));
  }

  /** What closes the turn, with the digest of what it says in the end. */
  private static JsonObject withAnswer(JsonObject content, @Nullable String answer) {
    return answer == null
        ? content
        : content.with(Finish.COMPLETION, JsonValue.of(AnswerRecorder.sha256(answer)));
  }

  private static Timeline applied(
      Timeline before, List<Block> blocks, List<Visibility> hidden, TurnRow row) {
    return (hidden.isEmpty() ? before : before.withVisibility(hidden))
        .dropNotPersisted()
        .append(blocks)
        .withTurn(TimelineLoader.state(row))
        .withAnnounce(List.of())
        .withActiveTurn(null);
  }

  private List<Block> announceCopies() {
    List<Block> copies = new ArrayList<>();
    for (Block block : session.current().timeline().announce()) {
      copies.add(
          block(BlockType.ANNOUNCE, BlockPath.artifact(turn, "announce"))
              .author(block.author())
              .mime(block.mime())
              .meta(block.meta())
              .text(block.text().orElse(""))
              .build(turn, session.services().now()));
    }
    return copies;
  }

  /** What an older store kept apart of the last answer. */
  private List<Block> keptApart() {
    Instant now = session.services().now();
    return session.current().pendingAnswer().map(PendingAnswer::read).stream()
        .flatMap(answer -> AnswerBlocks.spoken(answer, turn).stream())
        .map(block -> block.build(turn, now))
        .toList();
  }

  /**
   * The recorded answer that the turn ends with.
   *
   * @param seq its block; empty: it is not stored yet
   * @param replaceable whether no request has shown it
   */
  private record RecordedAnswer(String text, OptionalLong seq, boolean replaceable) {}

  /** Null: nothing was recorded behind the last prompt and the last call. */
  private @Nullable RecordedAnswer recordedAnswer(List<Block> kept) {
    if (!kept.isEmpty() && isAnswer(kept.getLast())) {
      return new RecordedAnswer(kept.getLast().text().orElse(""), OptionalLong.empty(), false);
    }
    List<TimelineEntry> entries = session.current().timeline().entries();
    for (int i = entries.size() - 1; i >= 0 && entries.get(i).turn().equals(turn); i--) {
      TimelineEntry entry = entries.get(i);
      Block block = entry.block();
      if (block.type().isCall() || block.type().equals(BlockType.USER_PROMPT)) {
        return null;
      }
      if (isAnswer(block) && entry.answerId().isPresent()) {
        boolean replaceable =
            session
                .current()
                .pendingAnswer()
                .map(PendingAnswer::read)
                .filter(PendingAnswer::replaceable)
                .filter(last -> entry.answerId().filter(last.answerId()::equals).isPresent())
                .isPresent();
        return new RecordedAnswer(block.text().orElse(""), entry.seq(), replaceable);
      }
    }
    return null;
  }

  private static boolean isAnswer(Block block) {
    return block.type().equals(BlockType.ASSISTANT_COMPLETION);
  }

  private Block completion(String text, Finish finish) {
    Instant ts = finish.ts();
    return block(BlockType.ASSISTANT_COMPLETION, BlockPath.completion(turn))
        .author(Author.ASSISTANT)
        .meta(sourcesUsed(finish))
        .text(text)
        .build(turn, ts == null ? session.services().now() : ts);
  }

  /** The sources of an answer that is stored already. */
  private Block sources(Finish finish) {
    BlockType type = BlockType.STAGE_SOURCES_USED;
    return block(type, BlockPath.artifact(turn, type.name()))
        .author(Author.SYSTEM)
        .meta(sourcesUsed(finish))
        .text(finish.sourcesUsed().toString())
        .build(turn, session.services().now());
  }

  private static JsonObject sourcesUsed(Finish finish) {
    List<JsonValue> sids = finish.sourcesUsed().stream().<JsonValue>map(JsonValue::of).toList();
    return sids.isEmpty() ? JsonObject.EMPTY : JsonObject.of("sources_used", new JsonArray(sids));
  }

  private static @Nullable String followups(Finish finish) {
    return finish.followups().isEmpty() ? null : JsonArray.ofStrings(finish.followups()).toJson();
  }

  private void add(List<Block> blocks, BlockType type, @Nullable String text) {
    if (text != null) {
      blocks.add(
          block(type, BlockPath.artifact(turn, type.name()))
              .author(Author.SYSTEM)
              .text(text)
              .build(turn, session.services().now()));
    }
  }

  private static Block.Builder block(BlockType type, @Nullable BlockPath path) {
    Block.Builder block = Block.builder(type);
    return path == null ? block : block.path(path);
  }

  /** The calls of the turn that have no result, in call order. */
  static List<Round> unanswered(Timeline timeline, TurnId turn) {
    Window window = timeline.window();
    Rounds rounds = Rounds.of(window);
    List<Round> open = new ArrayList<>();
    List<TimelineEntry> entries = window.entries();
    for (int i = 0; i < entries.size(); i++) {
      Round round = rounds.round(i).orElse(null);
      boolean call = rounds.place(i) == Rounds.Place.CALL && entries.get(i).turn().equals(turn);
      if (call && round != null && !round.answered()) {
        open.add(round);
      }
    }
    return open;
  }
}
