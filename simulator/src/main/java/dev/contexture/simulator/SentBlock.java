package dev.contexture.simulator;

import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One element of a request, in the order tools, system, messages.
 *
 * @param tier where it stands
 * @param kind its type on the wire; a run of {@code tool_use} or of {@code tool_result} can be one
 *     position
 * @param content everything that the provider compares: its bytes without cache marks
 * @param tokens what it counts as
 * @param ttl how long the cache up to here is to live; null: it has no mark
 * @param endsMessage whether it is the last of a user's or a tool's message
 * @param volatileTail whether the next request will not repeat it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SentBlock(
    Tier tier,
    String kind,
    String content,
    long tokens,
    @Nullable Ttl ttl,
    boolean endsMessage,
    boolean volatileTail) {
  /** The section of a request in which a block stands. */
  public enum Tier {
    /** Zero tokens: a setting that the cache of what follows depends on. */
    SETTING,
    TOOLS,
    SYSTEM,
    MESSAGES
  }

  /** The lives that a mark can ask for. */
  public enum Ttl {
    FIVE_MINUTES(300),
    THIRTY_MINUTES(1_800),
    ONE_HOUR(3_600);

    private final long seconds;

    Ttl(long seconds) {
      this.seconds = seconds;
    }

    public long seconds() {
      return seconds;
    }
  }

  public SentBlock {
    if (tokens < 0) {
      throw new IllegalArgumentException("tokens: " + tokens);
    }
  }

  /** A block without mark. */
  public static SentBlock of(Tier tier, String kind, String content, long tokens) {
    return new SentBlock(tier, kind, content, tokens, null, false, false);
  }

  public Optional<Ttl> mark() {
    return Optional.ofNullable(ttl);
  }

  /** The same with a mark. */
  public SentBlock marked(Ttl life) {
    return new SentBlock(tier, kind, content, tokens, life, endsMessage, volatileTail);
  }

  /** The same without a mark. */
  SentBlock unmarked() {
    return new SentBlock(tier, kind, content, tokens, null, endsMessage, volatileTail);
  }

  /** The same as the last of its message. */
  public SentBlock endingMessage() {
    return new SentBlock(tier, kind, content, tokens, ttl, true, volatileTail);
  }

  boolean sameAs(SentBlock other) {
    return tier == other.tier && kind.equals(other.kind) && content.equals(other.content);
  }
}
