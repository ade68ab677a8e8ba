package dev.contexture.testkit;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Commit;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Row;
import dev.contexture.store.Store;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** Rows for tests of stores, with only the details that matter. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StoreFixture {
  /** The time of everything that does not say otherwise. */
  public static final Instant NOW = FakeClock.START;

  /** A conversation to work with. */
  public static final Scope.OfConversation CHAT =
      Scope.of("acme", "shop").user("u42").conversation("c1");

  private StoreFixture() {}

  public static TurnId turn(String id) {
    return TurnId.of(id);
  }

  /** A block with this text. */
  public static Block block(TurnId turn, String text) {
    return Block.builder(BlockType.AGENT_BLOCK).turn(turn).ts(NOW).text(text).build();
  }

  /** A block with a key of its caller's. */
  public static Block block(TurnId turn, String id, String text) {
    return block(turn, text).toBuilder().id(id).build();
  }

  public static Block header(TurnId turn) {
    return Block.builder(BlockType.TURN_HEADER).author(Author.SYSTEM).turn(turn).ts(NOW).build();
  }

  public static Block prompt(TurnId turn, String text) {
    return Block.builder(BlockType.USER_PROMPT)
        .author(Author.USER)
        .turn(turn)
        .ts(NOW)
        .path(BlockPath.userPrompt(turn))
        .text(text)
        .build();
  }

  /** A block with binary content. */
  public static Block image(TurnId turn, Binary data) {
    return Block.builder(BlockType.USER_ATTACHMENT)
        .turn(turn)
        .ts(NOW)
        .mime("image/png")
        .data(data)
        .build();
  }

  public static Binary binary(String content) {
    return Binary.of(content.getBytes(StandardCharsets.UTF_8));
  }

  public static Summary summary(String id, long cutSeq, TurnId turn, TurnId... covered) {
    JsonArray ids =
        new JsonArray(Stream.of(covered).map(t -> (JsonValue) JsonValue.of(t.value())).toList());
    JsonObject meta = JsonObject.of("covered_turn_ids", ids);
    return new Summary(id, cutSeq, 1, turn, "sum " + id, "main", "", meta, NOW, false);
  }

  public static WriteSet.Builder set() {
    return set(CHAT);
  }

  public static WriteSet.Builder set(Scope.OfConversation conversation) {
    return WriteSet.of(conversation, NOW);
  }

  /** A set that opens a turn and appends blocks to it. */
  public static WriteSet opening(Scope.OfConversation conversation, TurnId turn, Block... blocks) {
    WriteSet.Builder set = set(conversation).add(new Row.PutTurn(TurnRow.open(turn, NOW)));
    return (blocks.length == 0 ? set : set.append(news(blocks))).build();
  }

  /** A set that appends blocks. */
  public static WriteSet appending(Scope.OfConversation conversation, Block... blocks) {
    return set(conversation).append(news(blocks)).build();
  }

  /** A set that closes a turn. */
  public static WriteSet closing(
      Scope.OfConversation conversation, TurnId turn, TurnStatus status) {
    return set(conversation)
        .add(new Row.PutTurn(TurnRow.open(turn, NOW).closed(status, NOW)))
        .build();
  }

  public static List<NewBlock> news(Block... blocks) {
    return Stream.of(blocks).map(NewBlock::of).toList();
  }

  /** Commits what must be applied. */
  public static Commit.Committed applied(Store store, WriteSet set) {
    return switch (store.commit(set)) {
      case Commit.Committed committed -> committed;
      case Commit.Conflict conflict -> throw new AssertionError("not applied: " + conflict);
    };
  }

  /** Commits what must be refused. */
  public static Commit.Conflict refused(Store store, WriteSet set) {
    return switch (store.commit(set)) {
      case Commit.Committed committed -> throw new AssertionError("applied: " + committed);
      case Commit.Conflict conflict -> conflict;
    };
  }
}
