package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** H-8: what was erased is in no file any more, whoever reads the database meanwhile. */
class ServerEraseTest {
  private static final String C = "/v1/users/u1/conversations/c1";
  private static final String OTHER = "/v1/users/u2/conversations/c1";
  private static final String A = "/v1/agents/atlas";
  private static final String SECRET = "zebrasecret";
  private static final int WRITES = 30;

  @TempDir Path directory;
  private String entry = "";

  enum Kind {
    TURN,
    CONVERSATION,
    BLOCK,
    ARCHIVAL,
    AGENT,
    USER,
    PROJECT
  }

  private void fill(TestServer served, Kind kind) {
    created(served.post(OTHER + "/turns", "{\"prompt\":\"hello\",\"turn_id\":\"t1\"}"));
    if (kind == Kind.BLOCK || kind == Kind.AGENT || kind == Kind.PROJECT) {
      created(
          served.post(
              A + "/blocks",
              "{\"label\":\"notes\",\"block_type\":\"core\",\"content\":\"" + SECRET + "\"}"));
    }
    if (kind == Kind.ARCHIVAL || kind == Kind.AGENT || kind == Kind.PROJECT) {
      TestServer.Got made = served.post(A + "/archival", "{\"content\":\"" + SECRET + "\"}");
      entry = made.string("id");
    }
    if (kind == Kind.USER) {
      created(
          served.post(
              A + "/blocks",
              "{\"label\":\"own\",\"block_type\":\"core\",\"user\":\"u1\",\"content\":\""
                  + SECRET
                  + "\"}"));
      created(served.post(A + "/archival", "{\"user\":\"u1\",\"content\":\"" + SECRET + "\"}"));
    }
    if (kind == Kind.BLOCK || kind == Kind.AGENT) {
      String opening = "{\"prompt\":\"hello\",\"turn_id\":\"t1\",\"agent\":\"atlas\"}";
      created(served.post(C + "/turns", opening));
      assertThat(request(served)).as("it is in a record").contains(SECRET);
    }
    if (kind == Kind.TURN
        || kind == Kind.CONVERSATION
        || kind == Kind.USER
        || kind == Kind.PROJECT) {
      created(
          served.post(
              C + "/turns",
              "{\"prompt\":\"" + SECRET + "\",\"turn_id\":\"t1\",\"agent\":\"atlas\"}"));
      assertThat(request(served)).contains(SECRET);
      served.post(C + "/turns/t1/finish", "{\"completion\":\"" + SECRET + "\"}");
    }
    assertThat(served.post("/v1/search", "{\"query\":\"" + SECRET + "\"}").text())
        .as("it is in the index")
        .contains(SECRET);
  }

  private static String request(TestServer served) {
    TestServer.Got got =
        served.post(
            C + "/request",
            "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"atlas\"}");
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got.text();
  }

  private static void created(TestServer.Got got) {
    assertThat(got.status()).as(got.text()).isEqualTo(201);
  }

  private TestServer.Got erase(TestServer served, Kind kind) {
    return switch (kind) {
      case TURN -> served.send("DELETE", C + "/turns/t1", null);
      case CONVERSATION -> served.send("DELETE", C, null);
      case BLOCK ->
          served.send("DELETE", A + "/blocks/notes?purge=true", null, "X-Actor", "human:pat");
      case ARCHIVAL -> served.send("DELETE", A + "/archival/" + entry, null);
      case AGENT -> served.send("DELETE", A, null);
      case USER -> served.send("DELETE", "/v1/users/u1", null);
      case PROJECT -> served.send("DELETE", "/v1/project", null, "X-Confirm", "local");
    };
  }

