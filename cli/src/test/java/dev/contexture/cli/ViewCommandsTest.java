package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.demo.Demo;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What the inspector shows, in a terminal. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ViewCommandsTest {
  private static final String TENT = "late-tent";
  private Path directory;

  @BeforeAll
  void load(@TempDir Path given) {
    directory = given.resolve("data");
    Demo.load(directory);
  }

  private Run run(String... args) {
    try (Served store = Served.open(directory, false)) {
      return store.run(args);
    }
  }

  private String done(String... args) {
    Run run = run(args);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void usersHaveTheirConversations() {
    assertThat(done("users")).contains("USER", "hanna");
    assertThat(run("users", "--limit", "0").err()).contains("--limit is '0'");
  }

  @Test
  void pagesGoOnBehindTheirCursor() {
    Run first = run("requests", "list", TENT, "--user", "hanna", "--limit", "10");
    assertThat(first.err()).contains("there are more: --cursor ");
    String cursor = first.err().replaceAll("(?s).*--cursor (\\S+).*", "$1");
    String rest = done("requests", "list", TENT, "--user", "hanna", "--cursor", cursor);
    assertThat(rest.lines()).hasSize(8); // with the head
    assertThat(first.out()).doesNotContain(rest.lines().toList().get(1).split(" ", 2)[0]);
    assertThat(run("users", "--cursor", "nowhere").err()).contains("cursor");
  }

  @Test
  void messagesAreWhatWasSaid() {
    assertThat(done("conversations", "show", TENT, "--user", "hanna", "--messages"))
        .contains("user.prompt", "My order NK-20418 should have come on Friday")
        .contains("react.tool.call", "conv.range.summary");
  }

  @Test
  void whatOthersWroteDoesNothingToTheTerminal() {
    try (Served store = Served.open(directory, false)) {
      Run taken =
          store.run("import", evil().toString(), "--user", "mallory", "--conversation", "c1");
      assertThat(taken.exitCode()).as(taken.err()).isZero();
    }
    assertThat(done("conversations", "show", "c1", "--user", "mallory", "--messages"))
        .contains("\\x1b[2J", "\\u202e")
        .doesNotContain("\u001b", "\u202e");
    assertThat(done("search", "cleared", "--user", "mallory"))
        .contains("\\x1b[2J")
        .doesNotContain("\u001b", "\u202e");
  }

  private Path evil() {
    String text = JsonValue.of("cleared \u001b[2J and \u202e turned").toJson();
    try {
      return Files.writeString(
          directory.resolveSibling("evil.json"), "[{\"role\":\"user\",\"content\":" + text + "}]");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Test
  void requestsAreListedShownAndCompared() {
    JsonObject page =
        (JsonObject)
            JsonValue.parse(
                done("requests", "list", TENT, "--user", "hanna", "--limit", "200", "--json"));
    List<JsonObject> requests = Printer.objects(page, "requests");
    assertThat(requests).hasSize(17);
    assertThat(done("requests", "list", TENT, "--user", "hanna"))
        .contains("REQUEST", "USD")
        .containsPattern("claude-opus-5 +[0-9]+ +[1-9][0-9]* +[0-9]+ +extends");
    String id = requests.get(3).string("request_id").orElseThrow();
    assertThat(done("requests", "show", TENT, id, "--user", "hanna"))
        .contains(id, "SECTION", "history", "cache marks: /");
    assertThat(done("requests", "show", TENT, "--user", "hanna", "--body"))
        .contains("\"messages\"", "\"model\"");
    assertThat(done("requests", "diff", TENT, id, "--user", "hanna"))
        .contains("unchanged (", " removed, ", "+ ");
    assertThat(done("requests", "list", TENT, "--user", "hanna"))
        .contains("rebased: cold_cache", "rebased: compaction", "rebased: first");
    assertThat(done("requests", "diff", TENT, "--user", "hanna"))
        .contains("begun anew (cold_cache): the last call was longer ago than the cache lives");
    String compacted = requests.get(4).string("request_id").orElseThrow();
    assertThat(done("requests", "diff", TENT, compacted, "--user", "hanna"))
        .contains("begun anew (compaction): a summary stands for what was sent before");
    assertThat(run("requests", "show", TENT, "rq_none", "--user", "hanna").err())
        .contains("not_found");
  }

  @Test
  void requestsSayWhyTheyHoldWhatTheyHold() {
    assertThat(done("requests", "why", TENT, "--user", "hanna"))
        .contains("PART", "it stands for blocks 1 to 45", "left out: memory_block case_log")
        .contains("shortened: block tc:t6_return.tc_toolu_ret2.result, hidden");
    assertThat(done("requests", "why", TENT, "--user", "hanna", "--path", "ar:t4_cold.user.prompt"))
        .contains("summarized (summarized): ", "pin its path", "the summary says: ");
    assertThat(done("requests", "why", TENT, "--user", "hanna", "--path", "persona", "--json"))
        .contains("\"status\":\"sent\"");
  }

  @Test
  void aBlockHasAHistoryAndWaysBack() {
    assertThat(done("memory", "history", "mira", "customer"))
        .contains("VERSION", "from the customer record");
    assertThat(done("memory", "show", "mira", "customer")).contains("contacts: 3");
    assertThat(done("memory", "undo", "mira", "customer")).contains("can be taken back");
    assertThat(done("memory", "show", "mira", "customer")).contains("contacts: 2");
    assertThat(done("memory", "undo", "mira", "customer", "--redo")).contains("version 7");
    assertThat(done("memory", "restore", "mira", "customer", "--at", "2"))
        .contains("version 8 has the content of version 2");
    assertThat(done("memory", "show", "mira", "customer"))
        .contains("contacts: 1")
        .doesNotContain("Jotunheimen");
    assertThat(done("memory", "undo", "mira", "customer")).contains("version 9");
    assertThat(done("memory", "show", "mira", "customer")).contains("Jotunheimen");
    assertThat(run("memory", "restore", "mira", "customer", "--at", "99").exitCode()).isNotZero();
  }
}
