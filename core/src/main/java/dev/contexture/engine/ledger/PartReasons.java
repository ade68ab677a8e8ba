package dev.contexture.engine.ledger;

import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.RequestBlock;
import dev.contexture.timeline.Summary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says of the parts of a request why they are there. Immutable. */
final class PartReasons {
  static final Reason PINNED =
      new Reason("pinned", "it is pinned: it stays, although a summary stands for its turn");

  private final LedgerRecord record;
  private final @Nullable RequestContents contents;
  private final @Nullable Summary summary;
  private final List<Section> sections;
  private final long turnFrom;

  /**
   * @param contents null: they were not recorded
   * @param summary that the request shows; null: none
   * @param sections tokens by section
   * @param turnFrom the first block of the turn that the request was made for; 0: none
   */
  PartReasons(
      LedgerRecord record,
      @Nullable RequestContents contents,
      @Nullable Summary summary,
      JsonObject sections,
      long turnFrom) {
    this.record = record;
    this.contents = contents;
    this.summary = summary;
    this.sections = Section.all(sections);
    this.turnFrom = turnFrom;
  }

  /**
   * The reason why something is there.
   *
   * @param code for programs
   * @param detail the same in words
   */
  record Reason(String code, String detail) {}

  /** A section before the conversation, in its order, with where it ends in tokens. */
  private record Section(Reason reason, long end) {
    static List<Section> all(JsonObject tokens) {
      List<Section> all = new ArrayList<>();
      add(all, tokens, "instructions", "instructions", "the instructions that the host gave");
      add(all, tokens, "core", "memory", "core memory of the agent, shown in every request");
      add(all, tokens, "working", "memory", "working memory: attached blocks of the agent");
      add(all, tokens, "activity", "activity", "what happened to memory a short while ago");
      add(all, tokens, "rules", "rules", "rules about tools that the host gave");
      return all;
    }

    private static void add(
        List<Section> all, JsonObject tokens, String name, String code, String detail) {
      long size = JsonFields.of(tokens, tokens.members().keySet()).number(name).orElse(0);
      if (size > 0) {
        long end = all.isEmpty() ? 0 : all.getLast().end;
        all.add(new Section(new Reason(code, detail), end + size));
      }
    }
  }

  Reason of(int index) {
    LedgerBlock block = record.blocks().get(index);
    return switch (block.tier()) {
      case TOOLS -> new Reason("tools", "the host offers this tool with the request");
      case SYSTEM -> system(index);
      case MESSAGES -> message(block);
    };
  }

  /** A part may hold several sections: where the format joins them. */
  private Reason system(int index) {
    long from = 0;
    for (int i = 0; i < index; i++) {
      LedgerBlock before = record.blocks().get(i);
      from += before.tier() == RequestBlock.Tier.SYSTEM ? before.tokens() : 0;
    }
    long to = from + record.blocks().get(index).tokens();
    List<Section> held = new ArrayList<>();
    long start = 0;
    for (Section section : sections) {
      if (start < to && section.end > from) {
        held.add(section);
      }
      start = section.end;
    }
    if (held.isEmpty()) {
      return new Reason("instructions", "the host gave it with the request");
    }
    List<String> details = held.stream().map(section -> section.reason.detail()).toList();
    return new Reason(held.getFirst().reason.code(), String.join("; ", details));
  }

  private Reason message(LedgerBlock block) {
    if (block.volatileTail()) {
      return new Reason(
          "tail",
          "told at the end of this request only: sources, announcements, changes of memory,"
              + " activity");
    }
    if (block.origin().actor().equals("compaction")) {
      return new Reason("summary", summarized());
    }
    if (contents != null && contents.pinned().contains(block.origin().path())) {
      return PINNED;
    }
    return block.origin().seq() == 0
        ? new Reason("format", "put in because the provider's format needs it")
        : ofSeq(block.origin().seq());
  }

  private String summarized() {
    return summary == null
        ? "a summary of what was said before"
        : "it stands for blocks "
            + summary.fromSeq()
            + " to "
            + (summary.cutSeq() - 1)
            + " of "
            + summary.coveredTurns().size()
            + " turns";
  }

  Reason ofSeq(long seq) {
    RequestContents known = contents;
    if (turnFrom > 0 && seq >= turnFrom) {
      return new Reason("current_turn", "it belongs to the turn that the request was made for");
    }
    if (known != null && seq < known.cutSeq()) {
      return new Reason(
          "carried", "the summary ends inside its turn: what opens the turn is said again");
    }
    return known == null || known.cutSeq() == 0
        ? new Reason("history", "nothing was compacted before it, so that all history is shown")
        : new Reason(
            "history", "it is newer than the summary, which ends before block " + known.cutSeq());
  }
}
