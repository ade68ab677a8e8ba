package dev.contexture.view;

import dev.contexture.model.ModelRef;
import java.util.HashSet;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Who reads the context: decides which opaque content it gets and whether it can see pictures.
 *
 * @param target the model; null: none is known, and opaque content is emitted as it is
 * @param reads further models whose opaque content the target can read
 * @param textOnly whether binaries are emitted as marker text
 */
@API(status = API.Status.STABLE, since = "0.1")
public record Reader(@Nullable ModelRef target, Set<String> reads, boolean textOnly) {
  /** No model in particular. */
  public static final Reader ANY = new Reader(null, Set.of(), false);

  public Reader {
    reads = Set.copyOf(reads);
  }

  public static Reader of(ModelRef target) {
    return new Reader(target, Set.of(), false);
  }

  public Reader textOnly(boolean only) {
    return new Reader(target, reads, only);
  }

  public Reader reading(String model) {
    Set<String> more = new HashSet<>(reads);
    more.add(model);
    return new Reader(target, more, textOnly);
  }

  /** Whether opaque content of this maker goes to the target (T-112, P-5). */
  boolean canRead(String provider, String model) {
    return target == null
        || (target.provider().equals(provider)
            && (target.model().equals(model) || reads.contains(model)));
  }
}
