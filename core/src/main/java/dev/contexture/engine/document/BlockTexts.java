package dev.contexture.engine.document;

import dev.contexture.block.Binary;
import dev.contexture.block.Scope;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.memory.DocumentState;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Store;
import dev.contexture.store.memory.BlockPreview;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.DocumentRows;
import dev.contexture.store.memory.UpdateRow;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The texts by which blocks are listed and searched: kept with a block as long as they are short,
 * so that an edit of a large block does not write all of it; else made of the block's content when
 * they are asked for. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BlockTexts {
  /** Code points of the longest text that is kept. */
  public static final int MAX_KEPT = 5_000;

  private static final MemoryLimits READ = MemoryLimits.DEFAULT.withDocumentBytes(1 << 30);
  private static final ReplicaId READER = ReplicaId.of(1); // never edits

  private final Store store;
  private final Scope scope;

  public BlockTexts(Store store, Scope scope) {
    this.store = store;
    this.scope = scope;
  }

  /**
   * What is kept of a text.
   *
   * @param state the block's content
   */
  public static MemoryRow.PutPreview kept(String block, DocumentState state, BlockSchema schema) {
    long length = state.length(schema);
    return new MemoryRow.PutPreview(
        block, length > MAX_KEPT ? null : state.renderWithoutViewport(schema), length);
  }

  /** The same of a text that was made. */
  public static MemoryRow.PutPreview kept(String block, String text) {
    long length = text.codePointCount(0, text.length());
    return new MemoryRow.PutPreview(block, length > MAX_KEPT ? null : text, length);
  }

  /** The text of a block; empty if it has no content or does not exist. */
  public String of(BlockRow row) {
    return of(row, store.memory().preview(scope, row.id()).orElse(""));
  }

  /** The text of a block that was read with what is kept of it. */
  public String of(BlockPreview block) {
    return of(block.block(), block.text());
  }

  private String of(BlockRow row, String kept) {
    boolean made = kept.isEmpty() && row.size() > 0;
    return made
        ? store.memory().document(scope, row.id(), 0).map(BlockTexts::made).orElse("")
        : kept;
  }

  private static String made(DocumentRows rows) {
    CheckpointRow checkpoint = rows.checkpoint();
    DocumentState state =
        checkpoint == null
            ? DocumentState.empty(READER, READ)
            : DocumentState.load(checkpoint.seq(), checkpoint.content().bytes(), READER, READ);
    for (UpdateRow update : rows.updates()) {
      Binary delta = Objects.requireNonNull(update.delta(), "the store gives content with updates");
      state.apply(update.seq(), delta.bytes());
    }
    return state.renderWithoutViewport(new BlockSettingsReader(rows.block()).schema());
  }
}
