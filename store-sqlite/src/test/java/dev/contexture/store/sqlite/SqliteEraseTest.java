package dev.contexture.store.sqlite;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.appending;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.binary;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.closing;
import static dev.contexture.testkit.StoreFixture.image;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.set;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Binary;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.seeds.TestSeed;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Outcome;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.Store;
import dev.contexture.testkit.MemoryFixture;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was erased cannot be found in the files, neither while open nor after a restart. */
class SqliteEraseTest {
  private static final String SECRET = "the-secret-of-the-erased";
  private static final TurnId T1 = turn("t1");
  private static final TurnId T2 = turn("t2");
  private static final JsonObject SAYS = JsonObject.builder().put("text", SECRET).build();

  @TempDir Path directory;

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

  private void writeSecrets(Store store, Scope.OfConversation chat, TurnId turn) {
    String filler = "lorem ipsum ".repeat(50);
    store.putBinary(chat.owner().scope(), binary("png " + SECRET));
    applied(store, opening(chat, turn, block(turn, SECRET), image(turn, binary("png " + SECRET))));
    for (int i = 0; i < 40; i++) {
      applied(store, appending(chat, block(turn, filler.substring(0, i * 15) + SECRET + filler)));
      applied(
          store,
          appending(
              CHAT.owner().conversation("other"),
              block(turn("o1"), "k" + turn.value() + i, filler)));
    }
    applied(store, appending(chat, block(turn, SECRET.repeat(2_000))));
    put(store, chat, new Row.SetPendingAnswer(turn, SAYS));
    put(store, chat, new Row.SetAnnounce(turn, List.of(block(turn, SECRET))));
    put(store, chat, new Row.AddTransient(turn, List.of(block(turn, SECRET))));
    put(store, chat, new Row.ClearTurnScoped(turn));
    put(store, chat, new Row.PutVisibility(List.of(hidden(1), hidden(2))));
    put(store, chat, new Row.PutOutcome(new Outcome(turn.value(), turn, SAYS)));
    put(
        store,
        chat,
        new Row.PutRequest(new RequestRow("r" + turn.value(), turn, NOW, SAYS, Set.of())));
    Summary base = dev.contexture.testkit.StoreFixture.summary("s" + turn.value(), 2, turn, turn);
    put(
        store,
        chat,
        new Row.PutSummary(
            new Summary(base.id(), 2, 1, turn, SECRET, SECRET, SECRET, base.meta(), NOW, false)));
    applied(store, closing(chat, turn, TurnStatus.COMPLETE));
  }

  private static Visibility hidden(long seq) {
    return new Visibility(seq, SECRET, Visibility.Reason.API, NOW);
  }

  private static void put(Store store, Scope.OfConversation chat, Row row) {
    applied(store, set(chat).add(row).build());
  }

  private void checkErased(java.util.function.Consumer<Store> erase) throws IOException {
    try (Store store = SqliteStore.open(directory)) {
      applied(store, opening(CHAT.owner().conversation("other"), turn("o1")));
      writeSecrets(store, CHAT, T1);
      assertThat(filesWithSecret()).isNotEmpty();
      erase.accept(store);
      assertThat(filesWithSecret()).isEmpty();
    }
    assertThat(filesWithSecret()).isEmpty();
    try (SqliteStore store = SqliteStore.open(directory)) {
      store.check();
      assertThat(filesWithSecret()).isEmpty();
    }
  }

  @Test
  void noByteOfAConversationStays() throws IOException {
    checkErased(
        store -> {
          put(store, CHAT, new Row.SetTitle(SECRET));
          put(store, CHAT, new Row.PutSources(List.of(new SourceRow(1, SECRET, true, SAYS))));
          store.eraseConversation(CHAT, NOW);
        });
  }

  @Test
  void noByteOfATurnStays() throws IOException {
    checkErased(
        store -> {
          applied(store, opening(CHAT, T2, block(T2, "stays")));
          store.eraseTurn(CHAT, T1, NOW, JsonObject.EMPTY);
          assertThat(store.load(CHAT).orElseThrow().blocks()).hasSize(1);
        });
  }

