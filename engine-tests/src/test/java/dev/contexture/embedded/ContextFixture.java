package dev.contexture.embedded;

import dev.contexture.AssembledContext;
import dev.contexture.ContextBrowser;
import dev.contexture.ContextBuilder;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.model.WireFinding;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.MemoryRefresh;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.Message;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.Providers;
import dev.contexture.store.Store;
import dev.contexture.testkit.FakeClock;
import dev.contexture.token.TokenCounter;
import dev.contexture.view.Part;
import java.util.List;

/** An engine with a memory and a conversation, for tests of what a model is told. */
final class ContextFixture {
  static final Scope SHOP = Scope.of("acme", "shop");
  static final String ME = "entropy";
  static final ContextConfig CONFIG = ContextConfig.DEFAULT;
  static final ContextConfig EVERY_BUILD = CONFIG.withRefresh(MemoryRefresh.EVERY_BUILD);
  static final BuiltInProviders PROVIDERS = BuiltInProviders.of(ModelCatalogue.shipped());

  final FakeClock clock;
  final Contexture engine;
  final MemoryStore memory;
  final ContextBrowser chat;

  ContextFixture(Store store, FakeClock clock) {
    this.clock = clock;
    engine =
        Contexture.builder(store)
            .clock(clock)
            .providers(PROVIDERS)
            .ledger(LedgerSettings.DEFAULT.withMode(LedgerSettings.Mode.STRICT)) // P-52
            .build();
    memory = engine.memory(SHOP);
    chat = engine.browser(SHOP.user("u42").conversation("c1"));
  }

  String core(String label, String content) {
    return memory.createBlock(ME, BlockSpec.of(label, MemoryBlockType.CORE).content(content));
  }

  String pinned(String label, String content) {
    return memory.createBlock(
        ME, BlockSpec.of(label, MemoryBlockType.WORKING).content(content).pinned(true));
  }

  String unpinned(String label, String content) {
    return memory.createBlock(ME, BlockSpec.of(label, MemoryBlockType.WORKING).content(content));
  }

  /** Without a conversation: memory is written anew. */
  ContextBuilder alone(ContextConfig config) {
    return ContextBuilder.of(memory, config).forAgent(ME).withTokenCounter(TokenCounter.CHARS4);
  }

  ContextBuilder inChat(ContextConfig config) {
    return alone(config).withMessages(chat);
  }

  AssembledContext built() {
    return inChat(ContextConfig.DEFAULT).build();
  }

  static Providers.Target model(String provider, String model) {
    return PROVIDERS.resolve(provider, model);
  }

  static String block(String label, String content) {
    return "<block:"
        + label
        + " permission=\"ReadWrite\">\n"
        + content
        + "\n</block:"
        + label
        + ">";
  }

  /** The texts of a message, each of its own. */
  static List<String> texts(Message message) {
    return message.parts().stream()
        .filter(Part.Text.class::isInstance)
        .map(part -> ((Part.Text) part).text())
        .toList();
  }

  static List<String> lastTexts(AssembledContext request) {
    return texts(request.messages().getLast());
  }

  static ErrorCode codeOf(Runnable call) {
    try {
      call.run();
    } catch (ContextureException refused) {
      return refused.code();
    }
    throw new AssertionError("it was not refused");
  }

  static List<String> reasons(AssembledContext request) {
    return request.metadata().dropped().stream()
        .map(o -> o.id() + " " + o.reason().wireName())
        .toList();
  }

  static List<String> warnings(AssembledContext request) {
    return request.metadata().warnings().stream().map(WireFinding::code).toList();
  }
}
