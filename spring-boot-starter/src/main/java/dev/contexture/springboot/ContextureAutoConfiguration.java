package dev.contexture.springboot;

import dev.contexture.Contexture;
import dev.contexture.event.EngineObserver;
import dev.contexture.springai.SpringAiContext;
import dev.contexture.springai.SpringAiMemory;
import dev.contexture.springai.SpringAiTools;
import java.util.List;
import org.apiguardian.api.API;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Opens an engine and puts it under the {@code ChatClient.Builder} that Spring AI configures. Each
 * bean gives way to one of the application. The engine is closed with the application.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@AutoConfiguration(
    beforeName = {
      "org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration",
      "org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration"
    })
@ConditionalOnClass(ChatClient.class)
@ConditionalOnProperty(prefix = "contexture", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(ContextureProperties.class)
public final class ContextureAutoConfiguration {
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Contexture contexture(
      ContextureProperties properties,
      ObjectProvider<EngineObserver> observers,
      ObjectProvider<ContextureCustomizer> customizers) {
    List<EngineObserver> watching = observers.orderedStream().toList();
    return Contexture.open(
        properties.neededDirectory(),
        settings -> {
          Contexture.Builder builder =
              watching.isEmpty() ? settings : settings.observer(new JointObserver(watching));
          for (ContextureCustomizer customizer : customizers.orderedStream().toList()) {
            builder = customizer.customize(builder);
          }
          return builder;
        });
  }

  @Bean
  @ConditionalOnMissingBean
  SpringAiContext springAiContext(Contexture engine, ContextureProperties properties) {
    SpringAiContext.Builder builder =
        SpringAiContext.builder(engine, properties.scope())
            .model(properties.provider(), properties.neededModel());
    if (properties.agent() != null) {
      builder.agent(properties.agent());
    }
    if (properties.maxTokens() != null) {
      builder.maxTokens(properties.maxTokens());
    }
    return builder.build();
  }

  @Bean
  @ConditionalOnMissingBean
  SpringAiTools springAiTools(SpringAiContext context) {
    return context.tools();
  }

  @Bean
  @ConditionalOnMissingBean(name = "contextureChatClientCustomizer")
  @ConditionalOnProperty(prefix = "contexture.chat-client", name = "enabled", matchIfMissing = true)
  ChatClientBuilderCustomizer contextureChatClientCustomizer(SpringAiContext context) {
    return context::wire;
  }

  @Bean
  @ConditionalOnMissingBean(ChatMemory.class)
  @ConditionalOnProperty(prefix = "contexture.chat-memory", name = "enabled")
  SpringAiMemory contextureChatMemory(SpringAiContext context) {
    return context.memory();
  }
}
