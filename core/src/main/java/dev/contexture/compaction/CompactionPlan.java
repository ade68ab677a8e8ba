package dev.contexture.compaction;

import dev.contexture.block.TurnId;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A plan of a compaction: its steps, or the reason why there is nothing to do. Immutable, and made
 * without any effect: it can be shown instead of carried out. Previews are part of every plan and
 * hold whatever comes of the rest.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface CompactionPlan {
  /** The blocks that are shown as previews, to be stored. */
  List<Visibility> previews();

  /** The stable stream with the previews in it. */
  View view();

  /** The numbers that decided. */
  Sizes sizes();

  /** The timeline with the previews in it. */
  default Timeline timeline() {
    return view().timeline();
  }

  /** Nothing is due, or the previews were enough. */
  record NotNeeded(List<Visibility> previews, View view, Sizes sizes) implements CompactionPlan {
    public NotNeeded {
      previews = List.copyOf(previews);
    }
  }

  /** It is due, but no block can be cut at. */
  record NoCut(List<Visibility> previews, View view, Sizes sizes) implements CompactionPlan {
    public NoCut {
      previews = List.copyOf(previews);
    }
  }

  /** It is due and could be cut, but nothing would be gained. */
  record Skipped(List<Visibility> previews, View view, Sizes sizes, String reason)
      implements CompactionPlan {
    public Skipped {
      previews = List.copyOf(previews);
    }
  }

  /**
   * A summary is to stand before a block.
   *
   * @param cut the index in the stream of the first block that stays
   * @param cutSeq the sequence number that the summary stands before
   * @param turn the turn of the cut block
   * @param history the blocks of whole turns that it stands for, and of other turns cut before
   * @param prefix the blocks of the divided turn before the cut; empty if none is divided
   * @param carriesPrompt whether the divided turn's prompt is shown again behind the summary
   * @param promptCost what the divided turn's prompt costs
   * @param prompt the divided turn's prompts before the cut
   * @param spared previews of blocks before the cut: they hold only if no summary comes of it
   */
  record Cut(
      List<Visibility> previews,
      View view,
      Sizes sizes,
      int cut,
      long cutSeq,
      TurnId turn,
      List<TimelineEntry> history,
      List<TimelineEntry> prefix,
      boolean carriesPrompt,
      long promptCost,
      List<TimelineEntry> prompt,
      List<Visibility> spared)
      implements CompactionPlan {
    public Cut {
      previews = List.copyOf(previews);
      history = List.copyOf(history);
      prefix = List.copyOf(prefix);
      prompt = List.copyOf(prompt);
      spared = List.copyOf(spared);
    }

    /** The previews that hold where nothing is cut away. */
    List<Visibility> previewsWithoutCut() {
      List<Visibility> all = new ArrayList<>(spared);
      all.addAll(previews);
      return all;
    }

    /** The turn that the cut divides. */
    public Optional<TurnId> splitTurn() {
      return prefix.isEmpty() ? Optional.empty() : Optional.of(turn);
    }

    /** How many stored blocks it stands for that no summary stood for before. */
    public int compactedBlocks() {
      return (int)
          (history.stream().filter(entry -> entry.seq().isPresent()).count()
              + prefix.stream().filter(entry -> entry.seq().isPresent()).count());
    }
  }

  /**
   * Whole turns are archived, or none where nothing is due or nothing can be.
   *
   * @param facts what is archived or left out, and the numbers of messages
   * @param spans the turns as runs of neighbours; empty: nothing is archived
   * @param recursion the summary that is to stand for them; null: none is
   */
  record Archive(
      View view,
      Sizes sizes,
      CompactionReport.Archiving facts,
      List<Span> spans,
      @Nullable Recursion recursion)
      implements CompactionPlan {
    public Archive {
      spans = List.copyOf(spans);
    }

    @Override
    public List<Visibility> previews() {
      return List.of();
    }

    int archivedBlocks() {
      return (int)
          timeline().entries().stream()
              .filter(
                  entry -> spans.stream().anyMatch(span -> span.contains(entry.seq().orElse(0))))
              .count();
    }
  }

  /**
   * Neighbouring turns, from the first block to the last.
   *
   * @param turns oldest first
   */
  record Span(long fromSeq, long toSeq, List<TurnId> turns) {
    public Span {
      turns = List.copyOf(turns);
    }

    Span with(TurnId turn, long lastSeq) {
      List<TurnId> more = new ArrayList<>(turns);
      more.add(turn);
      return new Span(fromSeq, lastSeq, more);
    }

    boolean contains(long seq) {
      return fromSeq <= seq && seq <= toSeq;
    }
  }

  /**
   * The plan for the summary of archived turns.
   *
   * @param cut where it stands, and the blocks that it stands for
   * @param chunks those blocks as they are summarised, one call after the other
   * @param strategy model and prompt
   * @param allowance what the summary may have, in tokens
   */
  record Recursion(
      Cut cut,
      List<List<TimelineEntry>> chunks,
      CompressionStrategy.RecursiveSummarization strategy,
      long allowance) {
    public Recursion {
      chunks = List.copyOf(chunks);
    }
  }

  /** Whether a summariser has to be asked before the plan can be applied. */
  default boolean needsSummary() {
    return switch (this) {
      case Cut unused -> true;
      case Archive archive -> archive.recursion() != null;
      case NotNeeded unused -> false;
      case NoCut unused -> false;
      case Skipped unused -> false;
    };
  }

  /** Whether compaction was still due after the previews, so that hooks are told. */
  default boolean isAttempt() {
    return !(this instanceof NotNeeded) && sizes().reason() != null;
  }

  /**
   * The numbers of a plan, in tokens.
   *
   * @param reason {@code over_limit}, {@code over_cap} or {@code forced}; null: not due
   * @param before the total before anything was done
   * @param afterPreviews the total with the previews
   * @param limit above which a context is due; absent without a budget
   * @param keep how much of the stream was to stay
   * @param estimate the total that was expected of the cut; 0 without one
   */
  record Sizes(
      @Nullable String reason,
      long before,
      long afterPreviews,
      long limit,
      long keep,
      long estimate) {}
}
