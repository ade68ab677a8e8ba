package dev.contexture.store.sqlite;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.news;
import static dev.contexture.testkit.StoreFixture.set;
import static dev.contexture.testkit.StoreFixture.summary;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.TurnId;
import dev.contexture.store.Row;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What summaries of a long conversation take (T-76): each covers all turns before it. */
@Timeout(300)
class SummaryGrowthTest {
  private static final int TURNS = 2_000;
  private static final int TURNS_EACH = 9;

  @TempDir Path directory;

  @Test
  void summariesOfManyTurnsGrowInALine() throws SQLException {
    List<TurnId> turns = new ArrayList<>();
    int made = 0;
    try (SqliteStore store = SqliteStore.open(directory)) {
      while (turns.size() < TURNS) {
        WriteSet.Builder set = set();
        for (int i = 0; i < TURNS_EACH; i++) {
          TurnId turn = turn("turn_1750000000000_" + turns.size());
          turns.add(turn);
          set.add(new Row.PutTurn(TurnRow.open(turn, NOW).closed(TurnStatus.COMPLETE, NOW)));
          set.append(news(block(turn, "x")));
        }
        applied(store, set.build());
        TurnId[] covered = turns.subList(0, turns.size() - 1).toArray(TurnId[]::new);
        Summary summary = summary("s" + made++, turns.size(), turns.getLast(), covered);
        applied(store, set().add(new Row.PutSummary(summary)).build());
      }
      Summary opening = store.load(CHAT).orElseThrow().summary();
      assertThat(Objects.requireNonNull(opening).coveredTurns())
          .isEqualTo(turns.subList(0, turns.size() - 1));
      assertThat(store.summary(CHAT, "s9").orElseThrow().coveredTurns())
          .isEqualTo(turns.subList(0, 10 * TURNS_EACH - 1));
    }
    assertThat(made).isGreaterThan(200);
    long half = bytes("<= " + made / 2);
    long other = bytes("> " + made / 2);
    assertThat(other).isLessThan(half + half / 10);
    assertThat(half + other).isLessThan(made * 400L);
  }

  private long bytes(String which) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteStore.FILE));
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT sum(length(body)) FROM summaries WHERE id " + which)) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    }
  }
}
