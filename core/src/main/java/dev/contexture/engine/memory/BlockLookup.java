package dev.contexture.engine.memory;

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

  /** Whether an actor acts in an agent's namespace: an agent does so only in its own. */
  static boolean mayActFor(Actor actor, String agent) {
    return !(actor instanceof Actor.Agent acting) || acting.id().equals(agent);
  }

  /**
   * The live block that an agent calls {@code label} or {@code owner/label}, for reading; empty if
   * there is none, it is not shared, or the namespace is another's.
   */
  Optional<BlockAccess> find(Actor actor, String agent, String address) {
    Scope.OfAgent namespace = services.scope().agent(agent); // checks its form
    int slash = address.indexOf('/');
    String owner = slash < 0 ? agent : address.substring(0, slash);
    String label = MemoryNames.check("label", address.substring(slash + 1));
    if (!mayActFor(actor, agent)) {
      return Optional.empty();
    }
    Scope.OfAgent from = slash < 0 ? namespace : services.scope().agent(owner);
    return services.rows().blockLabelled(from, label).flatMap(row -> through(actor, agent, row));
  }

  /** A live block by its id, in whatever namespace it is, if the actor may read it. */
  Optional<BlockRow> find(Actor actor, String id) {
    return services
        .rows()
        .block(services.scope(), id)
        .filter(row -> !row.deleted())
        .filter(
            row ->
                !(actor instanceof Actor.Agent agent)
                    || through(actor, agent.id(), row).isPresent());
  }

  /** As {@link #find}, for writing: refuses what cannot be reached. */
  BlockAccess require(Actor actor, String agent, String address) {
    requireNamespace(actor, agent);
    return find(actor, agent, address).orElseThrow(() -> MemoryRefusals.notFound(agent, address));
  }

  void requireNamespace(Actor actor, String agent) {
    if (!mayActFor(actor, agent)) {
      throw MemoryRefusals.foreign(actor, agent);
    }
  }

  /** The same block as it stands now; refused if it is gone or its share was revoked. */
  BlockAccess again(BlockAccess target) {
    BlockRow row =
        services
            .rows()
            .block(services.scope(), target.row().id())
            .filter(found -> !found.deleted())
            .orElseThrow(() -> MemoryRefusals.notFound(target.agent(), address(target)));
    return through(target.actor(), target.agent(), row)
        .orElseThrow(() -> MemoryRefusals.revoked(target.actor(), row.label(), row.owner()));
  }

  private static String address(BlockAccess target) {
    return target.owned()
        ? target.row().label()
        : target.row().owner() + "/" + target.row().label();
  }

  private Optional<BlockAccess> through(Actor actor, String agent, BlockRow row) {
    if (row.owner().equals(agent)) {
      return Optional.of(new BlockAccess(actor, agent, row, null));
    }
    @Nullable ShareRow share =
        services.rows().share(services.scope(), row.id(), agent).orElse(null);
    return share == null || share.level() == null
        ? Optional.empty()
        : Optional.of(new BlockAccess(actor, agent, row, share));
  }
}
