package dev.contexture.springboot;

import dev.contexture.Contexture;
import dev.contexture.error.ContextureException;
import java.util.Optional;
import org.apiguardian.api.API;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Judges whether an engine is well: down while writes would fail, with the code of the reason; and
 * how far its index is behind. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContextureHealthIndicator extends AbstractHealthIndicator {
  private final Contexture engine;

  public ContextureHealthIndicator(Contexture engine) {
    super("the engine cannot be asked for its health");
    this.engine = engine;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    Optional<ContextureException> problem = engine.store().writeProblem();
    if (problem.isPresent()) {
      health.down().withDetail("code", problem.get().code().wireName());
      return;
    }
    health
        .up()
        .withDetail("indexLag", engine.search().knownLag())
        .withDetail("entriesParked", engine.search().parked().count());
  }
}
