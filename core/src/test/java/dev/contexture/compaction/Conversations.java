package dev.contexture.compaction;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random conversations with what real ones hold: parallel and interleaved calls, ids that repeat,
 * late results, recorded answers with opaque parts, hidden blocks, blocks of any size.
 */
final class Conversations {
  private final Random random;
  private final Chat chat = new Chat();
  private int answers;
  private int turns;

  Conversations(long seed) {
    this.random = new Random(seed);
  }

  /** Adds closed turns and an active one, maybe with calls that wait for their results. */
  Conversations grow(int closedTurns, int activeBatches) {
    for (int i = 0; i < closedTurns; i++) {
      open(false);
      batches(random.nextInt(4));
      chat.completion(text());
    }
    open(true);
    batches(activeBatches);
    if (random.nextInt(3) == 0) {
      pendingBatch();
    }
    return this;
  }

  /** Goes on in the active turn. */
  Conversations more(int batches) {
    batches(batches);
    return this;
  }

  Timeline timeline() {
    return chat.timeline();
  }

  Conversations with(Timeline timeline) {
    chat.with(unused -> timeline);
    return this;
  }

  private void open(boolean active) {
    String id = "turn_" + turns++;
    if (active) {
      chat.activeTurn(id);
    } else {
      chat.closed().turn(id);
    }
    chat.prompt("Task-" + turns + " in src/mod_" + random.nextInt(1000) + ".py: " + text());
    if (random.nextInt(4) == 0) {
      attachment(TurnId.of(id));
    }
  }

  private void attachment(TurnId turn) {
    BlockPath path = BlockPath.attachment(turn, "a.txt");
    chat.add(Block.builder(BlockType.USER_ATTACHMENT_META).author(Author.USER).path(path));
    chat.add(
        Block.builder(BlockType.USER_ATTACHMENT_TEXT).author(Author.USER).path(path).text(text()));
  }

  private void batches(int count) {
    for (int i = 0; i < count; i++) {
      List<String> ids = calls();
      while (!ids.isEmpty()) {
        String id = ids.remove(random.nextInt(ids.size()));
        chat.result(id, text());
        if (random.nextInt(6) == 0) {
          chat.notice(id, "{\"code\":\"n\"}");
        }
      }
      if (random.nextInt(6) == 0) {
        chat.result("c" + random.nextInt(5), "late " + text());
      }
    }
  }

  private void pendingBatch() {
    List<String> ids = calls();
    if (ids.size() > 1) {
      chat.result(ids.getFirst(), text());
    }
  }

  private List<String> calls() {
    List<String> ids = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    String answer = random.nextBoolean() ? "answer_" + answers++ : "";
    for (int i = 0; i < count; i++) {
      String id = "c" + (random.nextInt(3) == 0 ? random.nextInt(5) : 10 + random.nextInt(10_000));
      if (!ids.contains(id)) {
        ids.add(id);
      }
    }
    for (String id : ids) {
      if (random.nextBoolean()) {
        add(BlockType.MODEL_OPAQUE, id, answer, "{\"t\":\"" + id + "\"}");
      }
      if (random.nextBoolean()) {
        add(BlockType.REACT_NOTES, id, answer, "looking at item_" + random.nextInt(100));
      }
      add(BlockType.REACT_TOOL_CALL, id, answer, "{\"tool_id\":\"x.run\",\"params\":{}}");
      if (random.nextInt(8) == 0) {
        chat.gate("gate " + text());
      }
    }
    return ids;
  }

  private void add(BlockType type, String call, String answer, String text) {
    Block.Builder block = Block.builder(type).author(Author.REACT).toolCallId(call).text(text);
    if (!answer.isEmpty()) {
      block.meta("answer_id", JsonValue.of(answer));
    }
    if (type.isCall()) {
      block.path(BlockPath.call(TurnId.of("turn_" + (turns - 1)), CallId.of(call)));
    }
    chat.add(block);
  }

  private String text() {
    int size = random.nextInt(20) == 0 ? 20_000 : 1 + random.nextInt(1_500);
    StringBuilder text = new StringBuilder();
    while (text.length() < size) {
      text.append("word").append(random.nextInt(1_000_000)).append(' ');
    }
    return text.toString();
  }
}
