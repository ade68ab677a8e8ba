package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.AssembledContext;
import dev.contexture.ContextBrowser;
import dev.contexture.ContextBuilder;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ContextConfigCodec;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.render.RenderCall;
import dev.contexture.render.RenderOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy of an engine holds wherever a call names none. */
class EnginePolicyTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final CompactionPolicy OF_ENGINE = CompactionPolicy.ECONOMICAL;
  private static final CompactionPolicy OTHER = CompactionPolicy.STANDARD;
  private static final RenderOptions RENDER =
      RenderOptions.defaults().withMaxTokens(1_500).withReadOnly(true);
  private static final ContextConfig CONFIG =
      ContextConfig.DEFAULT.withLimits(new ModelContextLimits(2_000, 200, 1_500, 200));

  @TempDir Path directory;
  private Contexture engine;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory, settings -> settings.policy(OF_ENGINE));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private ContextBrowser filled(String name) {
    ContextBrowser chat = engine.browser(SHOP.user("u").conversation(name));
    for (int i = 0; i < 20; i++) {
      try (Turn turn = chat.startTurn("Question " + i + ": " + "what about this? ".repeat(10))) {
        turn.finish("Answer " + i + ": " + "it is like that. ".repeat(10));
      }
    }
    return chat;
  }

  @Test
  void holdsForRenders() {
    ContextBrowser chat = filled("c");
    long silent = chat.render(RENDER).report().totalTokens();
    assertThat(silent).isEqualTo(chat.render(RENDER.withPolicy(OF_ENGINE)).report().totalTokens());
    assertThat(silent).isLessThan(chat.render(RENDER.withPolicy(OTHER)).report().totalTokens());
    try (Turn turn = chat.startTurn("And now?")) {
      assertThat(turn.timeline(RENDER).report().totalTokens())
          .isEqualTo(turn.timeline(RENDER.withPolicy(OF_ENGINE)).report().totalTokens())
          .isLessThan(turn.timeline(RENDER.withPolicy(OTHER)).report().totalTokens());
    }
  }

  @Test
  void holdsForCallsFromOutside() {
    ContextBrowser chat = filled("c");
    String call = "{\"max_tokens\":1500,\"read_only\":true";
    long silent = after(chat, call + "}");
    assertThat(silent).isEqualTo(after(chat, call + ",\"policy\":\"economical\"}"));
    assertThat(silent).isLessThan(after(chat, call + ",\"policy\":\"standard\"}"));
  }

  private static long after(ContextBrowser chat, String call) {
    return chat.render(RenderCall.read((JsonObject) JsonValue.parse(call)))
        .context()
        .report()
        .totalTokens();
  }

  @Test
  void holdsForCompactions() {
    ContextBrowser chat = filled("c");
    long silent = chat.compact(RENDER).tokensAfter();
    assertThat(silent).isEqualTo(chat.compact(RENDER.withPolicy(OF_ENGINE)).tokensAfter());
    assertThat(silent).isLessThan(chat.compact(RENDER.withPolicy(OTHER)).tokensAfter());
  }

  @Test
  void holdsForRequests() {
    int silent = requested("a", CONFIG);
    assertThat(silent).isEqualTo(requested("b", with(OF_ENGINE)));
    assertThat(silent).isLessThan(requested("c", with(OTHER)));
  }

  @Test
  void holdsForConfigurationsFromOutside() {
    JsonObject json =
        (JsonObject)
            JsonValue.parse(
                "{\"max_tokens\":2000,\"memory_tokens\":200,\"history_tokens\":1500,"
                    + "\"reserved_response_tokens\":200}");
    assertThat(requested("a", ContextConfigCodec.read(json))).isEqualTo(requested("b", CONFIG));
  }

  private static ContextConfig with(CompactionPolicy policy) {
    return CONFIG.withStrategy(
        new dev.contexture.compaction.CompressionStrategy.Compaction(policy));
  }

  private int requested(String name, ContextConfig config) {
    try (Turn turn = filled(name).startTurn("And now?")) {
      ContextRequest request = turn.request("claude-opus-5").config(config).build();
      return request.metadata().counts().messages();
    }
  }

  @Test
  void holdsForContexts() {
    int silent = told("a", CONFIG);
    assertThat(silent).isEqualTo(told("b", with(OF_ENGINE)));
    assertThat(silent).isLessThan(told("c", with(OTHER)));
  }

  private int told(String name, ContextConfig config) {
    AssembledContext request =
        ContextBuilder.of(engine.memory(SHOP), config)
            .forAgent("entropy")
            .withMessages(filled(name))
            .withBaseInstructions("Be brief.")
            .build();
    return request.metadata().counts().messages();
  }
}
