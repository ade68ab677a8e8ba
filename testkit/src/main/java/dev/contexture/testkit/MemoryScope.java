package dev.contexture.testkit;

import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.BlockSettings;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.DocumentRows;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.MemoryPrecondition;
import dev.contexture.store.memory.MemoryReason;
import dev.contexture.store.memory.MemoryRow;
import dev.contexture.store.memory.MemoryWriteSet;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.UpdateRow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The memory of one scope as plain maps. Confined to the lock of its store. */
final class MemoryScope {
  final NavigableMap<String, AgentRow> agents = new TreeMap<>();
  final Map<String, BlockRow> blocks = new LinkedHashMap<>();
  final Map<String, NavigableMap<Long, UpdateRow>> updates = new LinkedHashMap<>();
  final Map<String, CheckpointRow> checkpoints = new LinkedHashMap<>();
  final Map<String, String> previews = new LinkedHashMap<>();
  final Map<ShareKey, ShareRow> shares = new LinkedHashMap<>();
  final NavigableMap<String, ArchivalRow> archival = new TreeMap<>();
  final Map<String, ConsentRow> consents = new LinkedHashMap<>();
  final NavigableMap<Long, MemoryEvent> events = new TreeMap<>();
  long lastEvent;

  /** Which share. */
  record ShareKey(String block, String agent) {}

  /** A copy of a scope, or an empty one. */
  MemoryScope(@Nullable MemoryScope other, long lastEvent) {
    this.lastEvent = lastEvent;
    if (other != null) {
      agents.putAll(other.agents);
      blocks.putAll(other.blocks);
      other.updates.forEach((block, rows) -> updates.put(block, new TreeMap<>(rows)));
      checkpoints.putAll(other.checkpoints);
      previews.putAll(other.previews);
      shares.putAll(other.shares);
      archival.putAll(other.archival);
      consents.putAll(other.consents);
      events.putAll(other.events);
    }
  }

  BlockRow block(String id) {
    return Objects.requireNonNull(blocks.get(id), id);
  }

  NavigableMap<Long, UpdateRow> updates(String block) {
    return updates.computeIfAbsent(block, id -> new TreeMap<>());
  }

  Stream<BlockRow> live() {
    return blocks.values().stream().filter(block -> !block.deleted());
  }

  @Nullable BlockRow labelled(String owner, String label) {
    return live()
        .filter(block -> block.owner().equals(owner) && block.label().equals(label))
        .findFirst()
        .orElse(null);
  }

  String name(ShareRow share) {
    AgentRow owner = agents.get(block(share.block()).owner());
    return owner == null ? "" : owner.name();
  }

  DocumentRows rows(String id, long afterSeq) {
    BlockRow block = block(id);
    boolean follows = afterSeq >= block.checkpointSeq();
    long from = follows ? afterSeq : block.checkpointSeq();
    return new DocumentRows(
        block,
        follows ? null : checkpoints.get(id),
        List.copyOf(updates(id).tailMap(from, false).values()));
  }

