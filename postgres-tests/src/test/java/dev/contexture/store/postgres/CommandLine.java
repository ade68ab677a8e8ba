package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of the program, each a process. */
final class CommandLine {
  private CommandLine() {}

  /** What a command ended with, and what it said on both streams. */
  record Answer(int code, String text) {}

  static Answer run(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), text);
  }

  static String ok(String... arguments) throws IOException, InterruptedException {
    Answer answer = run(arguments);
    assertThat(answer.code()).as(String.join(" ", arguments) + ": " + answer.text()).isZero();
    return answer.text();
  }

  /** Commands that find the server of a directory do what they do beside SQLite. */
  static void assertWorks(Path data, PostgresSettings database)
      throws IOException, InterruptedException {
    String dir = data.toString();
    assertThat(ok("search", "wolpertinger", "--data", dir)).contains("wolpertinger");
    assertThat(ok("reindex", "--data", dir)).isNotEmpty();
    assertThat(ok("conversations", "list", "--user", "ann", "--data", dir)).contains("c1");
    String[] doctor = {
      "doctor", "--data", dir, "--jdbc-url", database.url(), "--jdbc-user", PostgresServer.ROLE
    };
    assertThat(ok(doctor))
        .contains("3 servers are at work on it")
        .contains("is bound by row-level security")
        .contains("5, the newest")
        .contains("it reaches back to the first one");
    doctor[doctor.length - 1] = "postgres";
    Answer unbound = run(doctor);
    assertThat(unbound.code()).isEqualTo(1);
    assertThat(unbound.text()).contains("postgres is a superuser or has BYPASSRLS");
    String keys = data.resolve("keys.json").toString();
    String added =
        ok("keys", "add", "--keys", keys, "--tenant", "t", "--project", "p", "--role", "admin");
    assertThat(added).isNotEmpty();
    assertThat(run("backup", "--data", dir, data + "-copy").text()).contains("PostgreSQL");
  }
}
