package dev.contexture.engine.turn;

import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.session.SessionState;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.store.Commit;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Contribution;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.AppendResult;
import dev.contexture.view.TailMemory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/** Adds blocks to an open turn. All methods run inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BlockAppender {
  private final Session session;
  private final TurnId turn;

  public BlockAppender(Session session, TurnId turn) {
    this.session = session;
    this.turn = turn;
  }

  public AppendResult contribute(
      List<Block.Builder> drafts, boolean persist, OptionalLong expected) {
    Instant now = session.services().now();
    List<Block> blocks = Contribution.of(drafts, turn, now, session.services().limits());
    return session.untilDone(() -> tryContribute(drafts, blocks, persist, expected, now));
  }

  private Optional<AppendResult> tryContribute(
      List<Block.Builder> drafts,
      List<Block> blocks,
      boolean persist,
      OptionalLong expected,
      Instant now) {
    Map<String, StoredBlock> known = known(blocks);
    List<Block> fresh = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      StoredBlock earlier = blocks.get(i).id().map(known::get).orElse(null);
      if (earlier == null) {
        fresh.add(blocks.get(i));
      } else {
        checkRepeat(i, drafts.get(i), earlier);
      }
    }
    Commit.Committed committed = new Commit.Committed(firstVersion(known), 0, 0);
    if (!fresh.isEmpty()) {
      Commit commit = persist ? append(fresh, expected, now) : keep(fresh, expected, now);
      if (Session.isOvertaken(commit) && expected.isEmpty()) {
        return Optional.empty();
      }
      committed = done(commit);
    }
    return Optional.of(answer(blocks, known, committed, persist));
  }

  /** Blocks that the conversation holds under these ids; those kept with the turn have seq 0. */
  private Map<String, StoredBlock> known(List<Block> blocks) {
    List<String> ids = blocks.stream().flatMap(block -> block.id().stream()).toList();
    if (ids.isEmpty()) {
      return Map.of();
    }
    SessionState current = session.current();
    Map<String, StoredBlock> known =
        new HashMap<>(session.services().store().blocksWithIds(session.scope(), ids));
    for (TimelineEntry entry : current.timeline().entries()) {
      Block block = entry.block();
      if (entry.seq().isEmpty() && block.id().filter(ids::contains).isPresent()) {
        known.put(block.id().orElseThrow(), new StoredBlock(0, current.version(), block));
      }
    }
    return known;
  }

  /** The same content is a repeat; turn and time count only if the caller gave them. */
  private static void checkRepeat(int index, Block.Builder draft, StoredBlock earlier) {
    Instant ts = earlier.block().ts().orElse(Instant.EPOCH);
    if (!draft.build(earlier.block().turn(), ts).equals(earlier.block())) {
      throw ContextureException.invalid(
          ErrorCode.ID_CONFLICT,
          "blocks[" + index + "].id",
          draft.id().orElse(""),
          "an unused id, or the same content as the block with seq " + earlier.seq());
    }
  }

  private static long firstVersion(Map<String, StoredBlock> known) {
    return known.values().stream().mapToLong(StoredBlock::version).max().orElse(0);
  }

  /** Appends blocks to the open turn; once committed they are durable. */
  private Commit append(List<Block> blocks, OptionalLong expected, Instant now) {
    Timeline timeline = session.current().timeline();
    session.services().limits().checkTurn(turn, blocksOfTurn(timeline) + blocks.size());
    WriteSet.Builder set = start(expected, now).append(rows(blocks));
    List<Visibility> hidden = hidden(blocks, timeline.nextSeq(), now);
    if (!hidden.isEmpty()) {
      set.expect(new Precondition.VersionIs(session.current().version()));
      set.add(new Row.PutVisibility(hidden));
    }
    set.note(note("block"));
    return session.commit(set.build(), before -> before.append(blocks));
  }

  private Commit keep(List<Block> blocks, OptionalLong expected, Instant now) {
    WriteSet.Builder set = start(expected, now).add(new Row.AddTransient(turn, blocks));
    set.note(note("block"));
    return session.commit(
        set.build(),
        before -> {
          Timeline after = before;
          for (Block block : blocks) {
            after = after.appendNotPersisted(block);
          }
          return after;
        });
  }

  public WriteSet.Builder start(OptionalLong expected, Instant now) {
    WriteSet.Builder set = WriteSet.of(session.scope(), now).expect(Precondition.open(turn));
    if (expected.isPresent()) {
      set.expect(new Precondition.VersionIs(expected.getAsLong()));
    }
    return set;
  }

  /**
   * Starts a set that is made from the current state and holds only for it. That the state is
   * another one is found out first, so that whoever was overtaken looks again.
   */
  WriteSet.Builder startNow(Instant now) {
    return WriteSet.of(session.scope(), now)
        .expect(new Precondition.VersionIs(session.current().version()))
        .expect(Precondition.open(turn));
  }

  public JsonObject note(String type) {
    return JsonObject.builder().put("type", type).put("turn_id", turn.value()).build();
  }

  /** The commit, or the error of its conflict. */
  public Commit.Committed done(Commit commit) {
    return switch (commit) {
      case Commit.Committed committed -> committed;
      case Commit.Conflict conflict -> throw session.conflict(conflict);
    };
  }

  /**
   * Blocks as they are stored: with the path that a result is about; what tells of memory goes with
   * that memory.
   */
  public static List<NewBlock> rows(List<Block> blocks) {
    return blocks.stream().map(BlockAppender::row).toList();
  }

  private static NewBlock row(Block block) {
    if (block.type().equals(BlockType.CONTEXT_TAIL)) {
      return new NewBlock(block, null, TailMemory.of(block));
    }
    if (!block.type().isResult()
        || block.text().filter(t -> t.contains("artifact_path")).isEmpty()) {
      return NewBlock.of(block);
    }
    BlockPath about =
        TimelineEntry.of(block)
            .jsonObject()
            .flatMap(json -> json.find("artifact_path"))
            .filter(JsonString.class::isInstance)
            .map(path -> ((JsonString) path).value())
            .filter(BlockPath::isValid)
            .map(BlockPath::parse)
            .orElse(null);
    return new NewBlock(block, about);
  }

  private static List<Visibility> hidden(List<Block> blocks, long firstSeq, Instant now) {
    List<Visibility> records = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i).hidden()) {
        String text = blocks.get(i).replacementText().orElse("");
        records.add(new Visibility(firstSeq + i, text, Visibility.Reason.API, now));
      }
    }
    return records;
  }

  private long blocksOfTurn(Timeline timeline) {
    long count = 0;
    List<TimelineEntry> entries = timeline.entries();
    for (int i = entries.size() - 1; i >= 0 && entries.get(i).turn().equals(turn); i--) {
      count++;
    }
    return count;
  }

  private AppendResult answer(
      List<Block> blocks, Map<String, StoredBlock> known, Commit.Committed done, boolean persist) {
    Map<Integer, OptionalLong> seqs = new HashMap<>();
    long next = done.firstSeq();
    for (int i = 0; i < blocks.size(); i++) {
      StoredBlock earlier = blocks.get(i).id().map(known::get).orElse(null);
      if (earlier != null) {
        seqs.put(i, earlier.seq() == 0 ? OptionalLong.empty() : OptionalLong.of(earlier.seq()));
      } else {
        seqs.put(i, persist ? OptionalLong.of(next++) : OptionalLong.empty());
      }
    }
    List<OptionalLong> ordered = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      ordered.add(seqs.get(i));
    }
    return new AppendResult(done.version(), ordered);
  }
}
