package dev.contexture.store.jdbc;

import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Reads and writes the secrets that the engine keeps to itself. No message of this class holds what
 * a row says.
 */
final class SecretReads {
  private SecretReads() {}

  static Optional<byte[]> read(Db db, String name) throws SQLException {
    return db.sql("SELECT body, stamp FROM secrets WHERE name = ?")
        .with(name)
        .one(row -> HexFormat.of().parseHex(RowChecksum.read(row, 1, name, "secret", name)));
  }

  static byte[] keep(Db db, String name, byte[] fresh) throws SQLException {
    Optional<byte[]> known = read(db, name);
    if (known.isPresent()) {
      return known.orElseThrow();
    }
    String body = HexFormat.of().formatHex(fresh);
    db.sql("INSERT INTO secrets (name, body, stamp) VALUES (?, ?, ?)")
        .update(name, body, RowChecksum.of(name, body));
    return fresh.clone();
  }

  static void check(Db db) throws SQLException {
    for (String name : db.sql("SELECT name FROM secrets").list(row -> row.getString(1))) {
      read(db, name);
    }
  }
}
