package dev.contexture.bench.peer;

import com.zaxxer.hikari.HikariDataSource;
import dev.contexture.bench.support.SampleMessage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/**
 * What nobody who is durable can be faster than: plain JDBC inserts the message as one row, and
 * nothing is read back. It shows how much of the other figures is the disk's.
 */
public final class DiskFloor implements MemoryPeer {
  private final HikariDataSource database;

  public DiskFloor(Path directory) throws SQLException {
    database = PeerDatabase.open(directory.resolve("floor.db"));
    try (Connection connection = database.getConnection();
        var create = connection.createStatement()) {
      create.execute("CREATE TABLE messages (conversation TEXT NOT NULL, text TEXT NOT NULL)");
    }
  }

  @Override
  public String name() {
    return "one row alone, sqlite-jdbc";
  }

  @Override
  public boolean sends() {
    return false;
  }

  @Override
  public void fill(String conversation, List<SampleMessage> messages) {}

  @Override
  public Supplier<List<String>> add(String conversation, SampleMessage message) {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO messages VALUES (?, ?)")) {
      insert.setString(1, conversation);
      insert.setString(2, message.text());
      insert.executeUpdate();
      return List::of;
    } catch (SQLException failed) {
      throw new IllegalStateException("cannot write " + conversation, failed);
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
