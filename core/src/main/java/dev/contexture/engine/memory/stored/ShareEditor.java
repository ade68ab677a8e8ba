package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.SharedBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shares blocks between the agents of a project; what belongs to a user is seen there for that user
 * only. Thread-safe.
 */
final class ShareEditor {
  private static final int PAGE = 500;

  private final MemoryServices services;
  private final BlockLookup access;
  private final NoticeFeed feed;

  ShareEditor(MemoryServices services, BlockLookup access, NoticeFeed feed) {
    this.services = services;
    this.access = access;
    this.feed = feed;
  }

  void share(Viewer viewer, String owner, String label, String agent, MemoryPermission level) {
    services.scope().agent(agent); // checks its form
    if (agent.equals(owner)) {
      throw MemoryRefusals.argument("agent", agent, "another agent than the owner");
    }
    commit(
        viewer,
        owner,
        label,
        (target, known) -> {
          if (viewer.isAgent() && level.compareTo(target.level()) > 0) {
            throw target.denied("share", level);
          }
          requireKnown(agent); // who may not share it does not learn who there is
          boolean same = known != null && level.wireName().equals(known.level());
          boolean pinned = known == null || known.level() == null || known.pinned();
          WriteSet.Builder set = set(target, agent, known);
          set.add(new MemoryRow.PutShare(target.row().id(), agent, level.wireName(), pinned));
          return same ? null : finish(set, MemoryNotice.Kind.SHARED, target, "share");
        },
        agent);
  }

  private void requireKnown(String agent) {
    if (services.rows().agent(services.scope().agent(agent)).isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.NOT_FOUND, "agent", agent, "an agent of the project: make it known first");
    }
  }

  void unshare(Viewer viewer, String owner, String label, String agent) {
    commit(
        viewer,
        owner,
        label,
        (target, known) -> {
          if (known == null || known.level() == null) {
            return null;
          }
          WriteSet.Builder set = set(target, agent, known);
          set.add(new MemoryRow.RemoveShare(target.row().id(), agent));
          return finish(set, MemoryNotice.Kind.UNSHARED, target, "unshare");
        },
        agent);
  }

  /** The rows to be written about a share; null: nothing. */
  private interface Writing {
    @Nullable WriteSet of(BlockAccess target, @Nullable ShareRow known);
  }

  private void commit(Viewer viewer, String owner, String label, Writing writing, String agent) {
    for (int conflicts = 0; conflicts <= services.limits().writeAttempts(); conflicts++) {
      BlockAccess target = access.require(viewer, owner, label);
      if (!target.owned()) {
        throw MemoryRefusals.argument("label", label, "the label of an own block");
      }
      ShareRow known =
          services.rows().share(services.scope(), target.row().id(), agent).orElse(null);
      WriteSet set = writing.of(target, known);
      if (set == null) {
        return;
      }
      if (services.store().commit(set) instanceof Commit.Committed) {
        feed.committed();
        return;
      }
    }
    throw MemoryRefusals.tooManyConflicts(label, services.limits().writeAttempts() + 1);
  }

  private WriteSet.Builder set(BlockAccess target, String agent, @Nullable ShareRow known) {
    return target
        .expect(WriteSet.of(services.scope(), services.now()))
        .expect(
            new Precondition.ShareIs(
                target.row().id(), agent, known == null ? 0 : known.version()));
  }

  private WriteSet finish(
      WriteSet.Builder set, MemoryNotice.Kind kind, BlockAccess target, String operation) {
    MemoryRecords.Told says = new MemoryRecords.Told(target.actor(), operation, "");
    return set.add(
            new MemoryRow.AddEvent(
                MemoryRecords.event(kind, target.row(), target.row().seq(), says, services.now())))
        .build();
  }

  List<ShareRow> shares(Viewer viewer, String owner, String label) {
    return access
        .find(viewer, owner, label)
        .map(target -> services.rows().shares(services.scope(), target.row().id()))
        .orElse(List.of());
  }

  /**
   * Blocks that are shared with an agent; of an owner's block for all and the one for the user of
   * the same label the latter, as in lists of own blocks.
   */
  List<SharedBlock> sharedWith(Viewer viewer, String agent) {
    Scope.OfAgent reader = services.scope().agent(agent).forUser(viewer.user());
    if (!viewer.mayActFor(agent)) {
      return List.of();
    }
    List<SharedBlock> all = new ArrayList<>();
    List<SharedBlock> page;
    do {
      BlockRow.Cursor after = all.isEmpty() ? null : all.getLast().block().cursor();
      page = services.rows().sharedWith(reader, viewer.everybody(), after, PAGE);
      all.addAll(page);
    } while (page.size() == PAGE);
    if (viewer.user() != null) {
      Set<String> hidden =
          all.stream()
              .filter(shared -> shared.block().user() != null)
              .map(ShareEditor::address)
              .collect(Collectors.toSet());
      all.removeIf(shared -> shared.block().user() == null && hidden.contains(address(shared)));
    }
    return all;
  }

  private static String address(SharedBlock shared) {
    return shared.block().owner() + "/" + shared.block().label();
  }
}
