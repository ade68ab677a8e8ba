package dev.contexture.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Limits;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContributionTest {
  private static final TurnId TURN = TurnId.of("t1");
  private static final Instant NOW = Instant.parse("2026-02-09T02:14:32Z");

  private static Block.Builder draft(String text) {
    return Block.builder(BlockType.AGENT_BLOCK).text(text);
  }

  private static List<Block> contribute(List<Block.Builder> drafts) {
    return Contribution.of(drafts, TURN, NOW, Limits.DEFAULT);
  }

  @Test
  void fillsInTurnAndTimeAndKeepsTheOrder() {
    // T-6, T-11
    List<Block> blocks = contribute(List.of(draft("1"), draft("2"), draft("3")));
    assertThat(blocks).extracting(b -> b.text().orElseThrow()).containsExactly("1", "2", "3");
    assertThat(blocks).allMatch(b -> b.turn().equals(TURN) && b.ts().orElseThrow().equals(NOW));
  }

  @Test
  void refusesAnotherTurn() {
    // T-6
    List<Block.Builder> drafts = List.of(draft("1"), draft("2").turn(TurnId.of("t2")));
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> contribute(drafts))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TURN_MISMATCH))
        .satisfies(e -> assertThat(e.field()).hasValue("blocks[1].turn_id"));
  }

  @Test
  void refusesAllForOneBadBlockAndNamesIt() {
    // T-85, T-100
    List<Block.Builder> drafts = List.of(draft("1"), draft("2"), draft("x".repeat((1 << 20) + 1)));
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> contribute(drafts))
        .withMessageStartingWith("blocks[2].text has 1048577 bytes")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TEXT_TOO_LARGE))
        .satisfies(e -> assertThat(e.field()).hasValue("blocks[2].text"));
  }

  @Test
  void refusesTooManyBlocks() {
    // T-100
    assertThat(contribute(Collections.nCopies(256, draft("x")))).hasSize(256);
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> contribute(Collections.nCopies(257, draft("x"))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_BLOCKS));
  }

  @Test
  void aFileWithOneBadBlockGivesNoTimeline() {
    // T-85: the field is named from the top
    JsonObject json =
        (JsonObject)
            JsonValue.parse(
                "{\"blocks\":[{\"turn_id\":\"t\"},{\"turn_id\":\"t\",\"path\":\"x\"}]}");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> TimelineCodec.read(json, Limits.DEFAULT))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PATH))
        .satisfies(e -> assertThat(e.field()).hasValue("blocks[1].path"));
  }
}
