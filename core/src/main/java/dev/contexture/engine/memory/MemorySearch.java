package dev.contexture.engine.memory;

import dev.contexture.engine.search.Search;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import java.util.List;
import org.apiguardian.api.API;

/** Search as an actor may do it. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface MemorySearch {
  /** What an agent knows: nothing, if the view is another agent's. */
  SearchResults search(String agent, String query, SearchOptions options);

  /**
   * Everything of the project.
   *
   * @throws dev.contexture.error.ContextureException {@code access_denied} unless the system asks
   */
  SearchResults searchAll(String query, SearchOptions options);

  /** Archival entries of an agent in full, best first. */
  List<ArchivalEntry> searchArchival(String agent, String query, int limit);

  /** How the index of the project stands. */
  Search.IndexStatus indexStatus();
}
