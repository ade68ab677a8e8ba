package dev.contexture.store;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Visibility;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A row of a write set: rows of its conversation, which are here, and rows of the memory of its
 * project. Closed: every store writes all of them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Row permits Row.OfConversation, MemoryRow {
  /** A row of a conversation. */
  sealed interface OfConversation extends Row {}

  /**
   * Appends blocks, adjacent and in this order; the store gives them the next sequence numbers.
   * Their turns must exist, before the set or by an earlier row of it.
   */
  record AppendBlocks(List<NewBlock> blocks) implements OfConversation {
    public AppendBlocks {
      blocks = List.copyOf(blocks);
    }
  }

  /** Puts a turn: a new one, or new values of a known one; its blocks and feedback stay. */
  record PutTurn(TurnRow turn) implements OfConversation {}

  /** Adds a summary. Its id must be unused. */
  record PutSummary(Summary summary) implements OfConversation {}

  /** Marks a summary withdrawn. It must exist and not be withdrawn. */
  record WithdrawSummary(String id) implements OfConversation {}

  /** Adds an archived range. Its id must be unused. */
  record PutArchivedRange(ArchivedRange range) implements OfConversation {}

  /** Puts visibility records; a block's earlier one is replaced. */
  record PutVisibility(List<Visibility> records) implements OfConversation {
    public PutVisibility {
      records = List.copyOf(records);
    }
  }

  /** Drops the visibility records of these blocks; those without one are passed over. */
  record DropVisibility(Set<Long> seqs) implements OfConversation {
    public DropVisibility {
      seqs = Set.copyOf(seqs);
    }
  }

  /** Puts rows of the sources pool by sid; the next sid becomes higher than all of them. */
  record PutSources(List<SourceRow> sources) implements OfConversation {
    public PutSources {
      sources = List.copyOf(sources);
    }
  }

  /** Replaces the announce blocks that are kept with a turn; none clears them. */
  record SetAnnounce(TurnId turn, List<Block> blocks) implements OfConversation {
    public SetAnnounce {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * Keeps blocks with a turn that get no sequence number. Their place is behind the last block
   * stored so far, with those appended by earlier rows of the set.
   */
  record AddTransient(TurnId turn, List<Block> blocks) implements OfConversation {
    public AddTransient {
      blocks = List.copyOf(blocks);
    }
  }

  /** Keeps the pending answer with a turn; null clears it. */
  record SetPendingAnswer(TurnId turn, @Nullable JsonObject answer) implements OfConversation {}

  /** Drops all that is kept with a turn: announce, transient blocks, pending answer. */
  record ClearTurnScoped(TurnId turn) implements OfConversation {}

  /** Keeps a path in context; an earlier row of the path gives way to it. */
  record PutPin(PinRow pin) implements OfConversation {}

  /** Lets a path go, if it is kept. */
  record DropPin(BlockPath path) implements OfConversation {}

  /** Sets the title. */
  record SetTitle(String title) implements OfConversation {}

  /** Puts feedback on a turn; that of the same key is replaced. The turn must exist. */
  record PutFeedback(TurnId turn, Feedback feedback) implements OfConversation {}

  /** Drops the feedback of a key on a turn, if there is one. */
  record DropFeedback(TurnId turn, String key) implements OfConversation {}

  /** Keeps what an operation led to. Its key must be unused. */
  record PutOutcome(Outcome outcome) implements OfConversation {}

  /** Names a turn whose searchable content changed in the outbox. */
  record IndexTurn(TurnId turn) implements OfConversation {}

  /** Keeps when the prompt cache was last used. Raises no version. */
  record Touch(CacheTouch touch) implements OfConversation {}

  /**
   * Puts a request record; that of the same id is replaced, and content to which nothing refers any
   * more goes. The memory blocks that it names must exist. Raises no version.
   *
   * @param contents content that it refers to and that may not be there yet, written with it: where
   *     the record is refused, nothing of what was sent stays
   */
  record PutRequest(RequestRow request, List<Binary> contents) implements OfConversation {
    public PutRequest {
      contents = List.copyOf(contents);
    }

    public PutRequest(RequestRow request) {
      this(request, List.of());
    }
  }

  /**
   * Drops request records, and content to which nothing else refers; unknown ones are passed over.
   * Raises no version.
   */
  record DropRequests(Set<String> ids) implements OfConversation {
    public DropRequests {
      ids = Set.copyOf(ids);
    }
  }

  /**
   * Puts the epoch of an agent; the one before is replaced. The memory blocks that it names must
   * exist.
   */
  record PutEpoch(EpochRow epoch) implements OfConversation {}

  /** Keeps when the epoch of an agent was last used, if there is one. Raises no version. */
  record TouchEpoch(String agent, Instant at) implements OfConversation {}

  /** Whether a commit with this row raises the conversation's version. */
  default boolean raisesVersion() {
    boolean aside =
        this instanceof MemoryRow
            || this instanceof Touch
            || this instanceof TouchEpoch
            || this instanceof PutRequest
            || this instanceof DropRequests;
    return !aside;
  }

  /** How many records the row stands for. */
  default int recordCount() {
    return switch (this) {
      case AppendBlocks row -> row.blocks().size();
      case PutVisibility row -> row.records().size();
      case DropVisibility row -> row.seqs().size();
      case PutSources row -> row.sources().size();
      case DropRequests row -> row.ids().size();
      default -> 1;
    };
  }

  /** The callers' ids of the blocks that the row adds. */
  default List<String> blockIds() {
    List<String> ids = new ArrayList<>();
    switch (this) {
      case AppendBlocks row ->
          row.blocks().forEach(added -> added.block().id().ifPresent(ids::add));
      case AddTransient row -> row.blocks().forEach(block -> block.id().ifPresent(ids::add));
      default -> {} // adds none
    }
    return ids;
  }
}
