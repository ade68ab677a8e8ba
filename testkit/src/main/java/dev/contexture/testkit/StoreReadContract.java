package dev.contexture.testkit;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.appending;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.binary;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.closing;
import static dev.contexture.testkit.StoreFixture.header;
import static dev.contexture.testkit.StoreFixture.image;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.prompt;
import static dev.contexture.testkit.StoreFixture.set;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockCodec;
import dev.contexture.block.BlockPath;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.Commit;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.Feedback;
import dev.contexture.store.NewBlock;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.OutboxTail;
import dev.contexture.store.Reason;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.TurnRow;
import dev.contexture.store.UserEntry;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.TurnStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What comes back is what was written, and as much of it as was asked for. */
abstract class StoreReadContract extends StoreTests {
  @Test
  void nothingIsThereBeforeTheFirstCommit() {
    assertThat(store.head(CHAT)).isEmpty();
    assertThat(store.load(CHAT)).isEmpty();
    assertThat(store.readRange(CHAT, 1, 9, 9)).isEmpty();
    assertThat(store.turns(CHAT, null, 9)).isEmpty();
    assertThat(store.turn(CHAT, T1)).isEmpty();
    assertThat(store.changes(CHAT, 0, 9)).isEmpty();
    assertThat(store.conversations(CHAT.owner(), null, 9)).isEmpty();
  }

  @Test
  void blocksComeBackAsTheyWere() {
    store.putBinary(CHAT.owner().scope(), binary("png"));
    String wire =
        "{\"id\":\"k:1\",\"type\":\"agent.own\",\"author\":\"tool\",\"turn_id\":\"t1\","
            + "\"ts\":\"2026-02-09T02:14:32.676425Z\",\"mime\":\"text/plain\","
            + "\"path\":\"ar:t1.notes\",\"text\":\"a\\u0000b \\ud83d\\ude00 \\ud83d\","
            + "\"tool_call_id\":\"toolu_1\",\"is_error\":true,"
            + "\"meta\":{\"n\":1.10,\"deep\":{\"z\":[1,{}]},\"a\":null},"
            + "\"hidden\":true,\"replacement_text\":\"gone\",\"own\":{\"b\":2,\"a\":1e2}}";
    Block odd = BlockCodec.readStored((JsonObject) JsonValue.parse(wire));
    applied(store, opening(CHAT, T1, odd, image(T1, binary("png")), header(T1)));
    assertThat(store.readRange(CHAT, 1, 3, 9))
        .extracting(block -> block.block().toString())
        .containsExactly(
            odd.toString(), image(T1, binary("png")).toString(), header(T1).toString());
  }

  @Test
  void readsRangesInPages() {
    applied(store, opening(CHAT, T1, block(T1, "a"), block(T1, "b"), block(T1, "c")));
    assertThat(seqs(store.readRange(CHAT, 2, 3, 9))).containsExactly(2L, 3L);
    assertThat(seqs(store.readRange(CHAT, -5, 99, 2))).containsExactly(1L, 2L);
    assertThat(store.readRange(CHAT, 3, 2, 9)).isEmpty();
    assertThat(store.readRange(CHAT, 4, 9, 9)).isEmpty();
  }

  @Test
  void findsAllVersionsOfAPath() {
    Block status = block(T1, "{\"artifact_path\":\"ar:t1.user.prompt\"}");
    applied(store, opening(CHAT, T1, prompt(T1, "one"), block(T1, "other"), prompt(T1, "two")));
    BlockPath path = BlockPath.userPrompt(T1);
    applied(store, set().append(List.of(new NewBlock(status, path))).build());
    applied(store, closing(CHAT, T1, TurnStatus.ABORTED));
    assertThat(seqs(store.blocksOn(CHAT, path))).containsExactly(1L, 3L, 4L);
    assertThat(store.blocksOn(CHAT, BlockPath.userPrompt(T2))).isEmpty();
  }

