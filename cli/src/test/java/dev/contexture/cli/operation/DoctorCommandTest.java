package dev.contexture.cli.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.cli.Main;
import dev.contexture.cli.Run;
import dev.contexture.cli.Served;
import dev.contexture.cli.output.Printer;
import dev.contexture.json.JsonObject;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DoctorCommandTest {
  @TempDir Path folder;

  private Run doctor(Path data, String... more) {
    return Run.of(
        Stream.concat(Stream.of("doctor", "--data", data.toString()), Stream.of(more))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void findsASoundStoreSound(boolean byServer) {
    Served.fill(folder, "c", 2);
    try (Served store = Served.open(folder, byServer)) {
      Run people = store.run("doctor");
      assertThat(people.exitCode()).as(people.out()).isZero();
      assertThat(people.out())
          .contains("java", "directory", "disk", "1 conversations", "every row is sound", "schema")
          .contains(byServer ? "answers; version" : "no process has the store open")
          .doesNotContain("wrong");
      JsonObject json = store.run("doctor", "--json", "--quick").json();
      assertThat(json.isTrue("ok")).isTrue();
      assertThat(Printer.objects(json, "checks"))
          .extracting(check -> check.string("check").orElse(""))
          .contains("java", "settings", "directory", "disk", "server", "store", "schema", "index")
          .contains("erasures", "parked");
    }
  }

  @Test
  void findsDamage() throws IOException {
    Served.fill(folder, "c", 2);
    damage();
    Run run = doctor(folder);
    assertThat(run.exitCode()).isEqualTo(Main.FAILED);
    assertThat(run.out()).contains("wrong  store", "-> keep the directory as it is");
    assertThat(run.err()).isEmpty();
    assertThat(doctor(folder, "--quick").exitCode()).isZero();
  }

  private void damage() throws IOException {
    Path file = folder.resolve(SqliteStore.FILE);
    byte[] bytes = Files.readAllBytes(file);
    String content = new String(bytes, StandardCharsets.ISO_8859_1);
    bytes[content.indexOf("Where is windmill")] = 'w';
    Files.write(file, bytes);
  }

  @Test
  void findsAnOwnerThatServesNobody() {
    Served.fill(folder, "c", 1);
    try (SqliteStore store = SqliteStore.open(folder)) {
      store.check();
      Run run = doctor(folder);
      assertThat(run.exitCode()).isEqualTo(Main.FAILED);
      assertThat(run.out())
          .contains("wrong  server", "process " + ProcessHandle.current().pid(), "-> stop it");
    }
  }

  @Test
  void findsAServerThatDoesNotAnswer() {
    Served.fill(folder, "c", 1);
    try (SqliteStore store = SqliteStore.open(folder)) {
      store.announceServer("http://127.0.0.1:1");
      Run run = doctor(folder);
      assertThat(run.exitCode()).isEqualTo(Main.FAILED);
      assertThat(run.out()).contains("wrong  server", "does not answer");
    }
  }

  /** It is built anew by itself, so nothing is wrong. */
  @Test
  void saysThatTheIndexIsMissing() throws IOException {
    Served.fill(folder, "c", 1);
    Run.of("search", "windmill", "--data", folder.toString());
    assertThat(doctor(folder).out()).contains("ok     index      there");
    removeIndex();
    Run run = doctor(folder);
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("note   index      missing", "contexture reindex");
  }

  private void removeIndex() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("index"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void namesEntriesThatWereLeftOutOfTheIndexAndWhy() throws IOException {
    Served.fill(folder, "c", 1);
    if (Files.exists(folder.resolve("index"))) { // it is made in the background
      removeIndex();
    }
    damage();
    assertThat(Run.of("search", "windmill", "--data", folder.toString()).exitCode()).isZero();
    Run run = doctor(folder, "--quick");
    assertThat(run.out()).contains("note   parked     1 left out of the index", "local/local u/c/");
    assertThat(run.out())
        .contains("(the store cannot read it)", "contexture reindex tries them again");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void saysThatAnEraseIsPending() throws SQLException {
    Served.fill(folder, "c", 1);
    String url = "jdbc:sqlite:" + folder.resolve(SqliteStore.FILE);
    try (Connection reader = DriverManager.getConnection(url)) {
      reader.setAutoCommit(false);
      try (Statement statement = reader.createStatement();
          ResultSet rows = statement.executeQuery("SELECT count(*) FROM conversations")) {
        assertThat(rows.next()).isTrue();
      }
      try (Contexture engine = Contexture.open(folder)) {
        assertThat(engine.eraseUser(Scope.of("local", "local").user("u")).pending()).isTrue();
      }
      Run run = doctor(folder);
      assertThat(run.out()).contains("note   erasures   1 are not finished");
      assertThat(run.exitCode()).isZero();
      reader.rollback();
    }
    Run.of("search", "windmill", "--data", folder.toString());
    assertThat(doctor(folder).out()).contains("ok     erasures");
  }

  @Test
  void findsWhatIsNoStore() throws IOException {
    Run missing = doctor(folder.resolve("nowhere"));
    assertThat(missing.exitCode()).isEqualTo(Main.FAILED);
    assertThat(missing.out()).contains("there is no", "-> give --data");
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThat(doctor(file).out()).contains("is a file");
    assertThat(doctor(folder).out()).contains("note   store", "there is no store");
    Files.writeString(folder.resolve(SqliteStore.FILE), "this is a letter, not a database");
    Run foreign = doctor(folder);
    assertThat(foreign.exitCode()).isEqualTo(Main.FAILED);
    assertThat(foreign.out()).contains("it is no SQLite database", "-> give another directory");
  }

  @Test
  void namesVariablesThatNothingReads() {
    Run run =
        Run.with(
            Map.of("CONTEXTURE_PROT", "1", "CONTEXTURE_JAVA_OPTS", "-Xmx1g"),
            "doctor",
            "--data",
            folder.toString());
    assertThat(run.out())
        .contains("nothing reads the variable CONTEXTURE_PROT", "CONTEXTURE_PORT is meant")
        .doesNotContain("JAVA_OPTS");
    assertThat(List.of(run.exitCode())).containsExactly(Main.DONE);
  }
}
