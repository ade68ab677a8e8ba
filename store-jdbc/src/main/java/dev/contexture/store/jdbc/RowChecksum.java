package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The format of a stored row and a checksum of what it says, in one number. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RowChecksum {
  /** The format that is written. */
  static final int FORMAT = 1;

  private RowChecksum() {}

  /** Of a row that is found by {@code key} and says {@code body}. */
  static long of(String key, String body) {
    return stamp(crc(key, body));
  }

  /** Of a row of a number: its checksum may be computed before the number is known. */
  static long of(long id, int crc) {
    return stamp(crc ^ Long.hashCode(id * 0x9E3779B97F4A7C15L));
  }

  public static int crc(@Nullable String... texts) {
    CRC32C crc = new CRC32C();
    for (String text : texts) {
      if (text != null) {
        crc.update(text.getBytes(StandardCharsets.UTF_8));
      }
      crc.update(0xff); // no byte of UTF-8: keeps ("a", "b") apart from ("ab", "")
    }
    return (int) crc.getValue();
  }

  /** What a row that is found by a key says, in the column before its stamp, if that is right. */
  static String read(ResultSet row, int column, String key, String what, String id)
      throws SQLException {
    String body = row.getString(column);
    check(row.getLong(column + 1), of(key, body), what, id);
    return body;
  }

  /** The same of a row of a number. */
  static String read(ResultSet row, int column, long key, String what, String id)
      throws SQLException {
    String body = row.getString(column);
    check(row.getLong(column + 1), of(key, crc(body)), what, id);
    return body;
  }

  /**
   * Checks what was read.
   *
   * @throws ContextureException {@code store_damaged} that names the row
   */
  static void check(long stored, long expected, String what, String id) {
    if (stored == expected) {
      return;
    }
    long format = stored >>> 32;
    throw damaged(
        what,
        id,
        format == FORMAT
            ? "fails its checksum"
            : "has format " + format + ", this version reads " + FORMAT,
        null);
  }

  /** What is thrown where something stored cannot be read. */
  public static ContextureException damaged(
      String what, String id, String problem, @Nullable Throwable cause) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("what", what);
    details.put("id", id);
    return new ContextureException(
        ErrorCode.STORE_DAMAGED,
        what + " " + id + " " + problem + "; restore the data directory from a backup, or erase it",
        details,
        cause);
  }

  /** A conversation, as messages name it. */
  static String name(Scope.OfConversation scope) {
    return String.join("/", scope.tenant(), scope.project(), scope.user(), scope.conversation());
  }

  private static long stamp(int crc) {
    return (long) FORMAT << 32 | (crc & 0xffffffffL);
  }
}
