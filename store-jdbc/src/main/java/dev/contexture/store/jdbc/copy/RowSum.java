package dev.contexture.store.jdbc.copy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The number of rows, and a sum of hashes of their values, whatever their order. Confined to one
 * thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RowSum {
  private final MessageDigest digest;
  private long rows;
  private long sum;

  RowSum() {
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing); // every Java has it
    }
  }

  void add(RowPages.CopiedRow row) {
    put(row.tenant());
    row.values().forEach(this::put);
    sum += ByteBuffer.wrap(digest.digest()).getLong();
    rows++;
  }

  /** Each value with its kind and length, so that two rows never look the same. */
  private void put(@Nullable Object value) {
    switch (value) {
      case null -> digest.update((byte) 0);
      case Long number -> put(1, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
      case String text -> put(2, text.getBytes(StandardCharsets.UTF_8));
      case byte[] bytes -> put(3, bytes);
      default -> throw new IllegalArgumentException("no value of a row: " + value.getClass());
    }
  }

  private void put(int kind, byte[] bytes) {
    digest.update((byte) kind);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }

  /** How many rows there are. */
  public long rows() {
    return rows;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RowSum same && same.rows == rows && same.sum == sum;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(sum);
  }

  @Override
  public String toString() {
    return rows + " rows (" + HexFormat.of().toHexDigits(sum) + ")";
  }
}
