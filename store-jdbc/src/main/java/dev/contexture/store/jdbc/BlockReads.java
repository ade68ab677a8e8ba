package dev.contexture.store.jdbc;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockCodec;
import dev.contexture.block.BlockPath;
import dev.contexture.block.TurnId;
import dev.contexture.error.Cancellation;
import dev.contexture.error.ContextureException;
import dev.contexture.store.StoredBlock;
import dev.contexture.timeline.ArchivedRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks of one conversation and checks each against its stamp. Binary content that several
 * blocks share is read once. Confined to one thread and one transaction.
 */
final class BlockReads {
  /** What {@link #read} takes of blocks {@code b}. */
  static final String COLUMNS = "SELECT b.id, b.version, b.wire, b.artifact, b.sha, b.stamp";

  private static final String FROM_BLOCKS = COLUMNS + " FROM blocks b";
  private static final String RANGE = FROM_BLOCKS + " WHERE id >= ? AND id <= ?";
  private static final String UNEXCLUDED =
      " AND turn NOT IN (SELECT t.id FROM turns t WHERE t.conv = ? AND t.status >= 3)";
  private static final String SIZE =
      "SELECT sum(octet_length(b.wire) + coalesce(octet_length(c.content), 0)) FROM blocks b"
          + " LEFT JOIN binaries c ON c.tenant = ? AND c.sha = b.sha WHERE b.id >= ? AND b.id <= ?";

  private final Db db;
  private final ConversationState state;
  private final String tenant;
  private final String name;
  private final Map<String, Binary> binaries = new HashMap<>();

  BlockReads(Db db, ConversationState state, String tenant, String name) {
    this.db = db;
    this.state = state;
    this.tenant = tenant;
    this.name = name;
  }

  List<StoredBlock> range(long from, long to, int limit) throws SQLException {
    long first = Math.max(from, 1);
    long last = Math.min(to, state.nextSeq - 1);
    return first > last
        ? List.of()
        : complete(
            db.sql(RANGE + " ORDER BY id LIMIT ?")
                .with(state.key(first), state.key(last), limit)
                .list(this::read));
  }

  /** From a sequence number on, without excluded turns and these ranges. */
  List<StoredBlock> window(long cut, List<ArchivedRange> archived) throws SQLException {
    List<StoredBlock> shown = new ArrayList<>();
    for (Part part : parts(cut, archived)) {
      shown.addAll(
          complete(
              db.sql(RANGE + UNEXCLUDED + " ORDER BY id")
                  .with(state.key(part.from), state.key(part.to), state.id)
                  .list(this::read)));
    }
    return shown;
  }

  /** How many bytes the content of {@link #window} has. Only sizes are read, no content. */
  long windowBytes(long cut, List<ArchivedRange> archived) throws SQLException {
    long bytes = 0;
    for (Part part : parts(cut, archived)) {
      bytes +=
          db.sql(SIZE + UNEXCLUDED)
              .with(tenant, state.key(part.from), state.key(part.to), state.id)
              .one(row -> row.getLong(1))
              .orElse(0L);
    }
    return bytes;
  }

  /** Sequence numbers between ranges that are not shown, both included. */
  private record Part(long from, long to) {}

  private List<Part> parts(long cut, List<ArchivedRange> archived) {
    List<Part> parts = new ArrayList<>();
    long from = cut;
    for (ArchivedRange range : archived) {
      parts.add(new Part(from, range.fromSeq() - 1));
      from = Math.max(from, range.toSeq() + 1);
    }
    parts.add(new Part(from, state.nextSeq - 1));
    parts.removeIf(part -> part.from > part.to);
    return parts;
  }

  /** What is shown again of a turn that a cut divides. */
  List<StoredBlock> carried(TurnId turn, long cut) throws SQLException {
    var split = state.turn(db, turn).orElse(null);
    if (split == null || split.firstSeq == 0 || split.firstSeq >= cut) {
      return List.of();
    }
    return complete(
        db.sql(
                RANGE
                    + " AND turn = ? AND (id = ? OR type IN ('turn.header', 'user.prompt',"
                    + " 'user.attachment.meta')) ORDER BY id")
            .with(
                state.key(split.firstSeq), state.key(cut - 1), split.id, state.key(split.firstSeq))
            .list(this::read));
  }

