package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.engine.Contexture;
import dev.contexture.engine.conversation.Turn;
import dev.contexture.engine.conversation.TurnStart;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void buildsTheIndexAnew() {
    Run reindex = Run.of("reindex", "--data", directory.toString());
    assertThat(reindex.exitCode()).as(reindex.err()).isZero();
    assertThat(reindex.out()).contains("2 entries can be found");
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    String data = directory.toString();
    assertThat(Run.of("search", "x", "--data", data, "--mode", "magic").err())
        .contains("invalid_argument");
    assertThat(Run.of("search", "x", "--data", data, "--embedder", "magic").err())
        .contains("openai=MODEL@URL");
  }
}
