package dev.contexture.view;

import dev.contexture.block.BlockType;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Filters that select the contributions to show. Types match exactly; base blocks are never
 * filtered.
 *
 * @param includeOnly if not empty, it alone decides
 * @param exclude types that are left out
 * @param turnHeaders whether the headers of turns are shown
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ContributionFilters(
    Set<BlockType> includeOnly, Set<BlockType> exclude, boolean turnHeaders) {
  public static final ContributionFilters NONE = new ContributionFilters(Set.of(), Set.of());

  public ContributionFilters {
    includeOnly = Set.copyOf(includeOnly);
    exclude = Set.copyOf(exclude);
  }

  /** Filters that show the headers of turns. */
  public ContributionFilters(Set<BlockType> includeOnly, Set<BlockType> exclude) {
    this(includeOnly, exclude, true);
  }

  /** Whether nothing is said of a type, not even that it is left out. */
  boolean silences(BlockType type) {
    return type.has(BlockType.Flag.QUIET) || (!turnHeaders && type.equals(BlockType.TURN_HEADER));
  }

  boolean shows(BlockType type) {
    if (type.has(BlockType.Flag.BASE)) {
      return true;
    }
    return includeOnly.isEmpty() ? !exclude.contains(type) : includeOnly.contains(type);
  }
}
