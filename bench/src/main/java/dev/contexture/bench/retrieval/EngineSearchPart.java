package dev.contexture.bench.retrieval;

import dev.contexture.Contexture;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.search.SearchOptions;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Row;
import dev.contexture.store.Store;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.TurnStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Messages in a store, searched through the engine: what an index alone does not show is that its
 * entries are read from the store, and that every hit is read from there again.
 */
final class EngineSearchPart implements AutoCloseable {
  private static final Scope SCOPE = Scope.of("bench", "stored");
  private static final int MESSAGES_PER_TURN = 4;
  private static final int TURNS_PER_COMMIT = 50;

  private final Contexture engine;
  private final int agents;

  EngineSearchPart(Path directory, int agents) {
    this.engine = Contexture.open(directory);
    this.agents = agents;
  }

  /** Writes turns of four messages, one conversation for each agent. */
  void fill(int messages, IntFunction<String> text) {
    int perCommit = MESSAGES_PER_TURN * TURNS_PER_COMMIT;
    for (int from = 0; from < messages; from += perCommit) {
      String agent = "a" + from / perCommit % agents;
      WriteSet.Builder set = WriteSet.of(conversation(agent), StoreSamples.NOW);
      List<NewBlock> blocks = new ArrayList<>();
      for (int i = from; i < from + perCommit; i += MESSAGES_PER_TURN) {
        TurnId turn = StoreSamples.turn(i);
        TurnRow row = TurnRow.open(turn, StoreSamples.NOW).withAgent(agent);
        set.add(new Row.PutTurn(row.closed(TurnStatus.COMPLETE, StoreSamples.NOW)));
        set.add(new Row.IndexTurn(turn));
        for (int m = i; m < i + MESSAGES_PER_TURN; m++) {
          Block.Builder block =
              Block.builder(BlockType.AGENT_BLOCK)
                  .author(m % 2 == 0 ? Author.USER : Author.ASSISTANT)
                  .text(text.apply(m));
          blocks.add(NewBlock.of(block.build(turn, StoreSamples.NOW)));
        }
      }
      StoreSamples.commit(store(), set.append(blocks).build());
    }
  }

  private static Scope.OfConversation conversation(String agent) {
    return SCOPE.user("u-" + agent).conversation("c");
  }

  private Store store() {
    return engine.store();
  }

  /** Indexes everything from the store, and says how many entries there are. */
  long index() {
    return engine.search().rebuild(SCOPE, changes -> {}).entries();
  }

  /** Searches everything for this many hits. */
  int search(String query, int limit) {
    SearchOptions options = SearchOptions.builder().limit(limit).build();
    return engine.search().searchAll(SCOPE, query, options).hits().size();
  }

  /** Searches what an agent knows. */
  int searchAgent(String agent, String query) {
    return engine.search().search(SCOPE.agent(agent), query, SearchOptions.DEFAULT).hits().size();
  }

  @Override
  public void close() {
    engine.close();
  }
}
