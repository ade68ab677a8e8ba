package dev.contexture.compaction.summary;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The sections of summaries, in the order in which they are written. */
public enum Section {
  GOAL("Goal", "## Goal"),
  CONSTRAINTS("Constraints & Preferences", "## Constraints & Preferences"),
  DONE("Done", "### Done"),
  IN_PROGRESS("In Progress", "### In Progress"),
  NOT_STARTED("Not Started", "### Not Started"),
  BLOCKED("Blocked", "### Blocked"),
  DECISIONS("Key Decisions", "## Key Decisions"),
  NEXT_STEPS("Next Steps", "## Next Steps"),
  CRITICAL("Critical Context", "## Critical Context"),
  REQUEST("Original Request", "## Original Request"),
  EARLY_PROGRESS("Early Progress", "## Early Progress"),
  SUFFIX_CONTEXT("Context for Suffix", "## Context for Suffix");

  public static final List<Section> OF_SUMMARY =
      List.of(
          GOAL,
          CONSTRAINTS,
          DONE,
          IN_PROGRESS,
          NOT_STARTED,
          BLOCKED,
          DECISIONS,
          NEXT_STEPS,
          CRITICAL);

  public static final List<Section> OF_PREFIX = List.of(REQUEST, EARLY_PROGRESS, SUFFIX_CONTEXT);

  private final String title;
  private final String heading;

  Section(String title, String heading) {
    this.title = title;
    this.heading = heading;
  }

  public String heading() {
    return heading;
  }

  /** Whether it stands under the heading of the progress. */
  public boolean isProgress() {
    return heading.startsWith("###");
  }

  public static Optional<Section> titled(String title) {
    return Arrays.stream(values())
        .filter(section -> section.title.equalsIgnoreCase(title.strip()))
        .findFirst();
  }

  /** Where its entries go in a summary of the other kind. */
  public Section in(List<Section> sections) {
    if (sections.contains(this)) {
      return this;
    }
    return switch (this) {
      case REQUEST, GOAL -> sections.contains(GOAL) ? GOAL : REQUEST;
      case EARLY_PROGRESS -> DONE;
      case DONE, IN_PROGRESS -> EARLY_PROGRESS;
      case SUFFIX_CONTEXT -> CRITICAL;
      case CONSTRAINTS, NOT_STARTED, BLOCKED, DECISIONS, NEXT_STEPS, CRITICAL -> SUFFIX_CONTEXT;
    };
  }
}
