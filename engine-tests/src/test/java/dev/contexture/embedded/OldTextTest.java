package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an older version stored is cleaned when it is written out. */
class OldTextTest {
  private static final Scope.OfConversation CHAT =
      Scope.of("acme", "shop").user("u42").conversation("c1");

  /** Half of a pair, NUL and ESC, as a store of that time has them. */
  private static final String BAD = "\\ud83d\\u0000\\u001b";

  /** The same inside JSON that is itself a text of the block. */
  private static final String BAD_INSIDE = "\\\\ud83d\\\\u0000";

  @TempDir Path directory;

  @Test
  void noBodyHoldsWhatWasStoredBefore() throws SQLException {
    try (Contexture engine = Contexture.open(directory)) {
      Turn turn = engine.browser(CHAT).startTurn("cut OUTER");
      turn.contribute(
          Block.builder(BlockType.REACT_TOOL_CALL)
              .toolCallId("tc_a")
              .toolId("f")
              .text("{\"tool_id\":\"f\",\"params\":{\"a\":\"INNER\"}}"),
          Block.builder(BlockType.REACT_TOOL_RESULT).toolCallId("tc_a").text("got OUTER"),
          Block.builder(BlockType.MODEL_OPAQUE)
              .mime("application/json")
              .meta(opaque())
              .text("{\"type\":\"thinking\",\"thinking\":\"INNER\",\"signature\":\"c2ln\"}"));
      turn.finish("said OUTER");
    }
    assertThat(spoil()).isEqualTo(5);
    try (Contexture engine = Contexture.open(directory)) {
      ContextBrowser chat = engine.browser(CHAT);
      assertThat(chat.turnLog(chat.turns(null, 1).getFirst().turn()).blocks())
          .filteredOn(row -> row.block().type().equals(BlockType.USER_PROMPT))
          .allSatisfy(row -> assertThat(row.block().text()).contains("cut \uFFFD\uFFFD\u001b"));
      Turn turn = chat.startTurn("next");
      for (String model : List.of("claude-opus-5", "gpt-5.6-terra", "gemini-3.5-flash")) {
        String body = turn.request(model).build().body();
        assertThat(body).contains("cut \uFFFD\uFFFD", "said \uFFFD\uFFFD", "next");
        assertThat(body).doesNotContainPattern("(?<!\\\\)\\\\ud83d");
        if (!model.startsWith("gpt")) { // there, arguments are a text that holds JSON
          assertThat(body.replace("\\u0000\",\"signature", "")).doesNotContain("\\u0000");
        }
      }
    }
  }

  private static dev.contexture.json.JsonObject opaque() {
    return dev.contexture.json.JsonObject.builder()
        .put("provider", "anthropic")
        .put("model", "claude-opus-5")
        .put("kind", "thinking")
        .build();
  }

  /** Puts into the rows what nobody checked then; returns how many there were. */
  private int spoil() throws SQLException {
    int spoiled = 0;
    try (Connection db =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("contexture.db"));
        Statement read = db.createStatement();
        ResultSet rows = read.executeQuery("SELECT id, wire, artifact, sha FROM blocks");
        PreparedStatement write =
            db.prepareStatement("UPDATE blocks SET wire = ?, stamp = ? WHERE id = ?")) {
      while (rows.next()) {
        String wire = rows.getString(2).replace("OUTER", BAD).replace("INNER", BAD_INSIDE);
        if (!wire.equals(rows.getString(2))) {
          spoiled++;
          write.setString(1, wire);
          write.setLong(2, stamp(rows.getLong(1), wire, rows.getString(3), rows.getString(4)));
          write.setLong(3, rows.getLong(1));
          write.executeUpdate();
        }
      }
    }
    return spoiled;
  }

  /** Format 1 and the checksum of a row, as the store writes them. */
  private static long stamp(long id, String... texts) {
    CRC32C crc = new CRC32C();
    for (String text : texts) {
      if (text != null) {
        crc.update(text.getBytes(StandardCharsets.UTF_8));
      }
      crc.update(0xff);
    }
    int mixed = (int) crc.getValue() ^ Long.hashCode(id * 0x9E3779B97F4A7C15L);
    return 1L << 32 | (mixed & 0xffffffffL);
  }
}