  @Test
  void turnsKeepWhatWasPutAndWhatTheStoreAdds() {
    TurnRow row =
        TurnRow.open(T1, NOW)
            .withAgent("atlas")
            .withParent(new TurnRow.Parent("c0", T2, CallId.of("tc_1")))
            .withLease(new TurnRow.Lease("p1", NOW.plusSeconds(900)))
            .withMeta(JsonObject.builder().put("max_tokens", 100).build());
    applied(store, set().add(new Row.PutTurn(row)).append(news(T1, "a")).build());
    applied(store, appending(CHAT, block(T1, "b")));
    assertThat(store.turn(CHAT, T1)).contains(new StoredTurn(row, 1, 1, 1, 2, 2, List.of()));
    TurnRow renewed = row.withLease(new TurnRow.Lease("p1", NOW.plusSeconds(1800)));
    applied(store, set().add(new Row.PutTurn(renewed)).build());
    assertThat(store.turn(CHAT, T1).orElseThrow().statusVersion()).isEqualTo(1);
    TurnRow closed = renewed.closed(TurnStatus.COMPLETE, NOW.plusSeconds(5));
    applied(store, set().add(new Row.PutTurn(closed)).build());
    assertThat(store.turn(CHAT, T1)).contains(new StoredTurn(closed, 1, 4, 1, 2, 2, List.of()));
    assertThat(store.head(CHAT).orElseThrow().agent()).isEqualTo("atlas");
    assertThat(store.head(CHAT).orElseThrow().keptTurns()).isEqualTo(1);
    assertThat(store.head(CHAT).orElseThrow().openTurn()).isNull();
    assertThat(seqs(store.turnBlocks(CHAT, T1))).containsExactly(1L, 2L);
  }

  private static List<NewBlock> news(TurnId turn, String text) {
    return List.of(NewBlock.of(block(turn, text)));
  }

  @Test
  void tellsWhetherAnotherAgentTookPart() {
    assertThat(store.otherAgent(CHAT, "atlas")).isEmpty();
    applied(store, opening(CHAT, T1));
    TurnRow first = TurnRow.open(T2, NOW).withAgent("atlas");
    applied(store, set().add(new Row.PutTurn(first)).build());
    assertThat(store.otherAgent(CHAT, "atlas")).isEmpty();
    assertThat(store.otherAgent(CHAT, "hermes")).contains("atlas");
    TurnRow second = TurnRow.open(T3, NOW).withAgent("hermes");
    applied(store, set().add(new Row.PutTurn(second)).build());
    assertThat(store.otherAgent(CHAT, "atlas")).contains("hermes");
    assertThat(store.otherAgent(CHAT, "hermes")).contains("atlas");
  }

  @Test
  void listsTurnsInOrderAndPages() {
    for (TurnId turn : List.of(T3, T1, T2)) {
      applied(store, opening(CHAT, turn));
    }
    applied(store, closing(CHAT, T3, TurnStatus.COMPLETE));
    assertThat(store.turns(CHAT, null, 9)).extracting(StoredTurn::turn).containsExactly(T3, T1, T2);
    assertThat(store.turns(CHAT, null, 2)).extracting(StoredTurn::turn).containsExactly(T3, T1);
    assertThat(store.turns(CHAT, T1, 9)).extracting(StoredTurn::turn).containsExactly(T2);
  }

  @Test
  void feedbackIsReplacedByKey() {
    applied(store, opening(CHAT, T1));
    Feedback user = new Feedback("user", JsonObject.builder().put("reaction", "ok").build());
    Feedback machine = new Feedback("m1", JsonObject.builder().put("confidence", 1).build());
    Feedback changed = new Feedback("user", JsonObject.EMPTY);
    applied(store, set().add(new Row.PutFeedback(T1, user)).build());
    applied(store, set().add(new Row.PutFeedback(T1, machine)).build());
    applied(store, set().add(new Row.PutFeedback(T1, changed)).build());
    assertThat(store.turn(CHAT, T1).orElseThrow().feedback()).containsExactly(changed, machine);
    applied(store, set().add(new Row.DropFeedback(T1, "user")).build());
    assertThat(store.turn(CHAT, T1).orElseThrow().feedback()).containsExactly(machine);
  }

