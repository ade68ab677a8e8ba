package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryNames;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ShareRow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds blocks as agents name them, and what is in force for them now. */
final class BlockLookup {
  private final MemoryServices services;

  BlockLookup(MemoryServices services) {
    this.services = services;
  }

  /**
   * The live block that an agent calls {@code label} or {@code owner/label}, for reading; empty if
   * there is none, it is not shared, or the namespace is another's. Where the agent reaches a block
   * of the user and one for all of that label, it is the user's.
   */
  Optional<BlockAccess> find(Viewer viewer, String agent, String address) {
    Scope.OfAgent namespace = services.scope().agent(agent); // checks its form
    int slash = address.indexOf('/');
    String owner = slash < 0 ? agent : address.substring(0, slash);
    String label = MemoryNames.check("label", address.substring(slash + 1));
    if (!viewer.mayActFor(agent)) {
      return Optional.empty();
    }
    Scope.OfAgent from = slash < 0 ? namespace : services.scope().agent(owner);
    return forUser(viewer, from, label)
        .flatMap(row -> through(viewer, agent, row))
        .or(
            () ->
                services
                    .rows()
                    .blockLabelled(from, label)
                    .flatMap(row -> through(viewer, agent, row)));
  }

  /** The live block of an id as an agent reaches it: its own, or one that is shared with it. */
  Optional<BlockAccess> reached(Viewer viewer, String agent, String id) {
    services.scope().agent(agent); // checks its form
    return viewer.mayActFor(agent)
        ? services
            .rows()
            .block(services.scope(), id)
            .filter(row -> !row.deleted())
            .flatMap(row -> through(viewer, agent, row))
        : Optional.empty();
  }

  private Optional<BlockRow> forUser(Viewer viewer, Scope.OfAgent owner, String label) {
    return viewer.user() == null
        ? Optional.empty()
        : services.rows().blockLabelled(owner.forUser(viewer.user()), label);
  }

  /**
   * A live block by its id, in whatever namespace it is, if the actor may read it: the host those
   * of all users, unless it looks for one of them.
   */
  Optional<BlockRow> find(Viewer viewer, String id) {
    return services
        .rows()
        .block(services.scope(), id)
        .filter(row -> !row.deleted())
        .filter(
            row ->
                viewer.actor() instanceof Actor.Agent agent
                    ? through(viewer, agent.id(), row).isPresent()
                    : isInView(viewer, row));
  }

  /** Whether a host means this block by its id: any, unless it looks for one user. */
  private static boolean isInView(Viewer viewer, BlockRow row) {
    return viewer.user() == null || viewer.sees(row.user());
  }

  /**
   * A block by its id, live or deleted, that a host restores or erases; null: there is none.
   *
   * @throws dev.contexture.error.ContextureException {@code block_not_found} if the host looks for
   *     another user than the one to whom it belongs
   */
  @Nullable BlockRow ofHost(Viewer viewer, String id) {
    BlockRow row = services.rows().block(services.scope(), id).orElse(null);
    if (row != null && !isInView(viewer, row)) {
      throw MemoryRefusals.notFound(row.owner(), viewer.user(), id);
    }
    return row;
  }

  /** As {@link #find}, for writing: refuses what cannot be reached. */
  BlockAccess require(Viewer viewer, String agent, String address) {
    requireNamespace(viewer, agent);
    return find(viewer, agent, address)
        .orElseThrow(() -> MemoryRefusals.notFound(agent, viewer.user(), address));
  }

  void requireNamespace(Viewer viewer, String agent) {
    if (!viewer.mayActFor(agent)) {
      throw MemoryRefusals.foreign(viewer.actor(), agent);
    }
  }

  /**
   * Whose something new of an agent is, checked.
   *
   * @param named the user that the call names; null: the one of the view
   * @return null: the agent's own
   */
  @Nullable String ownerOfNew(Viewer viewer, String agent, @Nullable String named) {
    String user = named == null ? viewer.user() : named;
    services.scope().agent(agent).forUser(user); // checks their form
    requireNamespace(viewer, agent);
    if (viewer.isAgent() && viewer.user() != null && !viewer.sees(user)) {
      throw MemoryRefusals.foreignUser(viewer.actor(), user);
    }
    return user;
  }

  /** The same block as it stands now; refused if it is gone or its share was revoked. */
  BlockAccess again(BlockAccess target) {
    BlockRow row =
        services
            .rows()
            .block(services.scope(), target.row().id())
            .filter(found -> !found.deleted())
            .orElseThrow(
                () ->
                    MemoryRefusals.notFound(target.agent(), target.row().user(), address(target)));
    return through(target.viewer(), target.agent(), row)
        .orElseThrow(() -> MemoryRefusals.revoked(target.actor(), row.label(), row.owner()));
  }

  private static String address(BlockAccess target) {
    return target.owned()
        ? target.row().label()
        : target.row().owner() + "/" + target.row().label();
  }

  private Optional<BlockAccess> through(Viewer viewer, String agent, BlockRow row) {
    if (!viewer.sees(row.user())) {
      return Optional.empty();
    }
    if (row.owner().equals(agent)) {
      return Optional.of(new BlockAccess(viewer, agent, row, null));
    }
    @Nullable ShareRow share =
        services.rows().share(services.scope(), row.id(), agent).orElse(null);
    return share == null || share.level() == null
        ? Optional.empty()
        : Optional.of(new BlockAccess(viewer, agent, row, share));
  }
}
