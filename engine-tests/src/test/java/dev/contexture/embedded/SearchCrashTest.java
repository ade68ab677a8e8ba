package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchOptions;
import dev.contexture.seeds.TestSeed;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.TurnStart;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed while it indexes leaves an index that continues: afterwards search finds
 * what the store holds, no more and no less (DESIGN section 5, M-86).
 */
class SearchCrashTest {
  private static final int KILLS = 4;
  private static final int WORDS = 50;
  private static final String USER = "u";

  @TempDir Path directory;

  /** What is killed: writes, searches and erases without end. */
  static final class Child {
    public static void main(String[] args) {
      Contexture engine = Contexture.open(Path.of(args[0])); // never closed: it is killed before
      SearchFixture fixture = new SearchFixture(engine);
      Random random = new Random(Long.parseLong(args[1]));
      for (int i = 0; ; i++) {
        String word = "w" + random.nextInt(WORDS);
        TurnStart start = TurnStart.prompt("prompt " + word + " mark").agent("a");
        start.supersede(TurnStart.Supersede.INTERRUPT);
        try (var turn = fixture.chat(USER, "c" + random.nextInt(3)).startTurn(start)) {
          turn.contribute(SearchFixture.by("Zoe", "note " + word + " mark"));
          if (random.nextInt(8) == 0) {
            turn.abort("no");
          } else {
            turn.finish("answer " + word + " mark");
          }
        }
        String id = "arc_" + args[1] + "_" + i;
        fixture.archive("a", id, "entry " + word + " mark", null);
        if (random.nextInt(6) == 0) {
          engine.store().eraseArchival(SCOPE, id, SearchFixture.NOON);
        }
        if (random.nextInt(5) == 0) {
          fixture.search("a", word);
        }
        if (i == 5) {
          System.out.println("going");
        }
      }
    }
  }

  @Test
  void searchEqualsTheStoreAfterKills() throws IOException, InterruptedException {
    Random random = TestSeed.random(7);
    for (int kill = 0; kill < KILLS; kill++) {
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Child.class.getName(),
                  directory.toString(),
                  String.valueOf(kill))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (BufferedReader lines = child.inputReader()) {
        assertThat(lines.readLine()).isEqualTo("going");
        Thread.sleep(200 + random.nextInt(2_500));
        child.destroyForcibly();
        assertThat(child.waitFor(2, TimeUnit.MINUTES)).isTrue();
      }
      try (Contexture engine = Contexture.open(directory)) {
        compare(engine);
      }
    }
    try (Contexture engine = Contexture.open(directory)) {
      List<String> continued = found(engine, "w1"); // with what stands next to it
      engine.search().rebuild(SCOPE, changes -> {});
      assertThat(found(engine, "w1")).containsExactlyElementsOf(continued);
      compare(engine);
    }
  }

  private static void compare(Contexture engine) {
    TreeSet<String> found = new TreeSet<>();
    for (int word = 0; word < WORDS; word++) {
      found.addAll(found(engine, "\"w" + word + " mark\""));
    }
    List<String> stored = stored(engine);
    assertThat(found).containsExactlyElementsOf(stored);
    assertThat(engine.search().indexStatus(SCOPE).entries()).isEqualTo(stored.size());
  }

  /** Everything that matches, by id. */
  private static List<String> found(Contexture engine, String query) {
    TreeSet<String> ids = new TreeSet<>();
    SearchOptions options = SearchOptions.builder().limit(SearchOptions.MAX_LIMIT).build();
    for (MemorySearchResult hit : engine.search().searchAll(SCOPE, query, options)) {
      ids.add(hit.id());
    }
    assertThat(ids).hasSizeLessThan(SearchOptions.MAX_LIMIT);
    return List.copyOf(ids);
  }

  /** Everything that can be found, by id, read from the store alone. */
  private static List<String> stored(Contexture engine) {
    TreeSet<String> ids = new TreeSet<>();
    for (ConversationEntry entry : engine.conversations(SCOPE.user(USER), null, 100)) {
      Scope.OfConversation conversation = entry.conversation();
      for (StoredTurn turn : turns(engine, conversation)) {
        if (turn.status() == TurnStatus.OPEN || turn.status().kept()) {
          for (StoredBlock block : engine.store().turnBlocks(conversation, turn.turn())) {
            if (block.block().text().filter(text -> text.endsWith("mark")).isPresent()) {
              ids.add(USER + "/" + conversation.conversation() + "/" + block.seq());
            }
          }
        }
      }
    }
    for (ArchivalRow row : archival(engine)) {
      ids.add(row.id());
    }
    return List.copyOf(ids);
  }

  private static List<StoredTurn> turns(Contexture engine, Scope.OfConversation conversation) {
    List<StoredTurn> turns = new ArrayList<>();
    List<StoredTurn> page = engine.store().turns(conversation, null, Store.MAX_PAGE);
    while (!page.isEmpty()) {
      turns.addAll(page);
      page = engine.store().turns(conversation, page.getLast().turn(), Store.MAX_PAGE);
    }
    return turns;
  }

  private static List<ArchivalRow> archival(Contexture engine) {
    List<ArchivalRow> rows = new ArrayList<>();
    Scope.OfAgent agent = SCOPE.agent("a");
    List<ArchivalRow> page = engine.store().memory().archival(agent, true, null, Store.MAX_PAGE);
    while (!page.isEmpty()) {
      rows.addAll(page);
      String last = page.getLast().id();
      page = engine.store().memory().archival(agent, true, last, Store.MAX_PAGE);
    }
    return rows;
  }
}
