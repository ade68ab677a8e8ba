package dev.contexture.bench.support;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.Timeline;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * Makes conversations of an agent at work: turns of a prompt, rounds of notes, call and result, and
 * an answer. Blocks have about 600 bytes. Equal seeds give equal conversations.
 */
public final class SampleConversations {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int ROUNDS_PER_TURN = 12;
  private static final String[] WORDS =
      ("the agent reads a file and finds that order ship route total price user wants table index"
              + " error in line of module test build value name list item store cache key token")
          .split(" ");

  private final SplittableRandom random;
  private Timeline timeline = Timeline.empty();
  private long blocks;
  private int turns;
  private int rounds;

  public SampleConversations(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A timeline of at least so many blocks, in the middle of a turn, every call answered. */
  public Timeline ofBlocks(int count) {
    while (blocks < count) {
      next();
    }
    return timeline;
  }

  /** The block that comes next in the open turn: a note that waits for nothing. */
  public Block nextNote() {
    TurnId turn = turn();
    return block(BlockType.REACT_NOTE, turn)
        .path(BlockPath.artifact(turn, "react.note"))
        .text(text(60))
        .build();
  }

  private void next() {
    if (turns == 0 || rounds == ROUNDS_PER_TURN) {
      if (turns > 0) {
        TurnId turn = turn();
        add(block(BlockType.ASSISTANT_COMPLETION, turn).path(BlockPath.completion(turn)), 90);
      }
      startTurn();
    }
    round();
  }

  private void startTurn() {
    turns++;
    rounds = 0;
    TurnId turn = turn();
    timeline = timeline.withActiveTurn(turn);
    timeline = timeline.append(block(BlockType.TURN_HEADER, turn).build());
    blocks++;
    add(
        Block.builder(BlockType.USER_PROMPT)
            .author(Author.USER)
            .turn(turn)
            .ts(time())
            .path(BlockPath.userPrompt(turn)),
        40);
  }

  private void round() {
    rounds++;
    TurnId turn = turn();
    CallId call = CallId.of("tc_" + turns + "x" + rounds);
    add(block(BlockType.REACT_NOTES, turn).path(BlockPath.notes(turn, call)), 30);
    JsonObject params = JsonObject.builder().put("query", text(60)).build();
    String json =
        "{\"tool_id\":\"files.search\",\"tool_call_id\":\""
            + call
            + "\",\"params\":"
            + params.toJson()
            + "}";
    append(block(BlockType.REACT_TOOL_CALL, turn).path(BlockPath.call(turn, call)).text(json));
    add(
        block(BlockType.REACT_TOOL_RESULT, turn)
            .path(BlockPath.result(turn, call))
            .toolCallId(call.value()),
        110);
  }

  private void add(Block.Builder block, int words) {
    append(block.text(text(words)));
  }

  private void append(Block.Builder block) {
    timeline = timeline.append(block.build());
    blocks++;
  }

  private Block.Builder block(BlockType type, TurnId turn) {
    return Block.builder(type).author(Author.REACT).turn(turn).ts(time());
  }

  private TurnId turn() {
    return TurnId.of("turn_" + turns);
  }

  private Instant time() {
    return START.plusSeconds(blocks);
  }

  private String text(int words) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(i % 12 == 11 ? '\n' : ' ');
    }
    return text.append(random.nextInt(100_000)).toString();
  }
}
