package dev.contexture.bench.peer;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.SampleMessage;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.render.Message;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Row;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Dialect;
import dev.contexture.view.Part;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The engine on a directory: up to messages in memory as peers give them, or up to the bytes of a
 * provider's request, whose record is then stored, too.
 *
 * <p>Confined to one thread.
 */
public final class ContextureMemory implements MemoryPeer {
  /** A model without a known window: with one, a long conversation would be compacted. */
  private static final String MODEL = "claude-without-window";

  /** More than any conversation here has: the others send all, too. */
  private static final ContextConfig ALL =
      ContextConfig.DEFAULT
          .withLimits(new ModelContextLimits(20_000_000, 12_000, 18_000_000, 8_000))
          .withMessagesCap(100_000);

  private static final RenderOptions OPTIONS = RenderOptions.defaults().withDialect(Dialect.NATIVE);
  private static final int MESSAGES_PER_TURN = 2;
  private static final int TURNS_PER_COMMIT = 100;

  private final List<Contexture> engines;
  private final boolean toBytes;
  private final Map<String, Turn> turns = new HashMap<>(); // by engine and conversation
  private int steps;

  private ContextureMemory(List<Contexture> engines, boolean toBytes) {
    this.engines = List.copyOf(engines);
    this.toBytes = toBytes;
  }

  public static ContextureMemory toMessages(Path directory) {
    return new ContextureMemory(List.of(Contexture.open(directory.resolve("messages"))), false);
  }

  public static ContextureMemory toBytes(Path directory) {
    return new ContextureMemory(List.of(Contexture.open(directory.resolve("bytes"))), true);
  }

  /** Engines over one database, which take turns with the steps of a conversation. */
  public static ContextureMemory nodes(List<Contexture> engines) {
    return new ContextureMemory(engines, false);
  }

  @Override
  public String name() {
    return BenchReport.SELF;
  }

  @Override
  public String figure() {
    return (toBytes ? ", to provider bytes" : "")
        + (engines.size() > 1 ? ", " + engines.size() + " nodes in turn" : "");
  }

  /** Writes closed turns of a prompt and an answer past the engine, which then has to load them. */
  @Override
  public void fill(String conversation, List<SampleMessage> messages) {
    int perCommit = MESSAGES_PER_TURN * TURNS_PER_COMMIT;
    for (int from = 0; from < messages.size(); from += perCommit) {
      WriteSet.Builder set = WriteSet.of(scope(conversation), StoreSamples.NOW);
      List<NewBlock> blocks = new ArrayList<>();
      int end = Math.min(messages.size(), from + perCommit);
      for (int i = from; i < end; i += MESSAGES_PER_TURN) {
        TurnId turn = StoreSamples.turn(i);
        TurnRow row = TurnRow.open(turn, StoreSamples.NOW);
        set.add(new Row.PutTurn(row.closed(TurnStatus.COMPLETE, StoreSamples.NOW)));
        blocks.add(NewBlock.of(Block.builder(BlockType.TURN_HEADER).build(turn, StoreSamples.NOW)));
        for (SampleMessage said : messages.subList(i, Math.min(end, i + MESSAGES_PER_TURN))) {
          blocks.add(NewBlock.of(draft(said, turn).build(turn, StoreSamples.NOW)));
        }
      }
      StoreSamples.commit(engines.getFirst().store(), set.append(blocks).build());
    }
  }

  @Override
  public Supplier<List<String>> add(String conversation, SampleMessage message) {
    int number = steps++ % engines.size();
    Turn turn = turns.get(number + conversation);
    if (turn == null) { // the first message opens the turn, which loads the conversation
      turn = open(engines.get(number), conversation, message);
      turns.put(number + conversation, turn);
    } else {
      turn.contribute(draft(message, turn.id()));
    }
    if (!toBytes) {
      List<Message> sent = turn.timeline(OPTIONS).messages();
      return () -> texts(sent);
    }
    ContextRequest request = turn.request("anthropic", MODEL).config(ALL).build();
    byte[] bytes = request.request().body().bytes();
    return () -> bytes.length == 0 ? List.of() : texts(request.context().messages());
  }

  /** Another engine takes up the turn that the first one opened. */
  private Turn open(Contexture engine, String conversation, SampleMessage message) {
    ContextBrowser browser = engine.browser(scope(conversation));
    Optional<Turn> other =
        IntStream.range(0, engines.size())
            .mapToObj(number -> turns.get(number + conversation))
            .filter(Objects::nonNull)
            .findFirst();
    if (other.isEmpty()) {
      return browser.startTurn(message.text());
    }
    Turn turn = browser.startTurn(TurnStart.resume(other.get().id()));
    turn.contribute(draft(message, turn.id()));
    return turn;
  }

  private static Block.Builder draft(SampleMessage said, TurnId turn) {
    return said.byUser()
        ? Block.builder(BlockType.USER_PROMPT)
            .author(Author.USER)
            .path(BlockPath.userPrompt(turn))
            .text(said.text())
        : Block.builder(BlockType.ASSISTANT_COMPLETION)
            .author(Author.REACT)
            .path(BlockPath.completion(turn))
            .text(said.text());
  }

  private static List<String> texts(List<Message> messages) {
    return messages.stream()
        .flatMap(message -> message.parts().stream())
        .filter(Part.Text.class::isInstance)
        .map(part -> ((Part.Text) part).text())
        .toList();
  }

  /** Where a conversation of this side is. */
  public static Scope.OfConversation scope(String conversation) {
    return Scope.of("bench", "peers").user("u").conversation(conversation);
  }

  @Override
  public void close() {
    engines.forEach(Contexture::close);
  }
}
