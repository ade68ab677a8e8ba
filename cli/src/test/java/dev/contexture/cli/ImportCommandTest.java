package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.output.Printer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code contexture import}, with and without a server. */
class ImportCommandTest {
  private static final String OPENAI =
      "[{\"role\":\"user\",\"content\":\"Weather in Oslo?\"},"
          + "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_1\","
          + "\"type\":\"function\",\"function\":{\"name\":\"weather\",\"arguments\":\"{}\"}}]},"
          + "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"4 degrees\"},"
          + "{\"role\":\"assistant\",\"content\":\"It is cold.\"}]";
  private static final String ANTHROPIC =
      "{\"system\":\"Be brief.\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"},"
          + "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Hello\"}]}]}";

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void importsOnceHoweverOften(boolean byServer) throws IOException {
    Path file = file("weather.json", OPENAI);
    try (Served store = Served.open(folder.resolve("data"), byServer)) {
      Run first = store.run("import", file.toString(), "--user", "u");
      assertThat(first.exitCode()).as(first.err()).isZero();
      assertThat(first.out()).contains("weather: 1 turn, ", "(openai)");
      Run again = store.run("import", file.toString(), "--user", "u", "--json");
      assertThat(again.exitCode()).as(again.err()).isZero();
      Run shown = store.run("conversations", "show", "weather", "--user", "u", "--json");
      assertThat(Printer.number(shown.json(), "turns")).isEqualTo(1);
      Run named =
          store.run("import", file.toString(), "--user", "u", "--conversation", "c7", "--json");
      assertThat(named.out()).contains("\"conversation_id\":\"c7\"");
    }
  }

  @Test
  void readsOneChatFromStandardInput() {
    InputStream before = System.in;
    try (Served store = Served.open(folder.resolve("data"), false)) {
      System.setIn(new ByteArrayInputStream(OPENAI.getBytes(StandardCharsets.UTF_8)));
      Run unnamed = store.run("import", "-", "--user", "u");
      assertThat(unnamed.exitCode()).isEqualTo(Main.USAGE);
      assertThat(unnamed.err()).contains("--conversation is absent");
      System.setIn(new ByteArrayInputStream(OPENAI.getBytes(StandardCharsets.UTF_8)));
      Run run = store.run("import", "-", "--user", "u", "--conversation", "c9");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).contains("c9: 1 turn, ");
    } finally {
      System.setIn(before);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void importsManyChatsOfOneFile(boolean byServer) throws IOException {
    Path file = file("chats.jsonl", OPENAI + "\n\n" + ANTHROPIC + "\n");
    try (Served store = Served.open(folder.resolve("data"), byServer)) {
      Run run = store.run("import", file.toString(), "--user", "u");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out())
          .contains("chats-1: 1 turn, ", "(openai)", "chats-3: 1 turn, ", "(anthropic)")
          .contains("1 instruction text is not part of the conversation");
      assertThat(run.err()).contains("import: 100 %");
      Run one = store.run("import", file.toString(), "--user", "u", "--conversation", "c");
      assertThat(one.err()).contains("--conversation is 'for 2 chats'");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void importsAnExportForAnAgentAndSaysWhatItIs(boolean byServer) throws IOException {
    Path file =
        file(
            "conversations.json",
            "[{\"uuid\":\"c-1\",\"name\":\"Tea\",\"chat_messages\":["
                + "{\"uuid\":\"m1\",\"sender\":\"human\",\"text\":\"How long?\","
                + "\"created_at\":\"2026-01-02T03:04:05Z\"},"
                + "{\"uuid\":\"m2\",\"sender\":\"assistant\",\"text\":\"Two minutes.\"}]}]");
    try (Served store = Served.open(folder.resolve("data"), byServer)) {
      String[] args = {"import", file.toString(), "--user", "u", "--agent", "atlas"};
      Run first = store.run(args);
      assertThat(first.exitCode()).as(first.err()).isZero();
      assertThat(first.out()).contains("c-1: 1 turn, 3 blocks (claude)");
      assertThat(store.run(args).out()).contains("c-1: nothing new, 1 turn as before (claude)");
      assertThat(store.run("conversations", "list", "--user", "u").out()).contains("Tea");
      Run other = store.run("import", file.toString(), "--user", "u", "--format", "chatgpt");
      assertThat(other.exitCode()).isEqualTo(Main.FAILED);
    }
  }

  @Test
  void saysWhatItWouldImport() throws IOException {
    Path file = file("weather.json", OPENAI);
    try (Served store = Served.open(folder.resolve("data"), true)) {
      Run tried = store.run("import", file.toString(), "--user", "u", "--dry-run");
      assertThat(tried.out()).contains("weather: 1 turn (openai)");
      assertThat(store.run("conversations", "list", "--user", "u").out()).doesNotContain("weather");
    }
  }

  @Test
  void exportsWhatAnotherStoreImports() throws IOException {
    Path archive = folder.resolve("u.jsonl");
    Path again = folder.resolve("again.jsonl");
    try (Served store = Served.open(folder.resolve("data"), true);
        Served other = Served.open(folder.resolve("other"), false)) {
      store.run("import", file("weather.json", OPENAI).toString(), "--user", "u");
      Run out = store.run("export", "--user", "u", "--output", archive.toString());
      assertThat(out.exitCode()).as(out.err()).isZero();
      Run in = other.run("import", archive.toString());
      assertThat(in.exitCode()).as(in.err()).isZero();
      assertThat(in.out()).contains("1 conversation, 1 turn, 0 memory blocks");
      assertThat(other.run("import", archive.toString()).out()).contains("1 as before");
      other.run("export", "--user", "u", "--output", again.toString());
      assertThat(lines(again)).isEqualTo(lines(archive));
      Run markdown =
          other.run("export", "--user", "u", "--conversation", "weather", "--format", "markdown");
      assertThat(markdown.out()).contains("# weather", "**User**", "It is cold.");
    }
  }

  /** The lines between the header, which has a time, and the end, without their hashes. */
  private static List<String> lines(Path archive) throws IOException {
    List<String> lines = Files.readAllLines(archive);
    return lines.subList(1, lines.size() - 1).stream()
        .map(line -> line.replaceFirst(",\"sha256\":\"[0-9a-f]{64}\"}$", ""))
        .toList();
  }

  @Test
  void refusesToExportWhatIsNotThere() throws IOException {
    try (Served store = Served.open(folder.resolve("data"), true)) {
      Path there = file("there.jsonl", "kept");
      for (String[] args :
          new String[][] {
            {"export"},
            {"export", "--conversation", "c"},
            {"export", "--user", "u", "--agent", "a"},
            {"export", "--user", "nobody"},
            {"export", "--agent", "nobody"},
            {"export", "--user", "u", "--format", "zip"},
            {"export", "--user", "u", "--output", there.toString()},
          }) {
        Run run = store.run(args);
        assertThat(run.exitCode()).as(String.join(" ", args)).isNotZero();
        assertThat(run.out()).isEmpty();
      }
      assertThat(there).hasContent("kept");
    }
  }

  @Test
  void refusesAnArchiveThatWasChanged() throws IOException {
    Path archive = folder.resolve("u.jsonl");
    try (Served store = Served.open(folder.resolve("data"), true)) {
      store.run("import", file("weather.json", OPENAI).toString(), "--user", "u");
      store.run("export", "--user", "u", "--output", archive.toString());
      Files.writeString(archive, Files.readString(archive).replaceFirst("It is cold", "It is hot"));
      Run changed = store.run("import", archive.toString());
      assertThat(changed.exitCode()).isEqualTo(Main.FAILED);
      assertThat(changed.err()).contains("import_malformed", "its hash does not fit");
      assertThat(store.run("import", archive.toString(), "--user", "other").err())
          .contains("it is taken in as it is");
    }
  }

  /** All files are read before the first is written. */
  @Test
  void refusesWhatIsNoChat() throws IOException {
    Path good = file("good.json", OPENAI);
    Path both =
        file(
            "both.json",
            "[{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"x\"},"
                + "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"}]}]");
    refused("code: malformed_json", "bad.json", good, file("bad.json", "{\"messages\":["));
    assertThat(
            Run.of(
                    "import",
                    "--user",
                    "u",
                    "--data",
                    folder.resolve("data").toString(),
                    file("e.json", "{\"a\":").toString())
                .err())
        .as("without the settings of a library")
        .doesNotContain("REDACTED", "StreamRead", "`");
    refused("code: import_malformed", "no.json", good, file("no.json", "{\"a\":1}"));
    refused("code: malformed_json", "line 2", good, file("x.jsonl", OPENAI + "\n{\n"));
    refused("code: not_found", "nowhere.json", good, folder.resolve("nowhere.json"));
    refused("code: import_malformed", "with signs of openai and anthropic", good, both);
    refused("code: import_malformed", "a file with chats", file("empty.jsonl", ""));
    refused("code: import_malformed", "claude_code (lines", file("u.json", "[{\"a\":1}]"));
    refused(
        "code: import_malformed",
        "in no format that is known",
        file("o.json", "{\"messages\":[]}"));
    assertThat(folder.resolve("data")).doesNotExist();
    assertThat(
            Served.open(folder.resolve("data"), false)
                .run("import", good.toString(), "--user", "u", "--format", "irc")
                .err())
        .contains("--format is 'irc'");
  }

  private void refused(String code, String message, Path... files) {
    String[] args = new String[files.length + 3];
    args[0] = "import";
    args[1] = "--user";
    args[2] = "u";
    for (int i = 0; i < files.length; i++) {
      args[i + 3] = files[i].toString();
    }
    Run run = Served.open(folder.resolve("data"), false).run(args);
    assertThat(run.exitCode()).isEqualTo(Main.FAILED);
    assertThat(run.err()).contains(code, message);
  }
}