  @Test
  void noByteOfATenantStays() throws IOException {
    checkErased(store -> store.eraseTenant(CHAT.tenant(), NOW));
  }

  /** Pages are divided and moved while many conversations grow: their old copies must go, too. */
  @Test
  void noByteStaysInPagesThatWereDivided() throws IOException {
    Random random = TestSeed.random(42);
    try (Store store = SqliteStore.open(directory)) {
      List<Scope.OfConversation> chats = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        chats.add(CHAT.owner().conversation("c" + i));
        applied(store, opening(chats.get(i), T1));
      }
      for (int i = 0; i < 600; i++) {
        int chat = random.nextInt(12);
        String text = "x".repeat(random.nextInt(900)) + (chat == 5 ? SECRET : "harmless");
        applied(store, appending(chats.get(chat), block(T1, "id-" + SECRET.hashCode() + i, text)));
      }
      store.eraseConversation(chats.get(5), NOW);
      assertThat(filesWithSecret()).isEmpty();
    }
    assertThat(filesWithSecret()).isEmpty();
  }

  private void writeMemorySecrets(Store store, Scope scope) {
    MemoryFixture.stored(
        store, MemoryFixture.writing(scope, MemoryFixture.adding("mem_1", "atlas", "notes")));
    for (int i = 1; i <= 60; i++) {
      String text = "x".repeat(i * 20) + SECRET;
      MemoryFixture.stored(
          store,
          MemoryFixture.writing(
              scope,
              MemoryFixture.appending("mem_1", i, text),
              new MemoryRow.PutPreview("mem_1", text.repeat(3), i),
              MemoryFixture.event("mem_1", text)));
    }
    MemoryFixture.stored(
        store,
        MemoryFixture.writing(
            scope,
            MemoryFixture.folding("mem_1", 30, SECRET.repeat(500)),
            new MemoryRow.PutSettings("mem_1", MemoryFixture.settings(SECRET)),
            new MemoryRow.AddConsent(MemoryFixture.consent("con_1", "mem_1", SECRET))));
    MemoryFixture.stored(
        store,
        MemoryFixture.writing(scope, MemoryFixture.folding("mem_1", 50, SECRET.repeat(400))));
  }

  @Test
  void noByteOfAMemoryBlockStays() throws IOException {
    Scope scope = CHAT.owner().scope();
    try (SqliteStore store = SqliteStore.open(directory)) {
      MemoryFixture.stored(
          store, MemoryFixture.writing(scope, MemoryFixture.adding("mem_2", "atlas", "other")));
      writeMemorySecrets(store, scope);
      for (int i = 0; i < 20; i++) {
        Binary chunk = binary(i + SECRET.repeat(300));
        RequestRow holds =
            new RequestRow(
                "r" + i,
                null,
                NOW,
                JsonObject.EMPTY,
                Set.of(chunk.sha256()),
                SAYS,
                Set.of("mem_1", "mem_2"));
        put(store, CHAT, new Row.PutRequest(holds, List.of(chunk)));
      }
      assertThat(filesWithSecret()).isNotEmpty();
      store.eraseMemoryBlock(scope, "mem_1", NOW);
      assertThat(filesWithSecret()).isEmpty();
      store.check();
    }
    assertThat(filesWithSecret()).isEmpty();
  }

  @Test
  void noByteOfAnArchivalEntryOrATenantsMemoryStays() throws IOException {
    Scope scope = CHAT.owner().scope();
    try (SqliteStore store = SqliteStore.open(directory)) {
      MemoryFixture.stored(
          store,
          MemoryFixture.writing(
              scope,
              new MemoryRow.AddArchival(
                  MemoryFixture.archival("arc_1", "atlas", SECRET.repeat(1_000)))));
      store.eraseArchival(scope, "arc_1", NOW);
      assertThat(filesWithSecret()).isEmpty();
      writeMemorySecrets(store, scope);
      store.eraseTenant(scope.tenant(), NOW);
      assertThat(filesWithSecret()).isEmpty();
    }
    assertThat(filesWithSecret()).isEmpty();
  }
}
