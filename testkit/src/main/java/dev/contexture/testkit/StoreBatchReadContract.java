package dev.contexture.testkit;

import static dev.contexture.testkit.MemoryFixture.SHOP;
import static dev.contexture.testkit.MemoryFixture.adding;
import static dev.contexture.testkit.MemoryFixture.archival;
import static dev.contexture.testkit.MemoryFixture.stored;
import static dev.contexture.testkit.MemoryFixture.writing;
import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.binary;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.closing;
import static dev.contexture.testkit.StoreFixture.image;
import static dev.contexture.testkit.StoreFixture.opening;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.MessagePlace;
import dev.contexture.store.Store;
import dev.contexture.store.StoredMessage;
import dev.contexture.store.memory.BlockPreview;
import dev.contexture.timeline.TurnStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many entries by name in one read, as a search needs them (M-83). */
abstract class StoreBatchReadContract extends StoreTests {
  private static final Scope.OfConversation OTHER = SHOP.user("u43").conversation("c9");

  private static MessagePlace place(Scope.OfConversation conversation, long seq) {
    return new MessagePlace(conversation.user(), conversation.conversation(), seq);
  }

  private Map<MessagePlace, StoredMessage> messages(MessagePlace... places) {
    return store.messages(SHOP, List.of(places));
  }

  @Test
  void messagesOfManyConversationsAreWhatReadingEachGives() {
    store.putBinary(SHOP, binary("png"));
    applied(store, opening(CHAT, T1, block(T1, "a"), image(T1, binary("png"))));
    applied(store, closing(CHAT, T1, TurnStatus.ABORTED));
    applied(store, opening(CHAT, T2, block(T2, "b")));
    applied(store, opening(OTHER, T1, block(T1, "c")));
    Map<MessagePlace, StoredMessage> found =
        messages(place(CHAT, 1), place(CHAT, 2), place(CHAT, 3), place(OTHER, 1));
    assertThat(found).hasSize(4);
    Stream.of(CHAT, OTHER)
        .forEach(
            chat ->
                store
                    .readRange(chat, 1, 9, 9)
                    .forEach(
                        each -> {
                          StoredMessage read =
                              Objects.requireNonNull(found.get(place(chat, each.seq())));
                          assertThat(read.block()).isEqualTo(each);
                          assertThat(read.turn())
                              .isEqualTo(store.turn(chat, each.block().turn()).orElseThrow().row());
                        }));
  }

  @Test
  void placesWhereNothingIsAreAbsent() {
    applied(store, opening(CHAT, T1, block(T1, "a")));
    applied(store, opening(OTHER, T1, block(T1, "b")));
    applied(store, closing(CHAT, T1, TurnStatus.COMPLETE));
    assertThat(store.messages(SHOP, List.of())).isEmpty();
    MessagePlace nobody = new MessagePlace("u99", "c1", 1);
    assertThat(messages(nobody, place(CHAT, 0), place(CHAT, 2), place(CHAT, -1))).isEmpty();
    // a number that would reach into the next conversation, were it part of a key
    assertThat(messages(place(CHAT, (1L << 32) + 1), place(CHAT, Long.MAX_VALUE))).isEmpty();
    store.eraseTurn(CHAT, T1, NOW, JsonObject.EMPTY);
    assertThat(messages(place(CHAT, 1), place(OTHER, 1))).containsOnlyKeys(place(OTHER, 1));
  }

  @Test
  void aPageOfMessagesIsReadAtOnceAndMoreIsRefused() {
    Block[] blocks =
        IntStream.rangeClosed(1, 300).mapToObj(n -> block(T1, "m" + n)).toArray(Block[]::new);
    applied(store, opening(CHAT, T1, blocks));
    List<MessagePlace> places =
        new ArrayList<>(LongStream.rangeClosed(1, 300).mapToObj(n -> place(CHAT, n)).toList());
    assertThat(store.messages(SHOP, places)).hasSize(300);
    LongStream.rangeClosed(301, Store.MAX_PAGE).forEach(n -> places.add(place(CHAT, n)));
    assertThat(store.messages(SHOP, places)).hasSize(300);
    places.add(place(CHAT, Store.MAX_PAGE + 1));
    assertThatThrownBy(() -> store.messages(SHOP, places))
        .isInstanceOf(IllegalArgumentException.class);
    List<String> ids = places.stream().map(MessagePlace::toString).toList();
    assertThatThrownBy(() -> memory().previews(SHOP, ids))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> memory().archivalEntries(SHOP, ids))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> memory().sharedAmong(ATLAS, false, ids))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void blocksComeWithTheirPreviews() {
    stored(
        store,
        writing(
            adding(B, "atlas", "notes"),
            adding("mem_2", "zoe", "theirs"),
            adding("mem_3", "zoe", "gone"),
            new MemoryRow.PutPreview(B, "line\nfeed \ud83d\ude00", 4),
            new MemoryRow.DeleteBlock("mem_3")));
    Map<String, BlockPreview> found =
        memory().previews(SHOP, List.of(B, "mem_2", "mem_3", "mem_4"));
    assertThat(found).containsOnlyKeys(B, "mem_2", "mem_3");
    found.forEach(
        (id, each) -> {
          assertThat(each.block()).isEqualTo(memory().block(SHOP, id).orElseThrow());
          assertThat(each.text()).isEqualTo(memory().preview(SHOP, id).orElse(""));
        });
  }

  @Test
  void sharesThatWereRemovedAndDeletedBlocksAreNotAmongTheShared() {
    stored(
        store,
        writing(
            adding(B, "zoe", "one"),
            adding("mem_2", "zoe", "two"),
            adding("mem_3", "zoe", "three"),
            new MemoryRow.PutShare(B, "atlas", "Append", true),
            new MemoryRow.PutShare("mem_2", "atlas", "Append", true),
            new MemoryRow.PutShare("mem_3", "atlas", "Append", true)));
    List<String> all = List.of(B, "mem_2", "mem_3", "mem_4");
    assertThat(memory().sharedAmong(ATLAS, false, all))
        .containsExactlyInAnyOrder(B, "mem_2", "mem_3");
    stored(
        store,
        writing(new MemoryRow.RemoveShare("mem_2", "atlas"), new MemoryRow.DeleteBlock("mem_3")));
    assertThat(memory().sharedAmong(ATLAS, false, all)).containsExactly(B);
    assertThat(memory().sharedAmong(SHOP.agent("bert"), false, all)).isEmpty();
  }

  @Test
  void archivalEntriesAreWhatReadingEachGives() {
    stored(
        store,
        writing(
            new MemoryRow.AddArchival(archival("arc_1", "atlas", "one")),
            new MemoryRow.AddArchival(archival("arc_2", "bert", "two"))));
    assertThat(memory().archivalEntries(SHOP, List.of("arc_1", "arc_2", "arc_3")))
        .isEqualTo(
            Map.of(
                "arc_1", memory().archivalEntry(SHOP, "arc_1").orElseThrow(),
                "arc_2", memory().archivalEntry(SHOP, "arc_2").orElseThrow()));
  }
}