  @Test
  void whatIsKeptWithATurnGoesWithIt() {
    store.putBinary(CHAT.owner().scope(), binary("png"));
    Block picture = image(T1, binary("png"));
    JsonObject pending = JsonObject.builder().put("text", "Done.").build();
    applied(store, opening(CHAT, T1, block(T1, "a")));
    applied(
        store,
        set()
            .add(new Row.AddTransient(T1, List.of(block(T1, "p"))))
            .append(StoreFixture.news(block(T1, "b")))
            .add(new Row.AddTransient(T1, List.of(picture, block(T1, "q"))))
            .add(new Row.SetAnnounce(T1, List.of(block(T1, "old"))))
            .add(new Row.SetPendingAnswer(T1, pending))
            .build());
    applied(store, set().add(new Row.SetAnnounce(T1, List.of(picture))).build());
    assertThat(store.load(CHAT).orElseThrow().turnScoped())
        .containsExactly(
            new StoredWindow.TurnScoped(
                T1,
                List.of(picture),
                List.of(
                    new StoredWindow.Transient(1, block(T1, "p")),
                    new StoredWindow.Transient(2, picture),
                    new StoredWindow.Transient(2, block(T1, "q"))),
                pending));
    assertThat(store.binary(CHAT, binary("png").sha256())).isPresent();
    applied(store, set().add(new Row.SetPendingAnswer(T1, null)).build());
    assertThat(store.load(CHAT).orElseThrow().turnScoped().getFirst().pendingAnswer()).isNull();
    applied(store, set().add(new Row.ClearTurnScoped(T1)).build());
    assertThat(store.load(CHAT).orElseThrow().turnScoped()).isEmpty();
    assertThat(store.binary(CHAT, binary("png").sha256())).isEmpty();
  }

  @Test
  void requestRecordsAreReplacedAndListedNewestFirst() {
    store.putBinary(CHAT.owner().scope(), binary("body"));
    Set<String> body = Set.of(binary("body").sha256());
    var first = new RequestRow("r1", T1, NOW, JsonObject.EMPTY, body);
    var second =
        new RequestRow("r2", null, NOW, JsonObject.builder().put("n", 1).build(), Set.of());
    applied(store, set().add(new Row.PutRequest(first)).build());
    applied(store, set().add(new Row.PutRequest(second)).build());
    assertThat(store.requests(CHAT, null, 9)).containsExactly(second, first);
    assertThat(store.requests(CHAT, "r2", 9)).containsExactly(first);
    assertThat(store.binary(CHAT, binary("body").sha256())).contains(binary("body"));
    var used = new RequestRow("r1", T1, NOW, JsonObject.builder().put("u", 2).build(), Set.of());
    applied(store, set().add(new Row.PutRequest(used)).build());
    assertThat(store.requests(CHAT, null, 9)).containsExactly(second, used);
    assertThat(store.request(CHAT, "r1")).contains(used);
    assertThat(store.binary(CHAT, binary("body").sha256())).isEmpty();
  }

  /** Content goes with the last record that refers to it; what others refer to stays. */
  @Test
  void droppingRequestRecordsDropsTheirContent() {
    String shared = binary("shared").sha256();
    String own = binary("own").sha256();
    String replaced = binary("replaced").sha256();
    List<Binary> contents = List.of(binary("shared"), binary("own"), binary("replaced"));
    var first = new RequestRow("r1", null, NOW, JsonObject.EMPTY, Set.of(shared, own, replaced));
    var second = new RequestRow("r2", null, NOW, JsonObject.EMPTY, Set.of(shared));
    applied(store, set().add(new Row.PutRequest(first, contents)).build());
    applied(store, set().add(new Row.PutRequest(second)).build());
    var smaller = new RequestRow("r1", null, NOW, JsonObject.EMPTY, Set.of(shared, own));
    applied(store, set().add(new Row.PutRequest(smaller)).build());
    assertThat(missing(replaced)).containsExactly(replaced);
    applied(store, set().add(new Row.DropRequests(Set.of("r1"))).build());
    assertThat(missing(shared, own)).containsExactly(own);
    applied(store, set().add(new Row.DropRequests(Set.of("r2"))).build());
    assertThat(missing(shared)).containsExactly(shared);
  }

