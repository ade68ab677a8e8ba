package dev.contexture.engine.memory.stored;

import dev.contexture.engine.memory.BlockTemplate;
import dev.contexture.memory.permission.Actor;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.AgentRow;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The agents of a project. Thread-safe. */
final class AgentRegistry {
  private final MemoryServices services;
  private final BlockLookup access;

  AgentRegistry(MemoryServices services, BlockLookup access) {
    this.services = services;
    this.access = access;
  }

  Optional<AgentRow> find(String agent) {
    return services.rows().agent(services.scope().agent(agent));
  }

  List<AgentRow> page(@Nullable String after, int limit) {
    return services.rows().agents(services.scope(), after, limit);
  }

  /**
   * Sets what is given and leaves the rest.
   *
   * @param partner the human to be asked, for example {@code human:pat}; empty: nobody
   */
  AgentRow put(
      Viewer viewer,
      String agent,
      @Nullable String name,
      @Nullable String description,
      @Nullable String partner) {
    services.scope().agent(agent); // checks its form
    access.requireNamespace(viewer, agent);
    AgentRow known = find(agent).orElse(new AgentRow(agent, "", "", services.now()));
    AgentRow wanted =
        new AgentRow(
            agent,
            name == null ? known.name() : name,
            description == null ? known.description() : description,
            known.createdAt(),
            partner == null ? known.partner() : partner.isEmpty() ? null : human(partner),
            known.template());
    int limit = services.limits().descriptionLength();
    MemoryRefusals.atMost("name", limit, wanted.name().length(), "characters");
    MemoryRefusals.atMost("description", limit, wanted.description().length(), "characters");
    put(wanted);
    return wanted;
  }

  private void put(AgentRow wanted) {
    WriteSet set =
        WriteSet.of(services.scope(), services.now()).add(new MemoryRow.PutAgent(wanted)).build();
    if (services.store().commit(set) instanceof Commit.Conflict conflict) {
      throw new IllegalStateException("an agent conflicts: " + conflict.reason());
    }
  }

  Optional<BlockTemplate> template(String agent) {
    return find(agent).map(AgentRow::template).map(BlockTemplate::of);
  }

  /** Sets the block that each user of an agent gets; null: none. */
  void template(String agent, @Nullable BlockTemplate template) {
    AgentRow known = find(agent).orElse(new AgentRow(agent, "", "", services.now()));
    put(
        new AgentRow(
            agent,
            known.name(),
            known.description(),
            known.createdAt(),
            known.partner(),
            template == null ? null : template.toJson()));
  }

  private static String human(String partner) {
    boolean dots = partner.equals("human:.") || partner.equals("human:..");
    if (!dots && Actor.parse(partner) instanceof Actor.Human human) {
      return human.toString();
    }
    throw MemoryRefusals.argument("partner", partner, "a human, for example human:pat");
  }
}
