package dev.contexture.embedded;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonValue;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchFallback;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockSettings;
import dev.contexture.turn.TurnStart;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what searches are to find, and searches. */
record SearchFixture(Contexture engine) {
  static final Scope SCOPE = Scope.of("acme", "shop");
  static final Instant NOON = Instant.parse("2026-02-09T12:00:00Z");

  ContextBrowser chat(String user, String conversation) {
    return engine.browser(SCOPE.user(user).conversation(conversation));
  }

  /** One turn with a prompt and an answer. */
  String said(String user, String agent, String prompt, String answer) {
    try (Turn turn = chat(user, "c1").startTurn(TurnStart.prompt(prompt).agent(agent))) {
      turn.finish(answer);
      return turn.id().value();
    }
  }

  /** A block of another author in an open turn. */
  static Block.Builder by(String author, String text) {
    return Block.builder(BlockType.AGENT_BLOCK).author(Author.of(author)).text(text);
  }

  void archive(String agent, String id, String content, @Nullable JsonValue metadata) {
    memory(archived(agent, id, content, metadata).toArray(MemoryRow[]::new));
  }

  static List<MemoryRow> archived(
      String agent, String id, String content, @Nullable JsonValue metadata) {
    return List.of(
        new MemoryRow.EnsureAgent(agent),
        new MemoryRow.AddArchival(new ArchivalRow(id, agent, null, content, metadata, NOON)),
        new MemoryRow.IndexArchival(id));
  }

  void block(String agent, String id, String label, String description, String content) {
    BlockSettings settings =
        new BlockSettings(description, "working", null, 5_000, "read_write", false);
    memory(
        new MemoryRow.EnsureAgent(agent),
        new MemoryRow.AddBlock(id, agent, null, label, settings),
        new MemoryRow.PutPreview(id, content, content.length()),
        new MemoryRow.IndexBlock(id));
  }

  void memory(MemoryRow... rows) {
    WriteSet.Builder set = WriteSet.of(SCOPE, NOON);
    for (MemoryRow row : rows) {
      set.add(row);
    }
    if (engine.store().commit(set.build()) instanceof Commit.Conflict refused) {
      throw new AssertionError(refused.toString());
    }
  }

  /** Searches again while the index lags: a busy machine may take longer than a search waits. */
  SearchResults search(String agent, String query) {
    SearchResults results = searchNow(agent, query);
    for (int i = 0; i < 60 && lags(results); i++) {
      results = searchNow(agent, query);
    }
    return results;
  }

  private static boolean lags(SearchResults results) {
    return results.fallbacks().stream()
        .anyMatch(fallback -> fallback.code() == SearchFallback.Code.INDEX_LAG);
  }

  SearchResults searchNow(String agent, String query) {
    return engine.search().search(SCOPE.agent(agent), query, SearchOptions.DEFAULT);
  }

  List<String> contents(String agent, String query) {
    return contents(search(agent, query));
  }

  static List<String> contents(SearchResults results) {
    return results.hits().stream().map(MemorySearchResult::content).toList();
  }
}
