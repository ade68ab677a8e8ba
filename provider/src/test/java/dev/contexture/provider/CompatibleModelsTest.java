package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Known models of OpenAI-compatible providers are reached by {@code openai_chat}. */
class CompatibleModelsTest {
  private static final Providers PROVIDERS = BuiltInProviders.of(ModelCatalogue.shipped());

  @ParameterizedTest
  @CsvSource({
    "deepseek-v4-pro,deepseek,1000000",
    "grok-4.7,xai,500000",
    "mistral-large-latest,mistral,262144",
    "kimi-k3,moonshotai,1048576",
    "glm-5.2,zai,1000000",
    "qwen3-max,alibaba,262144",
    "llama-3.3-70b-versatile,groq,128000",
    "meta-llama/Llama-3.3-70B-Instruct-Turbo,togetherai,131072",
    "anthropic/claude-sonnet-4.6,openrouter,1000000"
  })
  void findsTheModelByTheFormatThatItSpeaks(String model, String provider, int window) {
    Providers.Target target = PROVIDERS.resolve("openai_chat", model);
    assertThat(target.model()).isEqualTo(new ModelRef(provider, model));
    assertThat(target.profile().contextWindow()).isEqualTo(window);
    assertThat(target.profile().has(ModelFlag.COMPAT)).isTrue();
    assertThat(PROVIDERS.resolve(null, model).profile()).isEqualTo(target.profile());
  }

  @Test
  void modelsOfOpenAiStayItsOwn() {
    assertThat(PROVIDERS.resolve("openai_chat", "gpt-5").model().provider()).isEqualTo("openai");
    Providers.Target unknown = PROVIDERS.resolve("openai_chat", "something-local");
    assertThat(unknown.model().provider()).isEqualTo("openai");
    assertThat(unknown.profile().unknownModel()).isTrue();
    assertThat(unknown.profile().has(ModelFlag.COMPAT)).isFalse();
    assertThat(PROVIDERS.resolve("openai_responses", "grok-4.7").profile().unknownModel()).isTrue();
  }
}
