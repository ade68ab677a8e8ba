package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Binary content of a block. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Binary {
  private final byte[] bytes;
  private @Nullable String sha256; // computed once; a race only computes it twice

  private Binary(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Binary of(byte[] bytes) {
    return new Binary(bytes.clone());
  }

  /**
   * Reads standard base64, with or without padding.
   *
   * @throws ContextureException {@code invalid_data} if the text is not base64
   */
  public static Binary ofBase64(String text) {
    try {
      return new Binary(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException notBase64) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_DATA, "data", text, "standard base64 (" + notBase64.getMessage() + ")");
    }
  }

  public int sizeBytes() {
    return bytes.length;
  }

  /** A copy of the content. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** One byte, as a number from 0 to 255. */
  public int at(int index) {
    return bytes[index] & 0xff;
  }

  /** Standard base64 with padding. */
  public String base64() {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The length of the base64 form without padding. */
  public long base64Chars() {
    return (bytes.length * 4L + 2) / 3;
  }

  /** The content's SHA-256 in lower-case hex. */
  public String sha256() {
    String known = sha256;
    if (known == null) {
      known = HexFormat.of().formatHex(digest().digest(bytes));
      sha256 = known;
    }
    return known;
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Binary binary && Arrays.equals(bytes, binary.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Binary[" + bytes.length + " bytes]";
  }
}
