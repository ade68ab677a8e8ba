package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.search.SearchOptions;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * For any users, agents, tools, shares, moves and searches: no text of one user is in a request, a
 * search, an event or a list of another.
 */
class UserMemoryProperties {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final List<String> USERS = List.of("alice", "bob", "carl");
  private static final List<String> AGENTS = List.of("atlas", "bert");
  private static final List<String> LABELS = List.of("notes", "diary", "plan");

  @Property(tries = 12)
  void nothingOfOneUserReachesAnother(@ForAll long seed) throws IOException {
    Path directory = Files.createTempDirectory("contexture-users");
    try (Contexture engine =
        Contexture.open(directory, settings -> settings.clock(FakeClock.atStart()))) {
      new Run(engine, seed).run();
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
      }
    }
  }

  /** The word that everything of a user says, and nothing else. */
  private static String secret(String user) {
    return "zz" + user + "zz";
  }

  /** One random history. */
  private static final class Run {
    private final Contexture engine;
    private final Random random;
    private final MemoryStore memory;
    private int number;

    Run(Contexture engine, long seed) {
      this.engine = engine;
      this.random = new Random(seed);
      this.memory = engine.memory(SHOP);
    }

    void run() {
      AGENTS.forEach(agent -> memory.putAgent(agent, null, null));
      for (int step = 0; step < 60; step++) {
        try {
          act();
        } catch (ContextureException refused) {
          // a label that is taken or gone: what a random history asks for may not be possible
          assertThat(refused.code()).isNotNull();
        }
      }
      for (String user : USERS) {
        for (String agent : AGENTS) {
          check(user, agent);
        }
      }
    }

    private String one(List<String> all) {
      return all.get(random.nextInt(all.size()));
    }

    private String label(String user) {
      return one(LABELS) + (random.nextBoolean() ? "" : "-" + secret(user));
    }

    private void act() {
      String user = one(USERS);
      String agent = one(AGENTS);
      MemoryStore own = memory.forUser(user);
      String text = "tea " + secret(user) + " " + number++;
      switch (random.nextInt(13)) {
        case 0 -> tool(user, agent, "block", create(user));
        case 1 ->
            tool(
                user,
                agent,
                "recall",
                JsonObject.builder().put("op", "insert").put("content", text));
        case 2 -> own.createBlock(agent, spec(label(user)).content(text));
        case 3 -> memory.insertArchival(agent, user, text, JsonValue.of(secret(user)));
        case 4 -> edit(own, agent, text);
        case 5 -> share(own, agent);
        case 6 ->
            mine(own, agent)
                .forEach(block -> own.actingAs(Actor.system()).deleteBlock(agent, block.label()));
        case 7 -> memory.createBlock(agent, spec(one(LABELS)).content("tea for all " + number));
        case 8 -> say(user, agent, text);
        case 9 -> shareForAll(agent);
        case 10 -> unshare(own, agent);
        case 11 -> reachById(own, user, agent);
        default -> handOver(user, agent);
      }
    }

    private static BlockSpec spec(String label) {
      return BlockSpec.of(label, MemoryBlockType.CORE);
    }

    private JsonObject.Builder create(String user) {
      return JsonObject.builder()
          .put("op", "create")
          .put("label", label(user))
          .put("description", "about " + secret(user));
    }

    private static List<BlockMetadata> mine(MemoryStore own, String agent) {
      return own.listBlocks(agent).stream().filter(block -> block.user() != null).limit(1).toList();
    }

    private static void edit(MemoryStore own, String agent, String text) {
      for (BlockMetadata block : mine(own, agent)) {
        own.edit(
            agent,
            block.label(),
            text,
            document -> {
              document.append("\n" + text);
              return true;
            });
      }
    }

    private static String other(String agent) {
      return agent.equals("atlas") ? "bert" : "atlas";
    }

    /** A block for all, whose label a user may have too, shared or not. */
    private void shareForAll(String owner) {
      memory.shareBlock(owner, one(LABELS), other(owner), MemoryPermission.APPEND);
    }

    /** What a host does by id for one user leaves the blocks of the others as they are. */
    private void reachById(MemoryStore own, String user, String agent) {
      for (BlockMetadata block : memory.forEverybody().listBlocks(agent)) {
        String owner = block.user();
        if (owner != null && !owner.equals(user)) {
          assertThatThrownBy(() -> own.purgeBlock(block.id()))
              .isInstanceOf(ContextureException.class);
          assertThatThrownBy(() -> own.restoreBlock(block.id()))
              .isInstanceOf(ContextureException.class);
          assertThat(memory.forEverybody().describeBlock(block.id())).isPresent();
        }
      }
      own.listDeletedBlocks(agent).stream().limit(1).forEach(block -> own.restoreBlock(block.id()));
    }

    private void unshare(MemoryStore own, String owner) {
      own.unshareBlock(owner, one(LABELS), other(owner));
    }

    private void share(MemoryStore own, String owner) {
      String other = other(owner);
      for (BlockMetadata block : mine(own, owner)) {
        own.shareBlock(owner, block.label(), other, MemoryPermission.APPEND);
      }
    }

    /**
     * A block for all that says something of one user is given to that user before anybody asks.
     */
    private void handOver(String user, String agent) {
      String label = "moved" + number++;
      memory.createBlock(agent, spec(label).content("tea " + secret(user)));
      memory.move(agent, new MemoryStore.Move(List.of(label), List.of(), user, false));
    }

    private void say(String user, String agent, String text) {
      ContextBrowser chat = engine.browser(SHOP.user(user).conversation("c" + number));
      try (Turn turn = chat.startTurn(TurnStart.prompt(text).agent(agent))) {
        turn.finish(text);
      }
    }

    private String tool(String user, String agent, String tool, JsonObject.Builder params) {
      ContextBrowser chat = engine.browser(SHOP.user(user).conversation("tools"));
      try (Turn turn = chat.startTurn(TurnStart.prompt("tea").agent(agent))) {
        AgentTools tools = engine.agentTools(chat, agent);
        String arguments = params.build().toJson();
        String answer =
            tools.run(new ToolCall(new CallId("tc_1"), null, tool, arguments)).json().toJson();
        turn.finish("done");
        return answer;
      }
    }

    private void check(String user, String agent) {
      MemoryStore seen = memory.forUser(user);
      List<Object> all = new ArrayList<>();
      all.add(seen.listBlocks(agent));
      all.add(seen.listSharedBlocks(agent));
      all.add(seen.listDeletedBlocks(agent));
      for (SharedBlockInfo shared : seen.listSharedBlocks(agent)) {
        String address = shared.owner() + "/" + shared.label();
        assertThat(
                seen.getBlockMetadata(agent, address)) // a name means what lists and prompts show
            .map(BlockMetadata::id)
            .contains(shared.blockId());
        all.add(seen.getSnapshot(agent, address).orElseThrow().value());
      }
      all.add(seen.listArchival(agent, null, 500));
      all.add(seen.notices(0, 1_000));
      all.add(
          seen.activity(Instant.EPOCH, Long.MAX_VALUE, 500).stream()
              .map(MemoryEvent::details)
              .toList());
      all.add(seen.listBlocksByLabelPrefix(""));
      all.add(
          seen.search(
              agent,
              "tea zzalicezz zzbobzz zzcarlzz",
              SearchOptions.DEFAULT.toBuilder().limit(500).build()));
      all.add(engine.activity(SHOP).forUser(user).render(agent, 100));
      for (BlockMetadata block : seen.listBlocks(agent)) {
        all.add(seen.getSnapshot(agent, block.label()).orElseThrow().value());
        all.add(seen.history(agent, block.label(), 0, 99));
        all.add(seen.listShares(agent, block.label()));
      }
      all.add(
          tool(user, agent, "search", JsonObject.builder().put("query", "tea").put("limit", 100)));
      all.add(
          tool(
              user,
              agent,
              "recall",
              JsonObject.builder().put("op", "search").put("query", "tea").put("limit", 100)));
      all.add(tool(user, agent, "block", JsonObject.builder().put("op", "list")));
      ContextBrowser chat = engine.browser(SHOP.user(user).conversation("ask"));
      try (Turn turn = chat.startTurn(TurnStart.prompt("tea?").agent(agent))) {
        all.add(
            turn.request("claude-opus-5")
                .agent(agent)
                .activity(engine.activity(SHOP))
                .build()
                .body());
      }
      for (String other : USERS) {
        if (!other.equals(user)) {
          assertThat(all).noneSatisfy(part -> assertThat(part.toString()).contains(secret(other)));
        }
      }
    }
  }
}
