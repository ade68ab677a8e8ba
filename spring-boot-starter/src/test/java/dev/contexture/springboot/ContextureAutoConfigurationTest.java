package dev.contexture.springboot;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.springai.SpringAiContext;
import dev.contexture.springai.SpringAiMemory;
import dev.contexture.springai.SpringAiTools;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ContextureAutoConfigurationTest {
  @TempDir Path directory;
  private ApplicationContextRunner bare;
  private ApplicationContextRunner runner;

  /** What an application with a model starter has. */
  @Configuration(proxyBeanMethods = false)
  static class Application {
    @Bean
    ChatModel chatModel() {
      return prompt ->
          new ChatResponse(
              List.of(new Generation(new AssistantMessage("It rains."))),
              ChatResponseMetadata.builder()
                  .usage(new DefaultUsage(100, 7, 107, "", 60L, null))
                  .build());
    }

    @Bean
    ToolCallingManager toolCallingManager() {
      return ToolCallingManager.builder().build();
    }
  }

  /** What an application with metrics has. */
  @Configuration(proxyBeanMethods = false)
  static class Metrics {
    @Bean
    MeterRegistry meterRegistry() {
      return new SimpleMeterRegistry();
    }
  }

  @BeforeEach
  void runner() {
    bare =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    ContextureAutoConfiguration.class,
                    ContextureHealthAutoConfiguration.class,
                    ContextureMetricsAutoConfiguration.class,
                    ChatClientAutoConfiguration.class,
                    ChatMemoryAutoConfiguration.class))
            .withUserConfiguration(Application.class);
    runner =
        bare.withPropertyValues(
            "contexture.directory=" + directory,
            "contexture.tenant=acme",
            "contexture.project=shop",
            "contexture.model=claude-opus-5");
  }

  private static @Nullable String ask(ChatClient.Builder client, String conversation) {
    return client
        .build()
        .prompt("Weather in Oslo?")
        .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, conversation))
        .call()
        .content();
  }

  @Test
  void theBuilderOfTheApplicationKeepsWhatIsSaid() {
    runner.run(
        app -> {
          assertThat(ask(app.getBean(ChatClient.Builder.class), "ann/c1")).isEqualTo("It rains.");
          assertThat(app).hasSingleBean(SpringAiTools.class).hasSingleBean(SpringAiContext.class);
          assertThat(app).getBean(ChatMemory.class).isInstanceOf(MessageWindowChatMemory.class);
        });
    runner.run( // the engine was closed, and opens again
        app ->
            assertThat(
                    app.getBean(Contexture.class)
                        .browser(Scope.of("acme", "shop").user("ann").conversation("c1"))
                        .turns(null, 10))
                .hasSize(1));
  }

  /** As an application does it: everything on the class path configures itself. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Everything {}

  @Test
  void anApplicationFindsItByItself() {
    new ApplicationContextRunner()
        .withUserConfiguration(Everything.class, Application.class, Metrics.class)
        .withPropertyValues(
            "contexture.directory=" + directory,
            "contexture.tenant=acme",
            "contexture.project=shop",
            "contexture.model=claude-opus-5")
        .run(
            app -> {
              assertThat(ask(app.getBean(ChatClient.Builder.class), "ann/c1"))
                  .isEqualTo("It rains.");
              assertThat(app).hasSingleBean(ContextureHealthIndicator.class);
              assertThat(
                      app.getBean(MeterRegistry.class)
                          .get("contexture.requests.built")
                          .counter()
                          .count())
                  .isEqualTo(1);
            });
  }

  @Test
  void callsWithoutAConversationAreRefusedUnlessClientsAreLeftAlone() {
    runner.run(
        app ->
            assertThatThrownBy(
                    () ->
                        app.getBean(ChatClient.Builder.class).build().prompt("Hi").call().content())
                .hasMessageContaining("CONVERSATION_ID"));
    runner
        .withPropertyValues("contexture.chat-client.enabled=false")
        .run(
            app ->
                assertThat(
                        app.getBean(ChatClient.Builder.class).build().prompt("Hi").call().content())
                    .isEqualTo("It rains."));
  }

  @Test
  void whatIsMissingIsNamed() {
    for (String missing : List.of("directory", "tenant", "project", "model")) {
      List<String> given =
          List.of(
              "contexture.directory=" + directory,
              "contexture.tenant=acme",
              "contexture.project=shop",
              "contexture.model=claude-opus-5");
      bare.withPropertyValues(
              given.stream()
                  .filter(value -> !value.startsWith("contexture." + missing))
                  .toArray(String[]::new))
          .run(
              app -> {
                assertThat(app).hasFailed();
                assertThat(app.getStartupFailure())
                    .hasStackTraceContaining("the property contexture." + missing + " is missing");
                FailureAnalysis analysis =
                    new ContextureFailureAnalyzer()
                        .analyze(requireNonNull(app.getStartupFailure()));
                assertThat(requireNonNull(analysis).getDescription())
                    .contains("contexture." + missing);
              });
    }
    bare.withPropertyValues("contexture.enabled=false")
        .run(app -> assertThat(app).hasNotFailed().doesNotHaveBean(Contexture.class));
  }

  @Test
  void whatIsNotAPropertyIsNotBlamedOnOne() {
    try (Contexture other = Contexture.open(directory)) {
      assertThat(other.store().writeProblem()).isEmpty();
      runner.run(
          app -> {
            FailureAnalysis analysis =
                new ContextureFailureAnalyzer().analyze(requireNonNull(app.getStartupFailure()));
            assertThat(requireNonNull(analysis).getAction())
                .contains("store_in_use")
                .doesNotContain("properties");
          });
    }
  }

  @Test
  void beansOfTheApplicationComeFirst() {
    try (Contexture own = Contexture.open(directory.resolve("own"))) {
      SpringAiContext context =
          SpringAiContext.builder(own, Scope.of("acme", "own")).model("gpt-5.6-terra").build();
      bare.withBean(Contexture.class, () -> own)
          .withBean(SpringAiContext.class, () -> context)
          .run(
              app -> {
                assertThat(app.getBean(Contexture.class)).isSameAs(own);
                assertThat(ask(app.getBean(ChatClient.Builder.class), "ann/c1"))
                    .isEqualTo("It rains.");
              });
    }
  }

  @Test
  void aCustomizerChangesTheEngine() {
    runner
        .withBean(ContextureCustomizer.class, () -> settings -> settings.owner("node-7"))
        .run(app -> assertThat(app).hasSingleBean(Contexture.class));
    runner
        .withBean(
            ContextureCustomizer.class,
            () ->
                settings -> {
                  throw new IllegalStateException("asked");
                })
        .run(app -> assertThat(app.getStartupFailure()).hasStackTraceContaining("asked"));
  }

  @Test
  void theChatMemoryIsOneOverTheEngineIfAskedFor() {
    runner
        .withPropertyValues("contexture.chat-memory.enabled=true", "contexture.agent=atlas")
        .run(
            app -> {
              assertThat(app).getBean(ChatMemory.class).isInstanceOf(SpringAiMemory.class);
              assertThat(app.getBean(SpringAiTools.class).getToolCallbacks()).hasSize(7);
            });
  }

  @Test
  void healthSaysWhetherTheStoreTakesWrites() {
    runner.run(
        app -> {
          Health health = requireNonNull(app.getBean(HealthIndicator.class).health());
          assertThat(health.getStatus()).isEqualTo(Status.UP);
          assertThat(health.getDetails()).containsKeys("indexLag", "entriesParked");
          app.getBean(Contexture.class).close();
          assertThat(requireNonNull(app.getBean(HealthIndicator.class).health()).getStatus())
              .isEqualTo(Status.DOWN);
        });
    runner
        .withPropertyValues("management.health.contexture.enabled=false")
        .run(app -> assertThat(app).doesNotHaveBean(HealthIndicator.class));
    runner
        .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
        .run(app -> assertThat(app).hasNotFailed());
  }

  @Test
  void metersCountRequestsAndTokens() {
    runner
        .withUserConfiguration(Metrics.class)
        .run(
            app -> {
              ask(app.getBean(ChatClient.Builder.class), "ann/c1");
              MeterRegistry meters = app.getBean(MeterRegistry.class);
              assertThat(meters.get("contexture.requests.built").counter().count()).isEqualTo(1);
              assertThat(
                      meters
                          .get("contexture.model.input.tokens")
                          .tag("cache", "read")
                          .counter()
                          .count())
                  .isEqualTo(60);
              assertThat(meters.get("contexture.model.output.tokens").counter().count())
                  .isEqualTo(7);
              assertThat(meters.get("contexture.work").tag("kind", "request").timer().count())
                  .isEqualTo(1);
              app.getBeanProvider(io.micrometer.core.instrument.binder.MeterBinder.class)
                  .forEach(binder -> binder.bindTo(meters));
              assertThat(meters.get("contexture.index.lag").gauge().value()).isNotNegative();
            });
    runner
        .withClassLoader(new FilteredClassLoader(MeterRegistry.class))
        .run(app -> assertThat(app).hasNotFailed().doesNotHaveBean("contextureMeters"));
  }
}
