package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.token.Estimate;
import dev.contexture.turn.Reply;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** P-31 and P-58 through the engine. */
class CalibratedRequestTest {
  private final InMemoryStore store = new InMemoryStore();

  private ContextBrowser chat(boolean withSecret) {
    return Contexture.builder(store)
        .clock(FakeClock.atStart())
        .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
        .cacheSecrets(tenant -> withSecret ? Optional.of(new byte[32]) : Optional.empty())
        .build()
        .browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
  }

  /** The provider counts 1.2 tokens for each of ours; the next estimate knows it. */
  @Test
  void estimatesWhatTheProviderReported() {
    ContextBrowser chat = chat(false);
    Turn turn = chat.startTurn("Tell me about the weather in Oslo. ".repeat(200));
    ContextRequest first = turn.request("anthropic", "claude-opus-5").build();
    assertThat(first.estimate().method()).isEqualTo(Estimate.Method.PRIOR);
    double ratio =
        ModelCatalogue.shipped().profile(first.target().model()).tokenizer().ratio().doubleValue();
    long counted = Math.round(first.estimate().tokens() / ratio * 1.2);
    Reply reply =
        turn.record(
            first,
            "{\"content\":[{\"type\":\"text\",\"text\":\"Rain.\"}],\"stop_reason\":\"end_turn\","
                + "\"usage\":{\"input_tokens\":"
                + counted
                + ",\"output_tokens\":2}}");
    turn.finish(reply);
    Turn next = chat.startTurn("Thanks.");
    ContextRequest second = next.request("anthropic", "claude-opus-5").build();
    assertThat(second.estimate().method()).isEqualTo(Estimate.Method.CALIBRATED);
    double learned = second.estimate().tokens() / (second.context().report().totalTokens() / ratio);
    assertThat(learned).isBetween(1.19, 1.21);
  }

  @Test
  void sendsACacheKeyWhereThereIsASecret() {
    chat(false).startTurn("hi");
    for (String provider : new String[] {"openai_chat", "openai_responses"}) {
      String without = chat(false).openTurn().request(provider, "gpt-5.6-terra").build().body();
      assertThat(without).doesNotContain("prompt_cache_key");
      String with = chat(true).openTurn().request(provider, "gpt-5.6-terra").build().body();
      assertThat(with).containsPattern("\"prompt_cache_key\":\"cx-[0-9a-f]{16}\"");
    }
  }
}
