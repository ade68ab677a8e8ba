package dev.contexture.springboot;

import dev.contexture.Contexture;
import org.apiguardian.api.API;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Shows whether the engine is well, where the application shows its health. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@AutoConfiguration(after = ContextureAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Contexture.class)
@ConditionalOnEnabledHealthIndicator("contexture")
public final class ContextureHealthAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean(name = "contextureHealthIndicator")
  ContextureHealthIndicator contextureHealthIndicator(Contexture engine) {
    return new ContextureHealthIndicator(engine);
  }
}
