package dev.contexture.prompt;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The texts that the prompts of an epoch repeat byte for byte, and the basis they were made for.
 * Immutable.
 *
 * @param core the text of the core blocks
 * @param working the text of the other blocks
 * @param blocks every block that was to be shown, in the order of the prompt
 * @param dropped what was not shown, and why
 * @param truncated what was cut
 * @param coreOverBudget whether core alone was larger than the budget
 * @param basis what must stay the same for the epoch to go on
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EpochState(
    String core,
    String working,
    List<Member> blocks,
    List<Omission> dropped,
    List<Omission> truncated,
    boolean coreOverBudget,
    Basis basis) {
  public EpochState {
    blocks = List.copyOf(blocks);
    dropped = List.copyOf(dropped);
    truncated = List.copyOf(truncated);
  }

  /**
   * A block that an epoch was to show.
   *
   * @param id of the block
   * @param name how the viewer calls it
   * @param digest of its whole markup
   * @param shown whether there was room for it
   */
  public record Member(String id, String name, String digest, boolean shown) {}

  /**
   * The conditions that an epoch rests on.
   *
   * @param model whom the requests are for; empty: not known
   * @param tools hash of the tools as they are sent
   * @param history what stands for the older part of the conversation: its summary and how much is
   *     archived
   * @param lost ids of memory blocks of which the conversation told, and which it leaves out
   */
  public record Basis(String model, String tools, String history, Set<String> lost) {
    public Basis {
      lost = Set.copyOf(lost);
    }

    /** A basis that leaves nothing out. */
    public Basis(String model, String tools, String history) {
      this(model, tools, history, Set.of());
    }
  }

  /** Begins an epoch with what a prompt shows. */
  public static EpochState of(MemoryPrompt prompt, List<PromptBlock> wanted, Basis basis) {
    List<Member> members = new ArrayList<>();
    prompt.blocks().forEach(block -> members.add(member(block, true)));
    Set<PromptBlock> shown = Set.copyOf(prompt.blocks());
    wanted.stream()
        .filter(block -> !shown.contains(block))
        .sorted(PromptBlock.ORDER)
        .forEach(block -> members.add(member(block, false)));
    return new EpochState(
        prompt.core(),
        prompt.working(),
        members,
        prompt.dropped(),
        prompt.truncated(),
        prompt.coreOverBudget(),
        basis);
  }

  private static Member member(PromptBlock block, boolean shown) {
    return new Member(block.id(), block.name(), block.digest(), shown);
  }

  /** The same, resting on something else. */
  public EpochState withBasis(Basis on) {
    return new EpochState(core, working, blocks, dropped, truncated, coreOverBudget, on);
  }

  /** How the viewer calls the blocks whose content it holds, in the order of the prompt. */
  public List<String> labels() {
    return blocks.stream().filter(Member::shown).map(Member::name).toList();
  }

  /** Ids of the blocks whose content it holds. */
  public Set<String> shownIds() {
    return blocks.stream().filter(Member::shown).map(Member::id).collect(Collectors.toSet());
  }

  public JsonObject toJson() {
    List<JsonValue> members = new ArrayList<>();
    for (Member block : blocks) {
      members.add(
          JsonObject.builder()
              .put("id", block.id)
              .put("name", block.name)
              .put("digest", block.digest)
              .put("shown", block.shown)
              .build());
    }
    return JsonObject.builder()
        .put("core", core)
        .put("working", working)
        .put("blocks", new JsonArray(members))
        .put("dropped", json(dropped))
        .put("truncated", json(truncated))
        .put("core_over_budget", coreOverBudget)
        .put("model", basis.model)
        .put("tools", basis.tools)
        .put("history", basis.history)
        .put("lost", JsonArray.ofStrings(basis.lost.stream().sorted().toList()))
        .build();
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws ContextureException {@code store_damaged} if it is something else
   */
  public static EpochState fromJson(JsonObject json) {
    try {
      List<Member> members = new ArrayList<>();
      for (JsonObject block : objects(json, "blocks")) {
        members.add(
            new Member(
                text(block, "id"),
                text(block, "name"),
                text(block, "digest"),
                block.isTrue("shown")));
      }
      return new EpochState(
          text(json, "core"),
          text(json, "working"),
          members,
          objects(json, "dropped").stream().map(Omission::fromJson).toList(),
          objects(json, "truncated").stream().map(Omission::fromJson).toList(),
          json.isTrue("core_over_budget"),
          new Basis(
              text(json, "model"),
              text(json, "tools"),
              text(json, "history"),
              strings(json.array("lost").orElse(JsonArray.of()))));
    } catch (NoSuchElementException | IllegalArgumentException | ClassCastException broken) {
      throw new ContextureException(
          ErrorCode.STORE_DAMAGED,
          "a stored epoch cannot be read; start a new one",
          Map.of("found", "epoch"),
          broken);
    }
  }

  static JsonArray json(List<Omission> omissions) {
    return new JsonArray(omissions.stream().map(o -> (JsonValue) o.toJson()).toList());
  }

  private static List<JsonObject> objects(JsonObject json, String key) {
    return json.array(key).orElseThrow().items().stream().map(JsonObject.class::cast).toList();
  }

  private static Set<String> strings(JsonArray array) {
    return array.items().stream()
        .map(item -> ((JsonString) item).value())
        .collect(Collectors.toSet());
  }

  private static String text(JsonObject json, String key) {
    return json.string(key).orElseThrow();
  }
}
