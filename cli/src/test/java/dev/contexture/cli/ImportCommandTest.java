package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  @CsvSource(
      delimiter = '|',
      value = {
        "[{\"role\":\"user\",\"content\":\"a\"}] | openai",
        "[{\"role\":\"system\",\"content\":\"a\"}] | openai",
        "[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]}] | openai",
        "[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"}]}] | anthropic",
        "{\"system\":\"s\",\"messages\":[]} | anthropic",
        "{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[]}]} | openai",
      })
  void tellsTheFormatsApart(String chat, String format) throws IOException {
    assertThat(Chat.read(file("c.json", chat), "auto").getFirst().format()).isEqualTo(format);
  }

  /** All files are read before the first is written. */
  @Test
  void refusesWhatIsNoChat() throws IOException {
    Path good = file("good.json", OPENAI);
    Path both =
        file(
            "both.json",
            "[{\"role\":\"tool\",\"content\":\"x\"},"
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
    refused("code: invalid_argument", "signs of both formats", good, both);
    refused("code: import_malformed", "no chats", file("empty.jsonl", ""));
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
