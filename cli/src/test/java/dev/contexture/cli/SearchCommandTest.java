package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonValue;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.ServerOptions;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.turn.TurnStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code contexture search} and {@code contexture reindex}. */
class SearchCommandTest {
  @TempDir Path directory;

  @BeforeEach
  void write() {
    try (Contexture engine = Contexture.open(directory)) {
      Scope.OfConversation chat = Scope.of("local", "local").user("u").conversation("c");
      TurnStart start = TurnStart.prompt("Where is the windmill?").agent("atlas");
      try (Turn turn = engine.browser(chat).startTurn(start)) {
        turn.finish("Behind the hill.");
      }
    }
  }

  @Test
  void printsHitsForPeopleAndPrograms() {
    Run people = Run.of("search", "windmills", "--data", directory.toString(), "--agent", "atlas");
    assertThat(people.exitCode()).as(people.err()).isZero();
    assertThat(people.out()).contains("Where is the windmill?").contains("u/c/");
    Run programs =
        Run.of("search", "windmill", "--data", directory.toString(), "--json", "--mode", "hybrid");
    assertThat(programs.out()).contains("\"mode_used\":\"fts\"").contains("no_embedder");
  }

  @Test
  void takesSeveralWordsAndSaysThatNothingWasFound() {
    String data = directory.toString();
    Run words = Run.of("search", "where", "windmill", "--data", data);
    assertThat(words.exitCode()).as(words.err()).isZero();
    assertThat(words.out()).contains("Where is the windmill?");
    Run none = Run.of("search", "xyzzy", "plugh", "--data", data);
    assertThat(none.exitCode()).isZero();
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).contains("nothing found for 'xyzzy plugh'");
    assertThat(Run.of("search", "xyzzy", "--data", data, "--json").err()).isEmpty();
  }

  @Test
  void namesTheOptionsThatWereGiven() {
    String[][] bad = {
      {"--type", "foo"},
      {"--from", "x"},
      {"--to", "x"},
      {"--mode", "foo"},
      {"--limit", "-3"},
      {"--content", "all"},
      {"--min-similarity", "1.5"},
      {"--user", ""},
      {"--agent", " "}
    };
    for (String[] option : bad) {
      Run run = Run.of("search", "x", "--data", directory.toString(), option[0], option[1]);
      assertThat(run.exitCode()).as(option[0]).isEqualTo(Main.USAGE);
      assertThat(run.err()).startsWith("error: " + option[0] + " is '" + option[1] + "'");
    }
    assertThat(Run.of("conversations", "list", "--data", directory.toString(), "--user", "").err())
        .startsWith("error: --user is ''; allowed: an id");
  }

  @Test
  void saysWhyAHitWasFound() {
    String data = directory.toString();
    Run plain = Run.of("search", "windmill", "--data", data);
    assertThat(plain.out()).doesNotContain("why:");
    Run explained = Run.of("search", "windmills", "--data", data, "--explain");
    assertThat(explained.out())
        .containsPattern("why: number 1 by words \\(bm25 \\d+\\.\\d{4}\\); holds");
    Run misspelled = Run.of("search", "windmlil", "--data", data, "--explain");
    assertThat(misspelled.exitCode()).as(misspelled.err()).isZero();
    assertThat(misspelled.out())
        .contains("Where is the windmill?")
        .contains("windmlil taken for windmill");
    assertThat(misspelled.err()).contains("note: typos_forgiven: nothing holds these words");
  }

  @Test
  void showsAndFiltersArchivalEntries() {
    String data = directory.toString();
    String text = "The mill of Sanssouci. " + "It turns. ".repeat(60);
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(Scope.of("local", "local"));
      JsonValue year = JsonValue.parse("{\"year\":1744,\"place\":\"Potsdam\"}");
      memory.insertArchival("atlas", text, year);
      memory.insertArchival("atlas", "The mill of Kinderdijk", null);
    }
    String[] base = {"search", "mill", "--data", data, "--type", "archival"};
    assertThat(with(base).out()).contains("Kinderdijk").contains("Sanssouci");
    Run filtered = with(base, "--metadata", "year=1744", "--metadata", "place=Potsdam");
    assertThat(filtered.out()).contains("Sanssouci").doesNotContain("Kinderdijk");
    assertThat(with(base, "--metadata", "year=1745").err()).contains("nothing found");
    assertThat(with(base, "--content", "full").out()).contains(text.strip());
    assertThat(with(base).out()).doesNotContain(text.strip());
    assertThat(with(base, "--json").out()).doesNotContain("\"content\":");
    assertThat(with(base, "--json", "--content", "full").out()).contains("\"content\":");
    assertThat(with(base, "--metadata", "year").exitCode()).isEqualTo(Main.USAGE);
  }

  private static Run with(String[] base, String... more) {
    List<String> args = new ArrayList<>(List.of(base));
    args.addAll(List.of(more));
    return Run.of(args.toArray(String[]::new));
  }

  /** A server that has the store open is found through its lock file, and asked. */
  @Test
  void asksTheServerThatHasTheStoreOpen() {
    String data = directory.toString();
    try (Contexture engine = Contexture.open(directory);
        ContextureServer server =
            ContextureServer.start(engine, ServerOptions.local("test").withPort(0))) {
      ((SqliteStore) engine.store()).announceServer(server.address());
      for (String[] whose : new String[][] {{"--agent", "atlas"}, {"--user", "u"}, {}}) {
        List<String> args = new ArrayList<>(List.of("search", "windmills", "--data", data));
        args.addAll(List.of(whose));
        Run found = Run.of(args.toArray(String[]::new));
        assertThat(found.exitCode()).as(found.err()).isZero();
        assertThat(found.out()).contains("Where is the windmill?").contains("u/c/");
      }
      Run programs = Run.of("search", "windmill", "--data", data, "--json", "--mode", "vector");
      assertThat(programs.out()).contains("\"mode_used\":\"fts\"").contains("no_embedder");
      Run refused = Run.of("search", "(", "--raw", "--data", data);
      assertThat(refused.exitCode()).isEqualTo(Main.FAILED);
      assertThat(refused.err()).contains("invalid_argument");
      assertThat(Run.of("search", "windmill", "--data", data, "--tenant", "other").out()).isEmpty();
    }
    assertThat(Run.of("search", "windmill", "--data", data).out()).contains("windmill");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void buildsTheIndexAnew(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      Run reindex = store.run("reindex");
      assertThat(reindex.exitCode()).as(reindex.err()).isZero();
      assertThat(reindex.out()).contains("2 entries can be found");
      assertThat(store.run("reindex", "--json").json().toJson())
          .isEqualTo("{\"entries\":2,\"lag\":0}");
      assertThat(store.run("search", "windmill").out()).contains("windmill");
    }
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    String data = directory.toString();
    assertThat(Run.of("search", "x", "--data", data, "--mode", "magic").err())
        .contains("invalid_argument");
    assertThat(Run.of("search", "x", "--data", data, "--embedder", "magic").err())
        .contains("openai=MODEL@URL");
    assertThat(Run.of("search", "x", "--data", data, "--embedder", "local").err())
        .contains("contexture-embedder-local on the class path");
  }
}
