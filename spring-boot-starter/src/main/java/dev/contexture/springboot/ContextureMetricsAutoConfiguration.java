package dev.contexture.springboot;

import dev.contexture.Contexture;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.apiguardian.api.API;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Counts what the engine does, where the application has a registry of meters. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@AutoConfiguration(
    before = ContextureAutoConfiguration.class,
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure"
            + ".CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnProperty(prefix = "contexture", name = "enabled", matchIfMissing = true)
public final class ContextureMetricsAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  EngineMeters contextureMeters(ObjectProvider<MeterRegistry> registry) {
    return new EngineMeters(registry::getObject);
  }

  /** Asks for the engine when meters are bound: it is opened after the meters that watch it. */
  @Bean
  @ConditionalOnMissingBean(name = "contextureGauges")
  MeterBinder contextureGauges(ObjectProvider<Contexture> engines) {
    return registry -> engines.ifAvailable(engine -> bind(engine, registry));
  }

  private static void bind(Contexture engine, MeterRegistry registry) {
    Gauge.builder("contexture.store.waiting", engine, each -> each.store().waiting())
        .description("Write sets that wait")
        .register(registry);
    Gauge.builder("contexture.index.lag", engine, each -> each.search().knownLag())
        .description("Changes that are not indexed")
        .register(registry);
  }
}
