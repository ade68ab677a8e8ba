package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextRequest;
import dev.contexture.model.WireFinding;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A limit that a model's window does not hold is said, never just made smaller. */
class LimitAboveWindowTest {
  private static final ModelContextLimits LARGE =
      new ModelContextLimits(500_000, 12_000, 400_000, 8_000);

  private final ContextFixture fixture =
      new ContextFixture(new InMemoryStore(), FakeClock.atStart());

  private ContextRequest request(String provider, String model, ContextConfig config) {
    return fixture.chat.startTurn("Weather?").request(provider, model).config(config).build();
  }

  private static List<String> warnings(ContextRequest request) {
    return request.metadata().warnings().stream().map(WireFinding::code).toList();
  }

  @Test
  void warnsWhereTheWindowIsSmaller() {
    ContextRequest request =
        request("openai_chat", "gpt-4o", ContextConfig.DEFAULT.withLimits(LARGE));
    assertThat(warnings(request)).contains("limit_above_window");
    assertThat(request.metadata().warnings().getFirst().message())
        .contains("500000", "gpt-4o", "128000");
    assertThat(request.metadata().limits().history()).isLessThan(128_000);
  }

  @Test
  void usesALargeLimitWhereTheWindowHoldsIt() {
    ContextRequest request =
        request("openai_chat", "gpt-4.1", ContextConfig.DEFAULT.withLimits(LARGE));
    assertThat(warnings(request)).doesNotContain("limit_above_window");
    assertThat(request.metadata().limits().history()).isEqualTo(400_000);
  }

  @Test
  void isSilentAboutLimitsThatNobodySet() {
    assertThat(warnings(request("openai_chat", "gpt-4o", ContextConfig.DEFAULT)))
        .doesNotContain("limit_above_window");
  }

  @Test
  void believesACallerAboutAModelThatNobodyKnows() {
    ContextRequest request =
        request("openai_chat", "local-model", ContextConfig.DEFAULT.withLimits(LARGE));
    assertThat(warnings(request)).doesNotContain("limit_above_window");
    assertThat(request.metadata().limits().history()).isEqualTo(400_000);
  }
}
