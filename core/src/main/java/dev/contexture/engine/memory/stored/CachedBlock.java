package dev.contexture.engine.memory.stored;

import dev.contexture.block.Binary;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.engine.document.BlockSettingsReader;
import dev.contexture.engine.memory.BlockVersion;
import dev.contexture.engine.memory.row.BlockSteps;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.memory.DocumentChange;
import dev.contexture.memory.DocumentSnapshot;
import dev.contexture.memory.DocumentState;
import dev.contexture.memory.DocumentSubscriptions;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.DocumentRows;
import dev.contexture.store.memory.UpdateRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The committed content of one block, brought up to date with the store at each access. Everything
 * but the replicas is guarded by its lock, in which the writes of a process to a block queue.
 */
final class CachedBlock {
  private static final int OVERHEAD_BYTES = 2_048; // of an empty document and what surrounds it
  private static final int MAX_FREE_REPLICAS = 64;
  private static final int MIN_FOLDED_UPDATES = 50; // fewer are not worth a checkpoint
  private static final int CHECKPOINT_BYTES_PER_UPDATE = 1_024;

  final ReentrantLock lock = new ReentrantLock(true);
  final DocumentCache.Key key;
  final String id;
  int users; // guarded by the cache
  long bytes; // guarded by the cache, as of the last use
  private final MemoryServices services;
  private final ArrayDeque<ReplicaId> freeReplicas = new ArrayDeque<>(); // guarded by itself
  private @Nullable DocumentState state;
  private BlockSteps steps;
  private long sizeBytes;
  private int checkpointBytes;
  private @Nullable DocumentSnapshot shown;
  private @Nullable Rendered rendered;

  CachedBlock(DocumentCache.Key key, MemoryServices services) {
    this.key = key;
    this.id = key.block();
    this.services = services;
    this.steps = new BlockSteps(services.limits());
  }

  /**
   * Takes in what is newer in the store.
   *
   * @param block as it was read at this access
   * @param listeners who hears of updates that come from elsewhere
   * @return what they are to be told outside the lock
   */
  List<DocumentChange> sync(BlockRow block, @Nullable DocumentSubscriptions listeners) {
    DocumentState known = state;
    boolean current =
        known != null && known.version() >= block.seq() && known.oldest() >= block.checkpointSeq();
    if (current) {
      return List.of();
    }
    long after = known == null ? 0 : known.version();
    DocumentRows rows =
        services
            .rows()
            .document(services.scope(), id, after)
            .orElseThrow(() -> MemoryRefusals.notFound(block.owner(), block.user(), block.label()));
    boolean fresh = known == null || rows.checkpoint() != null;
    DocumentState base = fresh ? load(rows.checkpoint()) : Objects.requireNonNull(known);
    List<DocumentChange> told = new ArrayList<>();
    boolean tell = known != null && listeners != null && !listeners.isEmpty();
    BlockSchema schema = tell ? new BlockSettingsReader(rows.block()).schema() : null;
    for (UpdateRow update : rows.updates()) {
      apply(base, update, schema, told);
    }
    state = base;
    if (base.oldest() < rows.block().checkpointSeq()) {
      trim(rows.block().checkpointSeq());
    }
    return told;
  }

  private DocumentState load(@Nullable CheckpointRow checkpoint) {
    steps = new BlockSteps(services.limits());
    shown = null;
    rendered = null;
    sizeBytes = OVERHEAD_BYTES;
    checkpointBytes = 0;
    if (checkpoint == null) {
      return DocumentState.empty(services.freshReplica(), services.limits());
    }
    checkpointBytes = checkpoint.content().sizeBytes();
    sizeBytes += checkpointBytes;
    return DocumentState.load(
        checkpoint.seq(), checkpoint.content().bytes(), services.freshReplica(), services.limits());
  }

  private void apply(
      DocumentState base,
      UpdateRow update,
      @Nullable BlockSchema schema,
      List<DocumentChange> told) {
    Binary delta = Objects.requireNonNull(update.delta(), "the store gives content with updates");
    DocumentSnapshot before = schema == null ? null : base.snapshot(schema);
    base.apply(update.seq(), delta.bytes());
    steps.add(update);
    sizeBytes += delta.sizeBytes();
    if (schema != null && before != null) {
      BlockVersion version = MemoryRecords.version(update);
      told.add(
          new DocumentChange(
              update.seq(),
              DocumentChange.Origin.REMOTE,
              version.actor(),
              version.operation(),
              before.changedTo(base.snapshot(schema))));
    }
  }

  /** The content; {@link #sync} came before. */
  DocumentState state() {
    return Objects.requireNonNull(state, "not loaded");
  }

  boolean isLoaded() {
    return state != null;
  }

  BlockSteps steps() {
    return steps;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** After a commit of this process. */
  void committed(DocumentState next, UpdateRow update) {
    state = next;
    steps.add(update);
    sizeBytes += update.sizeBytes();
  }

  /**
   * Whether enough updates may be folded into a checkpoint: so many that writing it costs little
   * for each of them.
   *
   * @param checkpoint the one before
   */
  boolean isFoldable(long checkpoint) {
    int enough = Math.max(MIN_FOLDED_UPDATES, checkpointBytes / CHECKPOINT_BYTES_PER_UPDATE);
    return steps.foldable() - checkpoint > enough;
  }

  /**
   * After updates were folded into a checkpoint.
   *
   * @param trimmed an older state of this block without what the checkpoint contains
   */
  void consolidated(DocumentState trimmed, CheckpointRow checkpoint) {
    trimmed.follow(state());
    state = trimmed;
    steps.trim(checkpoint.seq());
    checkpointBytes = checkpoint.content().sizeBytes();
    sizeBytes = OVERHEAD_BYTES + checkpointBytes + steps.sizeBytes();
  }

  /** Forgets what a checkpoint contains. */
  private void trim(long checkpoint) {
    state().trim(checkpoint);
    steps.trim(checkpoint);
  }

  DocumentSnapshot snapshot(BlockSchema schema) {
    DocumentSnapshot known = shown;
    if (known == null || known.version() != state().version() || !known.schema().equals(schema)) {
      known = state().snapshot(schema);
      shown = known;
    }
    return known;
  }

  /** The text that prompts show of a version under a schema. */
  private record Rendered(long version, BlockSchema schema, String text) {}

  String render(BlockSchema schema) {
    Rendered known = rendered;
    if (known == null || known.version != state().version() || !known.schema.equals(schema)) {
      known = new Rendered(state().version(), schema, state().render(schema));
      rendered = known;
    }
    return known.text;
  }

  /**
   * An id under which nobody edits this document at the moment: one whose edits are all committed,
   * else a new one. So a block does not collect a replica for each edit.
   */
  ReplicaId takeReplica() {
    synchronized (freeReplicas) {
      ReplicaId free = freeReplicas.poll();
      return free == null ? services.freshReplica() : free;
    }
  }

  /** Gives ids back whose edits are all committed, or that made none. */
  void giveBack(List<ReplicaId> replicas) {
    synchronized (freeReplicas) {
      for (ReplicaId replica : replicas) {
        if (freeReplicas.size() < MAX_FREE_REPLICAS) {
          freeReplicas.push(replica);
        }
      }
    }
  }
}
