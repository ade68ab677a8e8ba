package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.ArchivalEntry;
import dev.contexture.engine.memory.MemorySearch;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.engine.search.Search;
import dev.contexture.memory.permission.Actor;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Searches the index of an engine, within what an actor may see. Thread-safe. */
final class StoredSearch implements MemorySearch {
  private final MemoryServices services;
  private final Viewpoint view;

  StoredSearch(MemoryServices services, Viewpoint view) {
    this.services = services;
    this.view = view;
  }

  @Override
  public SearchResults search(String agent, String query, SearchOptions options) {
    if (!view.as(agent).mayActFor(agent)) {
      SearchMode mode = options.mode() == SearchMode.AUTO ? SearchMode.FTS : options.mode();
      return new SearchResults(List.of(), options.mode(), mode, List.of());
    }
    Scope.OfAgent whose = services.scope().agent(agent).forUser(view.user());
    return view.everybody()
        ? engine().searchEverybody(whose, query, options)
        : engine().search(whose, query, options);
  }

  @Override
  public SearchResults searchAll(String query, SearchOptions options) {
    Actor actor = view.host().actor();
    if (!actor.isSystem()) {
      throw MemoryRefusals.notFor(actor, "searchAll", "the system");
    }
    return engine().searchAll(services.scope(), query, options);
  }

  @Override
  public List<ArchivalEntry> searchArchival(String agent, String query, int limit) {
    SearchOptions options =
        SearchOptions.builder()
            .limit(limit)
            .contentTypes(Set.of(SearchContentType.ARCHIVAL))
            .build();
    List<ArchivalEntry> entries = new ArrayList<>();
    for (MemorySearchResult hit : search(agent, query, options)) {
      Optional<ArchivalEntry> entry =
          services.rows().archivalEntry(services.scope(), hit.id()).map(MemoryRecords::archived);
      entry.ifPresent(entries::add);
    }
    return entries;
  }

  @Override
  public Search.IndexStatus indexStatus() {
    return engine().indexStatus(services.scope());
  }

  private Search engine() {
    Search search = services.search();
    if (search == null) {
      throw Search.notConfigured();
    }
    return search;
  }
}
