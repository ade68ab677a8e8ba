package dev.contexture.engine.turn;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Commit;
import dev.contexture.store.Outcome;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Contribution;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.ResultPart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Writes results that come when their call has ended: its turn is closed, or the engine answered it
 * as cancelled. They are told to the model as text of the newest turn, which names call and turn.
 * Inside the session's lock.
 */
final class LateResultWriter {
  private static final String CALL = "late_call";

  private final Session session;
  private final TurnId turn;

  /**
   * @param turn of the call
   */
  LateResultWriter(Session session, TurnId turn) {
    this.session = session;
    this.turn = turn;
  }

  String key(CallId call) {
    return "late:" + turn + ":" + call;
  }

  /** Empty: it was overtaken. */
  Optional<AppendResult> tryWrite(
      CallId call, String tool, List<ResultPart> parts, boolean error, String fingerprint) {
    Timeline timeline = session.current().timeline();
    TurnId target = target(timeline);
    Instant now = session.services().now();
    List<Block> blocks =
        Contribution.of(
            drafts(target, call, tool, parts, error), target, now, session.services().limits());
    JsonObject value =
        JsonObject.builder()
            .put("fingerprint", fingerprint)
            .put("first_seq", timeline.nextSeq())
            .put("count", blocks.size())
            .put("version", session.current().version() + 1)
            .put("late", true)
            .build();
    WriteSet set =
        WriteSet.of(session.scope(), now)
            .expect(new Precondition.VersionIs(session.current().version()))
            .append(BlockAppender.rows(blocks))
            .add(new Row.PutOutcome(new Outcome(key(call), target, value)))
            .note(new BlockAppender(session, target).note("block"))
            .build();
    Commit commit = session.commit(set, before -> before.append(blocks));
    if (Session.isOvertaken(commit)) {
      return Optional.empty();
    }
    Commit.Committed done = new BlockAppender(session, target).done(commit);
    List<OptionalLong> seqs = done.seqs().stream().map(OptionalLong::of).toList();
    return Optional.of(new AppendResult(done.version(), seqs, true));
  }

  /** The open turn, else the newest one: blocks of a turn are never apart. */
  private TurnId target(Timeline timeline) {
    return timeline.activeTurn().or(() -> newest(session)).orElse(turn);
  }

  /** The turn of the last block; one that is left out of context is not loaded. */
  private static Optional<TurnId> newest(Session session) {
    Timeline timeline = session.current().timeline();
    long last = timeline.nextSeq() - 1;
    List<TimelineEntry> entries = timeline.entries();
    return !entries.isEmpty() && entries.getLast().seq().orElse(0) == last
        ? Optional.of(entries.getLast().turn())
        : session.services().store().readRange(session.scope(), last, last, 1).stream()
            .map(stored -> stored.block().turn())
            .findFirst();
  }

  private List<Block.Builder> drafts(
      TurnId target, CallId call, String tool, List<ResultPart> parts, boolean error) {
    String label =
        "call "
            + call
            + (tool.isEmpty() ? "" : " of " + tool)
            + " in turn "
            + turn
            + (error ? ", which failed:" : ":");
    List<Block.Builder> drafts = new ArrayList<>();
    for (ResultPart part : parts) {
      Block told = part.block(turn, call, error).build(turn, Instant.EPOCH);
      Block.Builder draft =
          Block.builder(BlockType.TOOL_LATE_RESULT)
              .author(Author.TOOL)
              .path(BlockPath.artifact(target, "late_result." + call))
              .meta(CALL, JsonValue.of(call.value()))
              .meta("late_turn", JsonValue.of(turn.value()))
              .error(error)
              .text(told.text().map(text -> label + "\n" + text).orElse(label));
      told.data().ifPresent(data -> draft.mime(told.mime()).data(data));
      drafts.add(draft);
    }
    return drafts;
  }

  /**
   * Late results that nobody was told, since the newest turn is left out of context: copies for the
   * next one.
   */
  static List<Block> untold(Session session, TurnId next, Instant ts) {
    TurnId last = newest(session).filter(turn -> isLeftOut(session, turn)).orElse(null);
    return last == null
        ? List.of()
        : session.services().store().turnBlocks(session.scope(), last).stream()
            .map(StoredBlock::block)
            .filter(block -> block.type().equals(BlockType.TOOL_LATE_RESULT))
            .map(block -> block.toBuilder().turn(next).ts(ts).path(path(next, block)).build())
            .toList();
  }

  private static boolean isLeftOut(Session session, TurnId turn) {
    return session.turnRow(turn).filter(row -> !row.status().kept()).isPresent();
  }

  private static BlockPath path(TurnId turn, Block late) {
    return BlockPath.artifact(turn, "late_result." + late.meta().string(CALL).orElse(""));
  }
}