  /** Which of these a record could not refer to. */
  private Set<String> missing(String... hashes) {
    var probe = new RequestRow("probe", null, NOW, JsonObject.EMPTY, Set.of(hashes));
    return switch (store.commit(set().add(new Row.PutRequest(probe)).build())) {
      case Commit.Conflict(long unused, Reason.BinariesMissing absent) -> absent.sha256();
      case Commit other -> throw new AssertionError("nothing is missing: " + other);
    };
  }

  @Test
  void changesTellWhatHappenedSinceAVersion() {
    JsonObject note = JsonObject.builder().put("type", "turn").build();
    applied(
        store,
        set().add(new Row.PutTurn(TurnRow.open(T1, NOW))).append(news(T1, "a")).note(note).build());
    applied(store, appending(CHAT, block(T1, "b"), block(T1, "c")));
    applied(store, set().add(new Row.SetTitle("t")).note(note).build());
    applied(store, set().add(new Row.SetTitle("u")).build());
    ChangeRecord one = new ChangeRecord(1, NOW, 1, 1, note);
    ChangeRecord two = new ChangeRecord(2, null, 2, 3, null);
    ChangeRecord three = new ChangeRecord(3, NOW, 0, 0, note);
    assertThat(store.changes(CHAT, 0, 9)).containsExactly(one, two, three);
    assertThat(store.changes(CHAT, 1, 1)).containsExactly(two);
    assertThat(store.changes(CHAT, 2, 9)).containsExactly(three);
    assertThat(store.changes(CHAT, 4, 9)).isEmpty();
  }

  @Test
  void listsConversationsByActivityWithACursor() {
    Scope.OfUser owner = CHAT.owner();
    List<String> ids = List.of("a", "b", "c", "d");
    for (int i = 0; i < ids.size(); i++) {
      Scope.OfConversation conversation = owner.conversation(ids.get(i));
      applied(
          store,
          WriteSet.of(conversation, NOW.plusSeconds(i / 2)).add(new Row.SetTitle("t" + i)).build());
    }
    applied(store, WriteSet.of(owner.conversation("a"), NOW).add(new Row.SetTitle("x")).build());
    List<ConversationEntry> all = store.conversations(owner, null, 9);
    assertThat(all)
        .extracting(entry -> entry.conversation().conversation())
        .containsExactly("a", "d", "c", "b");
    assertThat(all.getFirst().head().title()).isEqualTo("x");
    assertThat(store.conversations(owner, all.get(0).cursor(), 2))
        .containsExactly(all.get(1), all.get(2));
    assertThat(store.conversations(owner, all.get(3).cursor(), 2)).isEmpty();
  }

  @Test
  void listsUsersByActivityWithACursor() {
    Scope scope = CHAT.owner().scope();
    List<String> names = List.of("ann", "ben", "cid", "ann");
    for (int i = 0; i < names.size(); i++) {
      Scope.OfConversation conversation = scope.user(names.get(i)).conversation("c" + i);
      applied(
          store,
          WriteSet.of(conversation, NOW.plusSeconds(i)).add(new Row.SetTitle("t" + i)).build());
    }
    List<UserEntry> all = store.users(scope, null, 9);
    assertThat(all).extracting(UserEntry::user).containsExactly("ann", "cid", "ben");
    assertThat(all).extracting(UserEntry::conversations).containsExactly(2L, 1L, 1L);
    assertThat(store.users(scope, all.getFirst().cursor(), 1)).containsExactly(all.get(1));
    assertThat(store.users(scope, all.getLast().cursor(), 9)).isEmpty();
  }

