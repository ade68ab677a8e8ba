package dev.contexture.crdt;

import org.apiguardian.api.API;

/**
 * Limits of a document. Immutable.
 *
 * @param maxDocumentBytes size of an encoded document or delta, packed and unpacked
 * @param maxEarlyBytes size of the commits that wait for their predecessors
 * @param maxMessageCodePoints length of a commit message
 * @param maxNameBytes UTF-8 size of a container's name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CrdtLimits(
    int maxDocumentBytes, int maxEarlyBytes, int maxMessageCodePoints, int maxNameBytes) {
  private static final int MIB = 1 << 20;

  /**
   * 64 MiB per document, 16 MiB of early commits, messages of 1 000 code points, names of 1 KiB.
   */
  public static final CrdtLimits DEFAULT = new CrdtLimits(64 * MIB, 16 * MIB, 1_000, 1_024);

  public CrdtLimits {
    requirePositive("maxDocumentBytes", maxDocumentBytes);
    requirePositive("maxEarlyBytes", maxEarlyBytes);
    requirePositive("maxMessageCodePoints", maxMessageCodePoints);
    requirePositive("maxNameBytes", maxNameBytes);
  }

  private static void requirePositive(String name, int value) {
    if (value <= 0) {
      throw CrdtException.invalid(name, value, "at least 1");
    }
  }
}
