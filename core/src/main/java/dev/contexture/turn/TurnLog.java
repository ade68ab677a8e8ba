package dev.contexture.turn;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Everything that was stored in one turn, quiet blocks too, summaries never.
 *
 * @param turn its status, agent, parent, times and feedback
 * @param blocks in the order in which they were stored
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TurnLog(StoredTurn turn, List<StoredBlock> blocks) {
  public TurnLog {
    blocks = List.copyOf(blocks);
  }

  /** What the user said. */
  public String userText() {
    return String.join("\n\n", texts(BlockType.USER_PROMPT));
  }

  /** What the assistant answered; empty if there is no answer. */
  public Optional<String> answer() {
    List<String> answers = texts(BlockType.ASSISTANT_COMPLETION);
    return answers.isEmpty() ? Optional.empty() : Optional.of(answers.getLast());
  }

  /** The paths of what the user attached, each once. */
  public List<String> attachments() {
    return paths(block -> block.type().equals(BlockType.USER_ATTACHMENT_META));
  }

  /** The paths of the files that the turn wrote, each once. */
  public List<String> files() {
    return paths(
        block ->
            block
                .path()
                .filter(path -> path.kind() == dev.contexture.block.BlockPath.Kind.FILE)
                .isPresent());
  }

  /** The sources that the answer rests on. */
  public List<Long> sourcesUsed() {
    List<Long> sids = new ArrayList<>();
    for (StoredBlock stored : blocks) {
      for (JsonValue sid : items(stored.block(), "sources_used")) {
        if (sid instanceof dev.contexture.json.JsonNumber number) {
          number.asLong().ifPresent(sids::add);
        }
      }
    }
    return sids;
  }

  /** What the user might ask next. */
  public List<String> followups() {
    List<String> followups = new ArrayList<>();
    for (String json : texts(BlockType.STAGE_SUGGESTED_FOLLOWUPS)) {
      if (JsonValue.parse(json) instanceof JsonArray array) {
        array.items().forEach(item -> followups.add(((JsonString) item).value()));
      }
    }
    return followups;
  }

  /** What the user was asked. */
  public List<String> questions() {
    List<String> questions = new ArrayList<>();
    for (StoredBlock stored : blocks) {
      if (stored.block().type().equals(BlockType.STAGE_CLARIFICATION)) {
        for (JsonValue question : items(stored.block(), "questions")) {
          questions.add(question instanceof JsonString text ? text.value() : question.toJson());
        }
      }
    }
    return questions;
  }

  private static List<JsonValue> items(Block block, String key) {
    return block.meta().array(key).map(JsonArray::items).orElse(List.of());
  }

  private List<String> texts(BlockType type) {
    return blocks.stream()
        .map(StoredBlock::block)
        .filter(block -> block.type().equals(type))
        .flatMap(block -> block.text().stream())
        .toList();
  }

  private List<String> paths(java.util.function.Predicate<Block> which) {
    return blocks.stream()
        .map(StoredBlock::block)
        .filter(which)
        .flatMap(block -> block.path().stream())
        .map(dev.contexture.block.BlockPath::text)
        .distinct()
        .toList();
  }
}
