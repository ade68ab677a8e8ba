package dev.contexture.prompt;

import dev.contexture.memory.BlockMarkup;
import dev.contexture.memory.textedit.TextLines;
import dev.contexture.prompt.Omission.Reason;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Memory blocks within a budget. Core is always whole; the rest is chosen in order, cut at lines
 * where it does not fit, and left out where that would leave too little. Immutable.
 *
 * @param core the text of the core blocks; empty if there are none
 * @param working the text of all others that are shown
 * @param blocks those that are shown, in the order of the text
 * @param dropped those that are not, and why
 * @param truncated those that are cut, and how far
 * @param coreOverBudget whether core alone is larger than the budget
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MemoryPrompt(
    String core,
    String working,
    List<PromptBlock> blocks,
    List<Omission> dropped,
    List<Omission> truncated,
    boolean coreOverBudget) {
  private static final int FEWEST_LINES = 3;
  private static final int MOST_NAMES = 20;
  private static final String BETWEEN = "\n\n";

  public MemoryPrompt {
    blocks = List.copyOf(blocks);
    dropped = List.copyOf(dropped);
    truncated = List.copyOf(truncated);
  }

  /**
   * @param wanted in any order, each block once
   * @param budget tokens
   */
  public static MemoryPrompt of(List<PromptBlock> wanted, long budget, TokenMeter meter) {
    return new Choice(budget, meter).of(wanted);
  }

  /** Chooses what is shown. Used once. */
  private static final class Choice {
    private final long budget;
    private final TokenMeter meter;
    private final Map<PromptBlock, String> texts = new HashMap<>();
    private final List<Omission> dropped = new ArrayList<>();
    private final List<Omission> truncated = new ArrayList<>();

    Choice(long budget, TokenMeter meter) {
      this.budget = budget;
      this.meter = meter;
    }

    MemoryPrompt of(List<PromptBlock> wanted) {
      long left = budget;
      for (PromptBlock block : wanted) {
        if (block.core()) {
          String text = block.markup().toString();
          texts.put(block, text);
          left -= cost(text);
        }
      }
      for (PromptBlock block : wanted.stream().sorted(PromptBlock.CHOICE).toList()) {
        if (!block.core()) {
          left -= left < 0 ? drop(block, left) : fit(block, left);
        }
      }
      String unshown = unshown(left);
      List<PromptBlock> shown =
          wanted.stream().filter(texts::containsKey).sorted(PromptBlock.ORDER).toList();
      List<PromptBlock> coreFirst = new ArrayList<>(shown.stream().filter(b -> b.core()).toList());
      coreFirst.addAll(shown.stream().filter(b -> !b.core()).toList());
      return new MemoryPrompt(
          text(shown, true),
          Stream.of(text(shown, false), unshown)
              .filter(part -> !part.isEmpty())
              .collect(Collectors.joining(BETWEEN)),
          coreFirst,
          dropped,
          truncated,
          left < 0);
    }

    /** Names the blocks for which there is no room, if there is room for that. */
    private String unshown(long left) {
      if (dropped.isEmpty()) {
        return "";
      }
      String names =
          dropped.stream().limit(MOST_NAMES).map(Omission::id).collect(Collectors.joining(", "));
      int more = dropped.size() - MOST_NAMES;
      String note =
          BlockMarkup.fence(
              "[memory blocks not shown for want of room: "
                  + names.replaceAll("\\R", " ")
                  + (more > 0 ? " and " + more + " more" : "")
                  + "]");
      return cost(note) <= left ? note : "";
    }

    private String text(List<PromptBlock> shown, boolean core) {
      return shown.stream()
          .filter(block -> block.core() == core)
          .map(block -> texts.getOrDefault(block, ""))
          .collect(Collectors.joining(BETWEEN));
    }

    private long cost(String text) {
      return meter.texts(List.of(text));
    }

    /** Shows as much of a block as fits; returns what that costs. */
    private long fit(PromptBlock block, long left) {
      String whole = block.markup().toString();
      if (cost(whole) <= left) {
        texts.put(block, whole);
        return cost(whole);
      }
      List<String> lines = TextLines.of(block.markup().content()).lines();
      int shown = mostLines(block.markup(), lines, left);
      if (shown < FEWEST_LINES) {
        return drop(block, left);
      }
      String cut = cut(block.markup(), lines, shown);
      texts.put(block, cut);
      truncated.add(
          Omission.block(
              block.name(),
              Reason.OVER_MEMORY_BUDGET,
              shown + " of " + lines.size() + " lines shown",
              cost(whole) - cost(cut)));
      return cost(cut);
    }

    /** Split at line feeds; a final one opens no line. */
    private long drop(PromptBlock block, long left) {
      long needed = cost(block.markup().toString());
      dropped.add(
          Omission.block(
              block.name(),
              Reason.OVER_MEMORY_BUDGET,
              "needs " + needed + " tokens, " + Math.max(0, left) + " are left",
              needed));
      return 0;
    }

    /** The largest number of lines that fit: costs grow with lines, but for a token or two. */
    private int mostLines(BlockMarkup markup, List<String> lines, long left) {
      int fits = 0;
      int tooMany = lines.size();
      while (tooMany - fits > 1) {
        int middle = (fits + tooMany) >>> 1;
        if (cost(cut(markup, lines, middle)) <= left) {
          fits = middle;
        } else {
          tooMany = middle;
        }
      }
      return fits;
    }

    private static String cut(BlockMarkup markup, List<String> lines, int shown) {
      String content =
          String.join("\n", lines.subList(0, shown))
              + "\n[truncated: "
              + shown
              + " of "
              + lines.size()
              + " lines shown; load the block to read all]";
      return new BlockMarkup(
              markup.label(),
              markup.permission(),
              content,
              markup.description(),
              markup.schemaLine(),
              markup.user(),
              markup.sharedFrom())
          .toString();
    }
  }
}