  Optional<MemoryReason> apply(MemoryWriteSet set) {
    for (MemoryPrecondition condition : set.preconditions()) {
      MemoryReason reason = judge(condition, set.at());
      if (reason != null) {
        return Optional.of(reason);
      }
    }
    for (MemoryRow row : set.rows()) {
      MemoryReason reason = apply(row, set.at());
      if (reason != null) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }

  private @Nullable MemoryReason judge(MemoryPrecondition condition, Instant at) {
    return switch (condition) {
      case MemoryPrecondition.SeqIs is -> seqIs(is.block(), is.seq());
      case MemoryPrecondition.SettingsAre are -> {
        BlockRow block = blocks.get(are.block());
        long actual = block == null ? 0 : block.settingsVersion();
        yield actual == are.version()
            ? null
            : new MemoryReason.SettingsDiffer(are.block(), are.version(), actual);
      }
      case MemoryPrecondition.ShareIs is -> {
        ShareRow share = shares.get(new ShareKey(is.block(), is.agent()));
        long actual = share == null ? 0 : share.version();
        yield actual == is.version()
            ? null
            : new MemoryReason.ShareDiffers(is.block(), is.agent(), is.version(), actual);
      }
      case MemoryPrecondition.CheckpointIs is -> {
        BlockRow block = blocks.get(is.block());
        long actual = block == null ? 0 : block.checkpointSeq();
        yield actual == is.seq()
            ? null
            : new MemoryReason.CheckpointDiffers(is.block(), is.seq(), actual);
      }
      case MemoryPrecondition.BlocksBelow below -> {
        long actual = live().filter(block -> block.owner().equals(below.owner())).count();
        yield actual < below.limit()
            ? null
            : new MemoryReason.TooManyBlocks(below.owner(), below.limit(), actual);
      }
      case MemoryPrecondition.ConsentsBelow below -> {
        long actual = consents.values().stream().filter(consent -> open(consent, at)).count();
        yield actual < below.limit()
            ? null
            : new MemoryReason.TooManyConsents(below.limit(), actual);
      }
    };
  }

  private @Nullable MemoryReason seqIs(String id, long expected) {
    BlockRow block = blocks.get(id);
    if (block == null) {
      return new MemoryReason.BlockGone(id);
    }
    return block.seq() == expected ? null : new MemoryReason.SeqDiffers(id, expected, block.seq());
  }

  private static boolean open(ConsentRow consent, Instant at) {
    return consent.answer() == null && consent.expiresAt().isAfter(at);
  }

  private @Nullable MemoryReason apply(MemoryRow row, Instant at) {
    return switch (row) {
      case MemoryRow.PutAgent put -> {
        AgentRow known = agents.get(put.agent().agent());
        AgentRow agent = put.agent();
        Instant created = known == null ? agent.createdAt() : known.createdAt();
        agents.put(
            agent.agent(),
            new AgentRow(
                agent.agent(), agent.name(), agent.description(), created, agent.partner()));
        yield null;
      }
      case MemoryRow.EnsureAgent ensure -> {
        agents.putIfAbsent(ensure.agent(), new AgentRow(ensure.agent(), "", "", at));
        yield null;
      }
      case MemoryRow.AddBlock add -> add(add, at);
      case MemoryRow.PutSettings put ->
          change(put.block(), false, block -> settings(block, put.settings(), at));
      case MemoryRow.AppendUpdate append -> append(append.block(), append.update(), at);
      case MemoryRow.PutPreview put -> {
        BlockRow block = blocks.get(put.block());
        if (block == null) {
          yield new MemoryReason.BlockGone(put.block());
        }
        previews.put(put.block(), put.text());
        blocks.put(put.block(), copy(block, block.settings(), 0, block.deleted(), put.size()));
        yield null;
      }
      case MemoryRow.DeleteBlock delete ->
          change(delete.block(), false, b -> copy(b, b.settings(), 1, true, b.size()));
      case MemoryRow.RestoreBlock restore -> restore(restore.block());
      case MemoryRow.Consolidate fold -> consolidate(fold.block(), fold.checkpoint());
      case MemoryRow.PutShare put ->
          change(
              put.block(),
              false,
              block -> {
                share(put.block(), put.agent(), put.level(), put.pinned(), at);
                return block;
              });
      case MemoryRow.RemoveShare remove -> {
        if (!blocks.containsKey(remove.block())) {
          yield new MemoryReason.BlockGone(remove.block());
        }
        ShareRow known = shares.get(new ShareKey(remove.block(), remove.agent()));
        if (known != null && known.level() != null) {
          share(remove.block(), remove.agent(), null, known.pinned(), at);
        }
        yield null;
      }
      case MemoryRow.AddArchival add ->
          archival.putIfAbsent(add.entry().id(), add.entry()) == null
              ? null
              : new MemoryReason.IdUsed(add.entry().id());
      case MemoryRow.AddConsent add ->
          consents.putIfAbsent(add.consent().id(), add.consent()) == null
              ? null
              : new MemoryReason.IdUsed(add.consent().id());
      case MemoryRow.AnswerConsent answer -> {
        ConsentRow consent = consents.get(answer.id());
        if (consent == null || !open(consent, at)) {
          yield new MemoryReason.ConsentClosed(answer.id());
        }
        consents.put(answer.id(), consent.answered(answer.answer()));
        yield null;
      }
      case MemoryRow.DropConsent drop -> {
        consents.remove(drop.id());
        yield null;
      }
      case MemoryRow.AddEvent add -> {
        lastEvent++;
        events.put(lastEvent, add.event().numbered(lastEvent));
        yield null;
      }
      case MemoryRow.IndexBlock index ->
          blocks.containsKey(index.block()) ? null : new MemoryReason.BlockGone(index.block());
      case MemoryRow.IndexArchival _unused -> null; // the store's outbox takes it
    };
  }

  private interface BlockChange {
    BlockRow of(BlockRow block);
  }

  /** Changes a block that must be live, or must be deleted. */
  private @Nullable MemoryReason change(String id, boolean deleted, BlockChange change) {
    BlockRow block = blocks.get(id);
    if (block == null || block.deleted() != deleted) {
      return new MemoryReason.BlockGone(id);
    }
    blocks.put(id, change.of(block));
    return null;
  }

  private @Nullable MemoryReason add(MemoryRow.AddBlock add, Instant at) {
    if (blocks.containsKey(add.block())) {
      return new MemoryReason.IdUsed(add.block());
    }
    BlockRow taken = labelled(add.owner(), add.label());
    if (taken != null) {
      return new MemoryReason.LabelTaken(add.owner(), add.label(), taken.id());
    }
    blocks.put(
        add.block(),
        new BlockRow(
            add.block(), add.owner(), add.label(), add.settings(), 1, 0, 0, 0, at, at, false));
    return null;
  }

  private static BlockRow settings(BlockRow block, BlockSettings settings, Instant at) {
    return touched(copy(block, settings, 1, false, block.size()), block.seq(), at);
  }

  private static BlockRow copy(
      BlockRow block, BlockSettings settings, int raise, boolean deleted, long size) {
    return new BlockRow(
        block.id(),
        block.owner(),
        block.label(),
        settings,
        block.settingsVersion() + raise,
        block.seq(),
        block.checkpointSeq(),
        size,
        block.createdAt(),
        block.updatedAt(),
        deleted);
  }

  private static BlockRow touched(BlockRow block, long seq, Instant at) {
    return new BlockRow(
        block.id(),
        block.owner(),
        block.label(),
        block.settings(),
        block.settingsVersion(),
        seq,
        block.checkpointSeq(),
        block.size(),
        block.createdAt(),
        at,
        block.deleted());
  }

  private @Nullable MemoryReason append(String id, UpdateRow update, Instant at) {
    BlockRow block = blocks.get(id);
    if (block != null && !block.deleted() && block.seq() != update.seq() - 1) {
      return new MemoryReason.SeqDiffers(id, update.seq() - 1, block.seq());
    }
    return change(
        id,
        false,
        known -> {
          updates(id).put(update.seq(), update);
          return touched(known, update.seq(), at);
        });
  }

  private @Nullable MemoryReason restore(String id) {
    BlockRow block = blocks.get(id);
    BlockRow taken =
        block == null || !block.deleted() ? null : labelled(block.owner(), block.label());
    return taken == null
        ? change(id, true, b -> copy(b, b.settings(), 1, false, b.size()))
        : new MemoryReason.LabelTaken(taken.owner(), taken.label(), taken.id());
  }

  private @Nullable MemoryReason consolidate(String id, CheckpointRow checkpoint) {
    BlockRow block = blocks.get(id);
    if (block == null) {
      return new MemoryReason.BlockGone(id);
    }
    if (checkpoint.seq() > block.seq()) {
      return new MemoryReason.SeqDiffers(id, checkpoint.seq(), block.seq());
    }
    if (checkpoint.seq() <= block.checkpointSeq()) {
      return new MemoryReason.CheckpointDiffers(id, checkpoint.seq(), block.checkpointSeq());
    }
    checkpoints.put(id, checkpoint);
    updates(id).headMap(checkpoint.seq(), true).replaceAll((seq, row) -> row.withoutDelta());
    blocks.put(
        id,
        new BlockRow(
            id,
            block.owner(),
            block.label(),
            block.settings(),
            block.settingsVersion(),
            block.seq(),
            checkpoint.seq(),
            block.size(),
            block.createdAt(),
            block.updatedAt(),
            block.deleted()));
    return null;
  }

  private void share(
      String block, String agent, @Nullable String level, boolean pinned, Instant at) {
    ShareRow known = shares.get(new ShareKey(block, agent));
    long version = known == null ? 1 : known.version() + 1;
    shares.put(new ShareKey(block, agent), new ShareRow(block, agent, level, pinned, version, at));
  }

  /** Removes a block and everything about it. */
  List<String> blocksOf(String owner) {
    return blocks.values().stream()
        .filter(block -> block.owner().equals(owner))
        .map(BlockRow::id)
        .toList();
  }

  List<String> archivalOf(String agent) {
    return archival.values().stream()
        .filter(entry -> entry.agent().equals(agent))
        .map(ArchivalRow::id)
        .toList();
  }

  void erase(String block, Map<String, Long> counts) {
    counts.merge("memory_blocks", 1L, Long::sum);
    counts.merge(
        "shares",
        shares.keySet().stream().filter(key -> key.block().equals(block)).count(),
        Long::sum);
    erase(block);
  }

  /** Removes an agent whose blocks and entries are gone. */
  void eraseAgent(String agent, Map<String, Long> counts) {
    long shared = shares.size();
    shares.keySet().removeIf(key -> key.agent().equals(agent));
    counts.merge("shares", shared - shares.size(), Long::sum);
    long happened = events.size();
    events.values().removeIf(event -> agent.equals(event.agent()));
    counts.merge("events", happened - events.size(), Long::sum);
    consents
        .values()
        .removeIf(consent -> consent.request().string("actor").orElse("").equals("agent:" + agent));
    counts.merge("agents", agents.remove(agent) == null ? 0L : 1L, Long::sum);
  }

  boolean erase(String id) {
    boolean existed = blocks.remove(id) != null;
    updates.remove(id);
    checkpoints.remove(id);
    previews.remove(id);
    shares.keySet().removeIf(key -> key.block().equals(id));
    events.values().removeIf(event -> id.equals(event.block()));
    consents.values().removeIf(consent -> id.equals(consent.block()));
    return existed;
  }
}
