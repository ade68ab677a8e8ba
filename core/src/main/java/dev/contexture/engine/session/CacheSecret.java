package dev.contexture.engine.session;

import dev.contexture.store.Store;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The secret from which cache keys are made, kept in the store: all engines over one store and its
 * copies make the same keys. It is made when it is first needed. Thread-safe.
 */
public final class CacheSecret implements Function<String, Optional<byte[]>> {
  private static final String NAME = "cache_key";
  private static final int BYTES = 32;

  private final Store store;
  private final RandomGenerator random;
  private volatile byte @Nullable [] known;

  public CacheSecret(Store store, RandomGenerator random) {
    this.store = store;
    this.random = random;
  }

  /** The same for all tenants: keys name the tenant, too. */
  @Override
  public Optional<byte[]> apply(String tenant) {
    byte[] secret = known;
    if (secret == null) {
      byte[] fresh = new byte[BYTES];
      random.nextBytes(fresh);
      secret = store.secret(NAME, fresh);
      known = secret;
    }
    return Optional.of(secret);
  }
}
