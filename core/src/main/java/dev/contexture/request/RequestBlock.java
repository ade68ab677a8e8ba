package dev.contexture.request;

import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One block of a written request: a tool, a system part or a part of a message, in the order in
 * which caches see them.
 *
 * @param tier where it stands
 * @param kind what it is, in words that all formats share: {@code text}, {@code tool_use}, {@code
 *     tool_result}, {@code image}, {@code document}, {@code tool}, or its maker's word
 * @param role who speaks: {@code user}, {@code assistant} or {@code system}
 * @param fingerprint of its own bytes, without any mark
 * @param message the message of the input that it was made from; -1 for what stands before
 * @param part its part there; of tools and system parts their index
 * @param span where its bytes are
 * @param volatileTail whether the next request will not repeat it
 * @param opaque whether only its maker can read it
 * @param ttl how long the cache up to here is to live; null: it has no mark
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequestBlock(
    Tier tier,
    String kind,
    String role,
    Fingerprint fingerprint,
    int message,
    int part,
    Span span,
    boolean volatileTail,
    boolean opaque,
    @Nullable String ttl) {
  public Optional<String> mark() {
    return Optional.ofNullable(ttl);
  }

  /** The same block with a mark. */
  public RequestBlock marked(String life) {
    return new RequestBlock(
        tier, kind, role, fingerprint, message, part, span, volatileTail, opaque, life);
  }

  /** The section of a request in which a block stands. */
  public enum Tier {
    TOOLS,
    SYSTEM,
    MESSAGES;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The position of a block among the pieces of a body.
   *
   * @param from the first piece behind the block before it
   * @param own the first piece of the block itself
   * @param close its last piece, which holds its mark if it has one
   */
  public record Span(int from, int own, int close) {}
}
