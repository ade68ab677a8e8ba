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
 * @param agent the agent that asks; empty: none, which is told nothing that was said to one
 */
@API(status = API.Status.STABLE, since = "0.1")
public record Reader(@Nullable ModelRef target, Set<String> reads, boolean textOnly, String agent) {
  /** No model in particular. */
  public static final Reader ANY = new Reader(null, Set.of(), false);

  public Reader {
    reads = Set.copyOf(reads);
  }

  /** A model that no agent asks. */
  public Reader(@Nullable ModelRef target, Set<String> reads, boolean textOnly) {
    this(target, reads, textOnly, "");
  }

  public static Reader of(ModelRef target) {
    return new Reader(target, Set.of(), false);
  }

  public Reader textOnly(boolean only) {
    return new Reader(target, reads, only, agent);
  }

  public Reader reading(String model) {
    Set<String> more = new HashSet<>(reads);
    more.add(model);
    return new Reader(target, more, textOnly, agent);
  }

  /** The same model, asked by an agent. */
  public Reader askedBy(@Nullable String who) {
    return new Reader(target, reads, textOnly, who == null ? "" : who);
  }

  /** Whether it may be told what was said to an agent; to nobody in particular: to all. */
  boolean mayHear(String listener) {
    return listener.isEmpty() || listener.equals(agent);
  }

  /** Whether opaque content of this maker goes to the target (T-112, P-5). */
  boolean canRead(String provider, String model) {
    return target == null
        || (target.provider().equals(provider)
            && (target.model().equals(model) || reads.contains(model)));
  }
}
