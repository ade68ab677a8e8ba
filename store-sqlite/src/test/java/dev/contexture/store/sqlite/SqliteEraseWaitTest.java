package dev.contexture.store.sqlite;

import static dev.contexture.testkit.MemoryFixture.SHOP;
import static dev.contexture.testkit.MemoryFixture.adding;
import static dev.contexture.testkit.MemoryFixture.appending;
import static dev.contexture.testkit.MemoryFixture.archival;
import static dev.contexture.testkit.MemoryFixture.stored;
import static dev.contexture.testkit.MemoryFixture.writing;
import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.appending;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.closing;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Store;
import dev.contexture.timeline.TurnStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Erasing while somebody else reads the database file, as a backup does: nobody waits for it, the
 * store says that it is not finished, and finishes when the reader lets go.
 */
class SqliteEraseWaitTest {
  private static final String SECRET = "the-secret-that-a-reader-holds";
  private static final TurnId T1 = turn("t1");
  private static final Scope.OfConversation OTHER =
      CHAT.owner().scope().user("u7").conversation("other");
  private static final int WRITES = 200;

  @TempDir Path directory;

  @SuppressWarnings("ImmutableEnumChecker") // the functions hold no state
  enum Kind {
    TURN(store -> store.eraseTurn(CHAT, T1, NOW, JsonObject.EMPTY)),
    CONVERSATION(store -> store.eraseConversation(CHAT, NOW)),
    MEMORY_BLOCK(store -> store.eraseMemoryBlock(SHOP, "mem_1", NOW)),
    ARCHIVAL(store -> store.eraseArchival(SHOP, "arc_1", NOW)),
    AGENT(store -> store.eraseAgent(SHOP.agent("atlas"), NOW)),
    USER(store -> store.eraseUser(CHAT.owner(), NOW)),
    PROJECT(store -> store.eraseProject(SHOP, NOW)),
    TENANT(store -> store.eraseTenant("acme", NOW));

    final Consumer<Store> erase;

    Kind(Consumer<Store> erase) {
      this.erase = erase;
    }

    boolean ofMemory() {
      return this == MEMORY_BLOCK || this == ARCHIVAL || this == AGENT;
    }
  }

  private void fill(Store store, Kind kind) {
    applied(store, opening(OTHER, turn("o1")));
    if (!kind.ofMemory()) {
      applied(store, opening(CHAT, T1, block(T1, SECRET)));
      applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    }
    stored(store, writing(new MemoryRow.EnsureAgent("atlas"), adding("mem_1", "atlas", "notes")));
    if (kind == Kind.MEMORY_BLOCK || kind == Kind.AGENT) {
      stored(store, writing(appending("mem_1", 1, SECRET)));
    }
    if (kind == Kind.ARCHIVAL || kind == Kind.AGENT) {
      stored(store, writing(new MemoryRow.AddArchival(archival("arc_1", "atlas", SECRET))));
    }
  }

  /** Another process that reads one state of the database. */
  private Connection reader() throws SQLException {
    Connection reader =
        DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteStore.FILE));
    reader.setAutoCommit(false);
    try (var statement = reader.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM conversations")) {
      rows.next();
    }
    return reader;
  }

  private List<String> filesWithSecret() throws IOException {
    List<String> hits = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (bytes.contains(SECRET)) {
          hits.add(file.getFileName().toString());
        }
      }
    }
    return hits;
  }

  private static void awaitFinished(Store store) {
    while (store.isErasing()) {
      Thread.onSpinWait(); // the timeout of the build ends it
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void writesOfOthersGoOnWhileAReaderHoldsTheFile(Kind kind) throws Exception {
    try (Store store = SqliteStore.open(directory)) {
      fill(store, kind);
      try (Connection reader = reader()) {
        kind.erase.accept(store);
        assertThat(store.isErasing()).isTrue();
        if (kind != Kind.PROJECT && kind != Kind.TENANT) {
          for (int i = 0; i < WRITES; i++) {
            applied(store, appending(OTHER, block(turn("o1"), "k" + i, "text " + i)));
          }
        }
        assertThat(store.isErasing()).as("the reader still holds the file").isTrue();
        assertThat(filesWithSecret()).isNotEmpty();
        reader.rollback();
        awaitFinished(store);
        assertThat(filesWithSecret()).isEmpty();
      }
    }
    assertThat(filesWithSecret()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsNotFinishedAtTheEndIsFinishedAtTheNextStart(Kind kind) throws Exception {
    try (Connection unused = heldWhileErasing(kind)) {
      assertThat(filesWithSecret()).isNotEmpty();
      try (Store store = SqliteStore.open(directory)) {
        assertThat(store.isErasing()).isTrue();
        unused.rollback();
        awaitFinished(store);
        assertThat(filesWithSecret()).isEmpty();
      }
    }
    try (SqliteStore store = SqliteStore.open(directory)) {
      assertThat(store.isErasing()).as("nothing is left to do").isFalse();
      store.check();
    }
  }

  private Connection heldWhileErasing(Kind kind) throws SQLException {
    try (Store store = SqliteStore.open(directory)) {
      fill(store, kind);
      Connection reader = reader();
      kind.erase.accept(store);
      return reader;
    }
  }

  @Test
  void withoutAReaderNothingIsPending() throws Exception {
    try (Store store = SqliteStore.open(directory)) {
      fill(store, Kind.CONVERSATION);
      store.eraseConversation(CHAT, NOW);
      assertThat(store.isErasing()).isFalse();
      assertThat(filesWithSecret()).isEmpty();
      assertThat(store.eraseConversation(CHAT, NOW)).isFalse();
      assertThat(store.isErasing()).isFalse();
    }
  }

  /** What was to be erased in steps when the process died is erased when the store opens. */
  @Test
  void stepsThatADeadProcessBeganAreFinished() throws Exception {
    try (Store store = SqliteStore.open(directory)) {
      fill(store, Kind.USER);
      applied(store, opening(CHAT.owner().conversation("c2"), T1, block(T1, SECRET)));
    }
    try (Connection dead =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteStore.FILE));
        var statement = dead.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO erasures (kind, tenant, project, subject) VALUES ('USER', 'acme', 'shop',"
              + " 'u42')");
    }
    try (Store store = SqliteStore.open(directory)) {
      awaitFinished(store);
      assertThat(store.conversations(CHAT.owner(), null, 9)).isEmpty();
      assertThat(store.head(OTHER)).isPresent();
      assertThat(filesWithSecret()).isEmpty();
    }
  }
}
