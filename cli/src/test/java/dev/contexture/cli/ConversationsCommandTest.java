package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.cli.output.Printer;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code contexture conversations} and {@code contexture compact}, with and without a server. */
class ConversationsCommandTest {
  @TempDir Path directory;

  @BeforeEach
  void write() {
    Served.fill(directory, "c1", 12);
    Served.fill(directory, "c2", 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void listsThem(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      Run people = store.run("conversations", "list", "--user", "u");
      assertThat(people.exitCode()).as(people.err()).isZero();
      assertThat(people.out().lines())
          .hasSize(3)
          .anySatisfy(line -> assertThat(line).contains("c1", "12", "atlas"));
      Run programs = store.run("conversations", "list", "--user", "u", "--json", "--limit", "1");
      assertThat(Printer.objects(programs.json(), "conversations")).hasSize(1);
      assertThat(programs.json().isTrue("more")).isTrue();
      Run nobody = store.run("conversations", "list", "--user", "nobody");
      assertThat(nobody.exitCode()).isZero();
      assertThat(nobody.out()).isEmpty();
      assertThat(nobody.err()).contains("no conversations");
      assertThat(store.run("conversations", "list", "--user", "u", "--limit", "0").err())
          .contains("invalid_argument");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void showsOne(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      Run people = store.run("conversations", "show", "c1", "--user", "u");
      assertThat(people.exitCode()).as(people.err()).isZero();
      assertThat(people.out()).contains("12 turns", "complete");
      assertThat(store.run("conversations", "show", "c2", "--user", "u").out())
          .contains("1 turn, ", "0 summaries");
      assertThat(store.run("conversations", "show", "nope", "--user", "u").err())
          .startsWith("error: no conversation 'nope'");
      Run programs = store.run("conversations", "show", "c1", "--user", "u", "--json");
      assertThat(Printer.number(programs.json(), "turns")).isEqualTo(12);
      assertThat(Printer.objects(programs.json(), "turn_list")).hasSize(12);
      Run unknown = store.run("conversations", "show", "nope", "--user", "u", "--json");
      assertThat(unknown.exitCode()).isEqualTo(Main.FAILED);
      assertThat(unknown.json().string("code")).contains("not_found");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void erasesOneOnlyIfSure(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      Run unsure = store.run("conversations", "erase", "c1", "--user", "u");
      assertThat(unsure.exitCode()).isEqualTo(Main.FAILED);
      assertThat(unsure.err()).contains("12 turns", "add --yes");
      Run sure = store.run("conversations", "erase", "c1", "--user", "u", "--yes", "--json");
      assertThat(sure.json().string("erased")).contains("c1");
      assertThat(store.run("conversations", "show", "c1", "--user", "u").err())
          .contains("code: not_found");
      assertThat(store.run("conversations", "show", "c2", "--user", "u").exitCode()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void compactsOne(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      Run dry =
          store.run(
              "compact",
              "c1",
              "--user",
              "u",
              "--dry-run",
              "--policy",
              "economical",
              "--tokenizer",
              "chars4");
      assertThat(dry.exitCode()).as(dry.err()).isZero();
      assertThat(dry.out()).contains("dry run:", "would become one summary", "tokens before");
      Run fits = store.run("compact", "c1", "--user", "u", "--max-tokens", "100000");
      assertThat(fits.out()).contains("not needed");
      Run done = store.run("compact", "c1", "--user", "u", "--keep-recent-turns", "1", "--json");
      assertThat(done.json().string("status")).contains("completed");
      Run head = store.run("conversations", "show", "c1", "--user", "u", "--json");
      assertThat(Printer.number(head.json(), "summaries")).isEqualTo(1);
      assertThat(store.run("compact", "nope", "--user", "u").err()).contains("code: not_found");
      assertThat(store.run("compact", "c1", "--user", "u", "--policy", "x").err())
          .contains("invalid_config");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void explainsACompactionAndTakesItBack(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      String[] none = {"compact", "c1", "--user", "u", "--max-tokens", "100000", "--explain"};
      assertThat(store.run(none).out()).contains("there is no summary to explain");
      assertThat(store.run("compact", "c1", "--user", "u", "--withdraw").err())
          .contains("code: not_found", "there is no summary to withdraw");
      Run done = store.run("compact", "c1", "--user", "u", "--explain", "--json");
      String id = done.json().string("summary_id").orElseThrow();
      assertThat(done.json().string("receipt_of")).contains(id);
      assertThat(done.json().has("receipt")).isTrue();
      assertThat(store.run(none).out()).contains("not needed", id);
      Run back = store.run("compact", "c1", "--user", "u", "--withdraw");
      assertThat(back.out()).contains("summary " + id + " is taken back");
      Run again = store.run("compact", "c1", "--user", "u", "--withdraw", id, "--json");
      assertThat(again.json().string("summary_id")).contains(id);
      Run head = store.run("conversations", "show", "c1", "--user", "u", "--json");
      assertThat(Printer.number(head.json(), "summaries")).isZero();
      assertThat(store.run(none).out()).contains("there is no summary to explain");
    }
  }

  @Test
  void saysOnceWhyNothingWasCompacted() {
    try (Contexture engine = Contexture.open(directory)) {
      Scope.OfConversation chat = Scope.of("local", "local").user("u").conversation("c3");
      engine.browser(chat).startTurn("Hi").close();
    }
    Run run = Served.open(directory, false).run("compact", "c3", "--user", "u");
    assertThat(run.out()).as(run.err()).startsWith("no cut; the context has");
  }

  /** Who looked at the demo and then asks without {@code --data} is told where it is. */
  @Test
  void namesTheDemoThatLiesBeside() throws IOException {
    Path folder = directory.resolve("empty");
    Files.createDirectories(folder.resolve("contexture-demo"));
    Path nowhere = folder.resolve("contexture-data");
    String[] list = {"conversations", "list", "--user", "u"};
    assertThat(Served.open(nowhere, false).run(list).err()).doesNotContain("contexture-demo");
    Files.createFile(folder.resolve("contexture-demo").resolve(SqliteStore.FILE));
    assertThat(Served.open(nowhere, false).run(list).err())
        .contains("; that of the demo is in " + folder.resolve("contexture-demo"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "conversations list --user u",
        "conversations show c --user u",
        "conversations erase c --user u --yes",
        "memory list",
        "memory show a l",
        "memory edit a l --set x",
        "compact c --user u",
        "search x",
        "reindex",
        "backup copy"
      })
  void refusesADirectoryWithoutAStore(String command) {
    Path nowhere = directory.resolve("nowhere");
    Run run = Served.open(nowhere, false).run(command.split(" ", -1));
    assertThat(run.exitCode()).isEqualTo(Main.FAILED);
    assertThat(run.err()).contains("there is no store in", "--data", "code: not_found");
    assertThat(nowhere).doesNotExist();
  }
}