  private List<String> filesWithSecret() throws IOException {
    List<String> hits = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = content(file);
        if (bytes != null && bytes.toLowerCase(Locale.ROOT).contains(SECRET)) {
          hits.add(file.getFileName().toString());
        }
      }
    }
    return hits;
  }

  /** Null: the index has removed the file meanwhile. */
  private static @Nullable String content(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return null;
    }
  }

  private Connection reader() throws SQLException {
    Connection reader =
        DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("contexture.db"));
    reader.setAutoCommit(false);
    try (var statement = reader.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM conversations")) {
      rows.next();
    }
    return reader;
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void nothingIsLeftOnceItSaysSo(Kind kind) throws Exception {
    try (TestServer served = new TestServer(directory)) {
      fill(served, kind);
      assertThat(filesWithSecret()).isNotEmpty();
      assertThat(erase(served, kind).status()).isIn(200, 204);
      assertThat(filesWithSecret()).isEmpty();
      assertThat(erase(served, kind).status()).as("asking again").isIn(200, 204);
    }
    assertThat(filesWithSecret()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void itIsPendingWhileAReaderHoldsTheFileAndFinishedAfterwards(Kind kind) throws Exception {
    try (TestServer served = new TestServer(directory)) {
      fill(served, kind);
      try (Connection reader = reader()) {
        TestServer.Got got = erase(served, kind);
        assertThat(got.status()).as(got.text()).isEqualTo(202);
        assertThat(got.json().isTrue("pending")).isTrue();
        assertThat(served.get("/healthz").text()).contains("\"status\":\"ok\"", "\"erasing\":true");
        assertThat(served.post("/v1/search", "{\"query\":\"" + SECRET + "\"}").text())
            .doesNotContain("\"content\":\"" + SECRET);
        for (int i = 0; i < WRITES && kind != Kind.PROJECT; i++) {
          created(
              served.post(
                  OTHER + "/blocks",
                  "{\"blocks\":[{\"type\":\"react.notes\",\"author\":\"react\",\"text\":\"n"
                      + i
                      + "\"}]}"));
        }
        assertThat(erase(served, kind).status()).as("asking again").isEqualTo(202);
        reader.rollback();
      }
      while (!filesWithSecret().isEmpty()) {
        Thread.onSpinWait(); // without another call; the timeout of the build ends it
      }
    }
    assertThat(filesWithSecret()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @SuppressWarnings("try") // the server finishes what is due by itself
  void itIsFinishedAfterARestart(Kind kind) throws Exception {
    try (Connection reader = erasedBesideAReader(kind)) {
      try (TestServer unused = new TestServer(directory)) {
        reader.rollback();
        while (!filesWithSecret().isEmpty()) {
          Thread.onSpinWait();
        }
      }
    }
    assertThat(filesWithSecret()).isEmpty();
  }

  private Connection erasedBesideAReader(Kind kind) throws SQLException {
    try (TestServer served = new TestServer(directory)) {
      fill(served, kind);
      Connection reader = reader();
      assertThat(erase(served, kind).status()).isEqualTo(202);
      return reader;
    }
  }

  @Test
  void aDeletedBlockIsListedRestoredAndPurgedById() {
    try (TestServer served = new TestServer(directory)) {
      fill(served, Kind.BLOCK);
      String id = served.get(A + "/blocks/notes").string("id");
      served.send("DELETE", A + "/blocks/notes", null, "X-Actor", "system");
      assertThat(served.get(A + "/blocks").text()).doesNotContain(id);
      assertThat(served.get(A + "/blocks?deleted=true").text()).contains(id, "\"label\":\"notes\"");
      String body = "{\"id\":\"" + id + "\"}";
      assertThat(served.post(A + "/blocks/restore", body).code()).isEqualTo("access_denied");
      assertThat(served.send("POST", A + "/blocks/restore", body, "X-Actor", "system").string("id"))
          .isEqualTo(id);
      assertThat(served.get(A + "/blocks/notes").string("rendered")).isEqualTo(SECRET);
      served.send("DELETE", A + "/blocks/notes", null, "X-Actor", "system");
      String purge = "/blocks/" + id + "?purge=true";
      assertThat(served.send("DELETE", A + purge, null).code()).isEqualTo("access_denied");
      assertThat(served.send("DELETE", "/v1/agents/bert" + purge, null, "X-Actor", "system").text())
          .as("another agent's block")
          .isEqualTo("{\"erased\":{}}");
      assertThat(served.send("DELETE", A + purge, null, "X-Actor", "system").text())
          .isEqualTo("{\"erased\":{\"memory_blocks\":1}}");
      assertThat(served.get(A + "/blocks?deleted=true").text()).isEqualTo("{\"blocks\":[]}");
      assertThat(served.send("POST", A + "/blocks/restore", body, "X-Actor", "system").code())
          .isEqualTo("not_found");
    }
  }

  @Test
  void theProjectGoesOnlyIfItIsNamed() {
    try (TestServer served = new TestServer(directory)) {
      fill(served, Kind.CONVERSATION);
      TestServer.Got refused = served.send("DELETE", "/v1/project", null, "X-Confirm", "other");
      assertThat(refused.status()).isEqualTo(400);
      assertThat(served.get(C).status()).isEqualTo(200);
      assertThat(erase(served, Kind.PROJECT).json().object("erased").orElseThrow().has("turns"))
          .isTrue();
      assertThat(served.get(C).status()).isEqualTo(404);
    }
  }
}
