package dev.contexture.view;

import dev.contexture.block.Block;
import dev.contexture.model.ModelRef;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The reader of a context: decides which opaque content it gets and whether it can see pictures.
 *
 * @param target the model; null: none is known, and opaque content is emitted as it is
 * @param reads further models whose opaque content the target can read
 * @param textOnly whether binaries are emitted as marker text
 * @param agent the agent that asks; empty: none, which is told nothing that was said to one
 * @param lost ids of memory blocks that the agent may not read any more: it is not told again what
 *     an earlier request said of them
 * @param carrier a framework that sends the context in a form of its own: it gets the opaque
 *     content that was kept for it, whatever the model; empty: none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Reader(
    @Nullable ModelRef target,
    Set<String> reads,
    boolean textOnly,
    String agent,
    Set<String> lost,
    String carrier) {
  /** No model in particular. */
  public static final Reader ANY = new Reader(null, Set.of(), false);

  public Reader {
    reads = Set.copyOf(reads);
    lost = Set.copyOf(lost);
  }

  /** A model that no agent asks. */
  public Reader(@Nullable ModelRef target, Set<String> reads, boolean textOnly) {
    this(target, reads, textOnly, "", Set.of(), "");
  }

  public static Reader of(ModelRef target) {
    return new Reader(target, Set.of(), false);
  }

  public Reader textOnly(boolean only) {
    return new Reader(target, reads, only, agent, lost, carrier);
  }

  public Reader reading(String model) {
    Set<String> more = new HashSet<>(reads);
    more.add(model);
    return new Reader(target, more, textOnly, agent, lost, carrier);
  }

  /** The same model, asked by an agent. */
  public Reader askedBy(@Nullable String who) {
    return new Reader(target, reads, textOnly, who == null ? "" : who, lost, carrier);
  }

  /** The same, which may not be told of some memory blocks any more. */
  public Reader without(Set<String> memory) {
    return new Reader(target, reads, textOnly, agent, memory, carrier);
  }

  /** The same, sent by a framework that gets back what was kept for it. */
  public Reader carriedBy(@Nullable String framework) {
    return new Reader(target, reads, textOnly, agent, lost, framework == null ? "" : framework);
  }

  /** Whether it may be told again what stood at the end of an earlier request. */
  boolean mayHear(Block tail) {
    return TailMemory.isFor(tail, agent) && Collections.disjoint(TailMemory.of(tail), lost);
  }

  /** Whether opaque content of this maker goes to the target. */
  boolean canRead(String provider, String model) {
    return target == null
        || (!carrier.isEmpty() && carrier.equals(provider))
        || (target.provider().equals(provider)
            && (target.model().equals(model) || reads.contains(model)));
  }
}