  List<StoredBlock> ofTurn(TurnId turn) throws SQLException {
    var found = state.turn(db, turn).orElse(null);
    return found == null || found.blocks == 0
        ? List.of()
        : complete(
            db.sql(RANGE + " AND turn = ? ORDER BY id")
                .with(state.key(found.firstSeq), state.key(found.lastSeq), found.id)
                .list(this::read));
  }

  List<StoredBlock> on(BlockPath path) throws SQLException {
    return complete(
        db.sql(
                FROM_BLOCKS
                    + " WHERE id IN (SELECT id FROM blocks WHERE conv = ? AND path = ?"
                    + " UNION SELECT id FROM blocks WHERE conv = ? AND artifact = ?) ORDER BY id")
            .with(state.id, path.text(), state.id, path.text())
            .list(this::read));
  }

  Map<String, StoredBlock> withIds(Collection<String> ids) throws SQLException {
    Map<String, StoredBlock> found = new LinkedHashMap<>();
    for (String id : ids) {
      for (StoredBlock block :
          complete(
              db.sql(FROM_BLOCKS + " WHERE conv = ? AND caller_id = ?")
                  .with(state.id, id)
                  .list(this::read))) {
        found.put(id, block);
      }
    }
    return found;
  }

  /** A block whose binary content may still have to be read. */
  record Found(StoredBlock block, @Nullable String sha) {}

  Found read(ResultSet row) throws SQLException {
    Cancellation.check();
    long key = row.getLong(1);
    long seq = ConversationState.seq(key);
    String wire = row.getString(3);
    String sha = row.getString(5);
    int crc = RowChecksum.crc(wire, row.getString(4), sha);
    RowChecksum.check(row.getLong(6), RowChecksum.of(key, crc), "block", seq + " of " + name);
    return new Found(new StoredBlock(seq, row.getLong(2), block(wire, seq)), sha);
  }

  private Block block(String wire, long seq) {
    try {
      return BlockCodec.readStored(RowCodec.parse(wire));
    } catch (ContextureException unreadable) {
      throw RowChecksum.damaged("block", seq + " of " + name, "cannot be read", unreadable);
    }
  }

  private List<StoredBlock> complete(List<Found> found) throws SQLException {
    List<StoredBlock> blocks = new ArrayList<>(found.size());
    for (Found each : found) {
      blocks.add(complete(each));
    }
    return blocks;
  }

  StoredBlock complete(Found found) throws SQLException {
    String sha = found.sha();
    return sha == null ? found.block() : with(found.block(), content(sha));
  }

  private static StoredBlock with(StoredBlock found, Binary content) {
    Block block = found.block().toBuilder().data(content).build();
    return new StoredBlock(found.seq(), found.version(), block);
  }

  /** The same for a block that is kept with a turn. */
  Block kept(String wire, @Nullable String sha) throws SQLException {
    Block block = block(wire, 0);
    return sha == null ? block : block.toBuilder().data(content(sha)).build();
  }

  private Binary content(String sha) throws SQLException {
    Binary known = binaries.get(sha);
    if (known == null) {
      known =
          content(db, tenant, sha)
              .orElseThrow(() -> RowChecksum.damaged("binary", sha, "is missing", null));
      binaries.put(sha, known);
    }
    return known;
  }

  static Optional<Binary> content(Db db, String tenant, String sha) throws SQLException {
    Optional<Binary> found =
        db.sql("SELECT content FROM binaries WHERE tenant = ? AND sha = ?")
            .with(tenant, sha)
            .one(row -> Binary.of(row.getBytes(1)));
    if (found.isPresent() && !found.get().sha256().equals(sha)) {
      throw RowChecksum.damaged("binary", sha, "fails its checksum", null);
    }
    return found;
  }
}
