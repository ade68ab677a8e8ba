package dev.contexture.testkit;

import static dev.contexture.testkit.MemoryFixture.SHOP;
import static dev.contexture.testkit.MemoryFixture.adding;
import static dev.contexture.testkit.MemoryFixture.appending;
import static dev.contexture.testkit.MemoryFixture.archival;
import static dev.contexture.testkit.MemoryFixture.consent;
import static dev.contexture.testkit.MemoryFixture.event;
import static dev.contexture.testkit.MemoryFixture.settings;
import static dev.contexture.testkit.MemoryFixture.stored;
import static dev.contexture.testkit.MemoryFixture.writing;
import static dev.contexture.testkit.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Store;
import dev.contexture.store.memory.AgentRow;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Equal ids in another scope share nothing: every method that reads or writes memory (T-3, M-1).
 */
abstract class StoreMemoryTenancyContract extends StoreTests {
  /** Which parts of the scope a method takes. */
  private enum Level {
    TENANT,
    PROJECT,
    AGENT
  }

  private record Probe(Level level, BiFunction<Store, Scope.OfAgent, Object> call) {}

  private static final Scope.OfAgent OURS = SHOP.agent("atlas");
  private static final List<String> BLOCKS = List.of("mem_1", "mem_2", "mem_3", "mem_4");

  private static Scope.OfAgent foreign(Level part) {
    return switch (part) {
      case TENANT -> Scope.of("acme2", "shop").agent("atlas");
      case PROJECT -> Scope.of("acme", "shop2").agent("atlas");
      case AGENT -> SHOP.agent("bert");
    };
  }

  private static Map<String, Probe> reads() {
    Map<String, Probe> reads = new LinkedHashMap<>();
    Level agent = Level.AGENT;
    Level project = Level.PROJECT;
    reads.put("agent", new Probe(agent, (s, a) -> s.memory().agent(a)));
    reads.put("agents", new Probe(project, (s, a) -> s.memory().agents(a.scope(), null, 9)));
    reads.put("block", new Probe(project, (s, a) -> s.memory().block(a.scope(), "mem_1")));
    reads.put("blockLabelled", new Probe(agent, (s, a) -> s.memory().blockLabelled(a, "notes")));
    reads.put("blocks", new Probe(agent, (s, a) -> s.memory().blocks(a, null, 9)));
    reads.put("deletedBlocks", new Probe(agent, (s, a) -> s.memory().deletedBlocks(a, null, 9)));
    reads.put(
        "blocksWithPrefix",
        new Probe(project, (s, a) -> s.memory().blocksWithPrefix(a.scope(), "", null, 9)));
    reads.put("document", new Probe(project, (s, a) -> s.memory().document(a.scope(), "mem_1", 0)));
    reads.put(
        "history", new Probe(project, (s, a) -> s.memory().history(a.scope(), "mem_1", 0, 9)));
    reads.put("preview", new Probe(project, (s, a) -> s.memory().preview(a.scope(), "mem_1")));
    reads.put(
        "previews", new Probe(project, (s, a) -> s.memory().previews(a.scope(), List.of("mem_1"))));
    reads.put(
        "sharedAmong",
        new Probe(agent, (s, a) -> s.memory().sharedAmong(a, false, List.of("mem_2"))));
    reads.put(
        "archivalEntries",
        new Probe(project, (s, a) -> s.memory().archivalEntries(a.scope(), List.of("arc_1"))));
    reads.put("share", new Probe(project, (s, a) -> s.memory().share(a.scope(), "mem_1", "carl")));
    reads.put("shares", new Probe(project, (s, a) -> s.memory().shares(a.scope(), "mem_1")));
    reads.put("sharedWith", new Probe(agent, (s, a) -> s.memory().sharedWith(a, false, null, 9)));
    reads.put(
        "archivalEntry",
        new Probe(project, (s, a) -> s.memory().archivalEntry(a.scope(), "arc_1")));
    reads.put("archival", new Probe(agent, (s, a) -> s.memory().archival(a, true, null, 9)));
    reads.put("users", new Probe(agent, (s, a) -> s.memory().users(a, null, 9)));
    reads.put("consent", new Probe(project, (s, a) -> s.memory().consent(a.scope(), "con_1")));
    reads.put("consents", new Probe(project, (s, a) -> s.memory().consents(a.scope(), 9)));
    reads.put("lastEvent", new Probe(project, (s, a) -> s.memory().lastEvent(a.scope())));
    reads.put("events", new Probe(project, (s, a) -> s.memory().events(a.scope(), 0, 9)));
    reads.put(
        "activity",
        new Probe(
            project, (s, a) -> s.memory().activity(a.scope(), null, true, NOW, Long.MAX_VALUE, 9)));
    reads.put(
        "outlivedEvents",
        new Probe(project, (s, a) -> s.memory().outlivedEvents(a.scope(), NOW.plusSeconds(1), 9)));
    return reads;
  }

