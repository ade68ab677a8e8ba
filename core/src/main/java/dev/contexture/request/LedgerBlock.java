package dev.contexture.request;

import org.apiguardian.api.API;

/**
 * A block as the ledger keeps it. Immutable.
 *
 * @param tier where it stood
 * @param kind what it was
 * @param role who spoke
 * @param fingerprint of its own bytes without marks
 * @param tokens what it counted as
 * @param origin where it came from
 * @param volatileTail whether the next request was not to repeat it
 * @param opaque whether only its maker can read it
 * @param glue the bytes between the block before it and this one; the first block's are kept with
 *     the record, since they hold what no cache depends on
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LedgerBlock(
    RequestBlock.Tier tier,
    String kind,
    String role,
    Fingerprint fingerprint,
    long tokens,
    Origin origin,
    boolean volatileTail,
    boolean opaque,
    Glue glue) {

  /** Describes a block of a written request. */
  public static LedgerBlock of(RequestBody body, RequestBlock block, long tokens, Origin origin) {
    return new LedgerBlock(
        block.tier(),
        block.kind(),
        block.role(),
        block.fingerprint(),
        tokens,
        origin,
        block.volatileTail(),
        block.opaque(),
        Glue.of(body, block.span()));
  }

  /** Whether a block of a new request is the same, and stands behind the same bytes. */
  boolean isSame(RequestBlock block, RequestBody body, boolean first) {
    return tier == block.tier()
        && fingerprint.equals(block.fingerprint())
        && (first || glue.isSame(body, block.span()));
  }

  /** Bytes between two blocks. Immutable. */
  public static final class Glue {
    private final byte[] bytes;

    private Glue(byte[] bytes) {
      this.bytes = bytes;
    }

    public static Glue of(byte[] bytes) {
      return new Glue(bytes);
    }

    static Glue of(RequestBody body, RequestBlock.Span span) {
      return new Glue(body.bytes(span.from(), span.own()));
    }

    public byte[] bytes() {
      return bytes;
    }

    private boolean isSame(RequestBody body, RequestBlock.Span span) {
      return body.isSame(span.from(), span.own(), bytes);
    }
  }
}