  @Test
  void aMovedClockPinsNoConversationToTheTop() {
    Instant jumped = NOW.plus(Duration.ofDays(3_650));
    List<String> order = new ArrayList<>();
    for (String name : List.of("old", "pinned", "first", "second")) {
      touch(name, name.equals("pinned") ? jumped : NOW);
      order.addFirst(name);
      assertThat(listed()).containsExactlyElementsOf(order);
    }
    ConversationEntry.Cursor second =
        store.conversations(CHAT.owner(), null, 1).getFirst().cursor();
    touch("pinned", NOW.plusSeconds(1));
    assertThat(listed()).containsExactly("pinned", "second", "first", "old");
    assertThat(store.conversations(CHAT.owner(), null, 1).getFirst().head().lastActivityAt())
        .isEqualTo(NOW.plusSeconds(1));
    assertThat(store.conversations(CHAT.owner(), second, 9))
        .extracting(entry -> entry.conversation().conversation())
        .containsExactly("first", "old"); // a page that was begun goes on where it was
  }

  private void touch(String conversation, Instant at) {
    applied(
        store,
        WriteSet.of(CHAT.owner().conversation(conversation), at)
            .add(new Row.SetTitle("t"))
            .build());
  }

  private List<String> listed() {
    return store.conversations(CHAT.owner(), null, 9).stream()
        .map(entry -> entry.conversation().conversation())
        .toList();
  }

  @Test
  void theOutboxHasOneRowForEachEntry() {
    Scope scope = CHAT.owner().scope();
    applied(store, set().add(new Row.IndexTurn(T1)).add(new Row.IndexTurn(T2)).build());
    applied(store, set().add(new Row.IndexTurn(T1)).build());
    List<OutboxRow> rows = store.outbox(scope, 0, 9);
    assertThat(rows)
        .extracting(OutboxRow::entry)
        .containsExactly(new OutboxRow.TurnChanged(CHAT, T2), new OutboxRow.TurnChanged(CHAT, T1));
    assertThat(rows.get(1).number()).isGreaterThan(rows.get(0).number());
    assertThat(store.outbox(scope, rows.get(0).number(), 9)).containsExactly(rows.get(1));
    assertThat(store.outbox(scope, 0, 1)).containsExactly(rows.get(0));
    long newest = rows.get(1).number();
    assertThat(store.outboxTail(scope, 0)).isEqualTo(new OutboxTail(newest, 2));
    assertThat(store.outboxTail(scope, newest)).isEqualTo(new OutboxTail(newest, 0));
  }

  @Test
  void listsTheScopesThatHaveAnOutbox() {
    assertThat(store.outboxScopes(null, 9)).isEmpty();
    List<Scope> scopes =
        List.of(Scope.of("a", "z"), Scope.of("b", "p"), Scope.of("b", "q"), Scope.of("c", "a"));
    for (Scope scope : scopes.reversed()) {
      for (TurnId turn : List.of(T1, T2)) {
        Scope.OfConversation conversation = scope.user("u").conversation("c");
        applied(store, WriteSet.of(conversation, NOW).add(new Row.IndexTurn(turn)).build());
      }
    }
    assertThat(store.outboxScopes(null, 9)).isEqualTo(scopes);
    assertThat(store.outboxScopes(scopes.get(0), 2)).isEqualTo(scopes.subList(1, 3));
    assertThat(store.outboxScopes(scopes.get(3), 2)).isEmpty();
  }

  @Test
  void authorsAndPathsSurvive() {
    Block prompt = prompt(T1, "hi");
    applied(store, opening(CHAT, T1, prompt));
    Block read = store.readRange(CHAT, 1, 1, 1).getFirst().block();
    assertThat(read.author()).isEqualTo(Author.USER);
    assertThat(read.path()).isEqualTo(prompt.path());
    assertThat(read.ts()).contains(NOW);
  }
}