  private static Map<String, Probe> writes() {
    Map<String, Probe> writes = new LinkedHashMap<>();
    Level project = Level.PROJECT;
    writes.put(
        "commit",
        new Probe(
            project,
            (s, a) ->
                s.commit(
                    writing(
                            a.scope(),
                            new MemoryRow.PutAgent(new AgentRow("atlas", "X", "", NOW)),
                            new MemoryRow.PutSettings("mem_1", settings("foreign")),
                            appending("mem_1", 2, "foreign"),
                            new MemoryRow.RemoveShare("mem_1", "carl"),
                            new MemoryRow.DropConsent("con_1"),
                            event("mem_1", "foreign"),
                            new MemoryRow.DeleteBlock("mem_1"))
                        .build())));
    writes.put("eraseAgent", new Probe(Level.AGENT, (s, a) -> s.eraseAgent(a, NOW)));
    writes.put(
        "eraseMemoryBlock",
        new Probe(project, (s, a) -> s.eraseMemoryBlock(a.scope(), "mem_1", NOW)));
    writes.put(
        "eraseArchival", new Probe(project, (s, a) -> s.eraseArchival(a.scope(), "arc_1", NOW)));
    writes.put(
        "eraseEvents",
        new Probe(project, (s, a) -> s.eraseEvents(a.scope(), NOW.plusSeconds(1), 0, 9, NOW)));
    return writes;
  }

  private void fill(Scope scope) {
    stored(
        store,
        writing(
            scope,
            new MemoryRow.EnsureAgent("atlas"),
            adding("mem_1", "atlas", "notes"),
            adding("mem_2", "zoe", "theirs"),
            adding("mem_3", "atlas", "deleted"),
            adding("mem_4", "atlas", "u42", "personal"),
            new MemoryRow.DeleteBlock("mem_3"),
            appending("mem_1", 1, "ours"),
            new MemoryRow.PutPreview("mem_1", "ours", 4),
            new MemoryRow.PutShare("mem_1", "carl", "Append", true),
            new MemoryRow.PutShare("mem_2", "atlas", "Append", true),
            new MemoryRow.AddArchival(archival("arc_1", "atlas", "ours")),
            new MemoryRow.AddConsent(consent("con_1", "mem_1", "ours")),
            event("mem_1", "ours")));
  }

  private Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    reads().forEach((name, probe) -> state.put(name, probe.call().apply(store, OURS)));
    return state;
  }

  @Test
  void theMemoryMatrixHasEveryMethod() {
    Set<String> methods = new TreeSet<>();
    for (Method method : MemoryReader.class.getDeclaredMethods()) {
      methods.add(method.getName());
    }
    assertThat(reads().keySet()).containsExactlyInAnyOrderElementsOf(methods);
  }

  @TestFactory
  Stream<DynamicTest> memoryReadsSeeNothingOfAnotherScope() {
    Map<String, Object> nothing = state();
    fill(SHOP);
    return reads().entrySet().stream()
        .flatMap(
            read ->
                Stream.of(Level.values())
                    .filter(part -> part.compareTo(read.getValue().level()) <= 0)
                    .map(
                        part ->
                            DynamicTest.dynamicTest(
                                read.getKey() + " in another " + part,
                                () -> {
                                  var call = read.getValue().call();
                                  assertThat(call.apply(store, foreign(part)))
                                      .isEqualTo(nothing.get(read.getKey()));
                                  assertThat(call.apply(store, OURS))
                                      .isNotEqualTo(nothing.get(read.getKey()));
                                })));
  }

  @TestFactory
  Stream<DynamicTest> memoryWritesChangeNothingOfAnotherScope() {
    fill(SHOP);
    Map<String, Object> before = state();
    return writes().entrySet().stream()
        .flatMap(
            write ->
                Stream.of(Level.TENANT, Level.PROJECT)
                    .map(
                        part ->
                            DynamicTest.dynamicTest(
                                write.getKey() + " in another " + part,
                                () -> {
                                  Scope.OfAgent foreign = foreign(part);
                                  for (String id : BLOCKS) {
                                    store.eraseMemoryBlock(foreign.scope(), id, NOW);
                                  }
                                  store.eraseArchival(foreign.scope(), "arc_1", NOW);
                                  fill(foreign.scope());
                                  Object done = write.getValue().call().apply(store, foreign);
                                  assertThat(done).isNotEqualTo(false);
                                  assertThat(state()).isEqualTo(before);
                                })));
  }
}
