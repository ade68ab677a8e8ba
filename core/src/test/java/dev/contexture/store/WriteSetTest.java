package dev.contexture.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WriteSetTest {
  private static final Instant NOW = Instant.EPOCH;
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final Scope.OfConversation CHAT = SHOP.user("u").conversation("c");
  private static final Row TITLE = new Row.SetTitle("x");
  private static final Row AGENT = new MemoryRow.EnsureAgent("atlas");

  private static void refused(String field, WriteSet.Builder set) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(set::build)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .satisfies(e -> assertThat(e.details()).containsEntry("field", field));
  }

  @Test
  void aSetOfAProjectTakesNoRowOfAConversation() {
    refused("conversation", WriteSet.of(SHOP, NOW).add(AGENT).add(TITLE));
    refused(
        "conversation", WriteSet.of(SHOP, NOW).add(AGENT).expect(new Precondition.VersionIs(1)));
    assertThat(WriteSet.of(SHOP, NOW).add(AGENT).build().conversation()).isNull();
  }

  @Test
  void theConversationIsOneOfTheProject() {
    assertThat(WriteSet.of(CHAT, NOW).add(TITLE).build().scope()).isEqualTo(SHOP);
    Scope other = Scope.of("acme", "other");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> new WriteSet(other, CHAT, NOW, List.of(), List.of(TITLE), null))
        .withMessageContaining("conversation");
  }

  @Test
  void memoryRowsRaiseNoVersion() {
    assertThat(WriteSet.of(CHAT, NOW).add(AGENT).build().raisesVersion()).isFalse();
    assertThat(WriteSet.of(CHAT, NOW).add(AGENT).add(TITLE).build().raisesVersion()).isTrue();
  }

  @Test
  void aSetIsNeitherEmptyNorTooLarge() {
    refused("rows", WriteSet.of(SHOP, NOW));
    List<SourceRow> many =
        LongStream.rangeClosed(0, WriteSet.MAX_RECORDS)
            .mapToObj(sid -> new SourceRow(sid, "k", true, dev.contexture.json.JsonObject.EMPTY))
            .toList();
    refused("rows", WriteSet.of(CHAT, NOW).add(new Row.PutSources(many)));
  }
}
