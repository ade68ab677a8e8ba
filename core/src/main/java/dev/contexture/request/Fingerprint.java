package dev.contexture.request;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of the bytes of a block. It is computed when somebody asks, once: requests of one
 * conversation share the object, so that comparing them mostly compares references. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Fingerprint {
  private final byte[][] pieces;
  private byte @Nullable [] hash; // a race only computes it twice

  private Fingerprint(byte[][] pieces, byte @Nullable [] hash) {
    this.pieces = pieces;
    this.hash = hash;
  }

  /** Of these pieces together. They must not be changed any more. */
  public static Fingerprint of(byte[]... pieces) {
    return new Fingerprint(pieces, null);
  }

  /** One that was computed before, in hex. */
  public static Fingerprint ofHex(String hex) {
    return new Fingerprint(new byte[0][], HexFormat.of().parseHex(hex));
  }

  /** In lower-case hex. */
  public String hex() {
    return HexFormat.of().formatHex(hash());
  }

  private byte[] hash() {
    byte[] known = hash;
    if (known == null) {
      MessageDigest digest = sha256();
      for (byte[] piece : pieces) {
        digest.update(piece);
      }
      known = digest.digest();
      hash = known;
    }
    return known;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Fingerprint print && Arrays.equals(hash(), print.hash()));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hash());
  }

  @Override
  public String toString() {
    return hex();
  }
}
