package dev.contexture.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.Limits;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimelineCodecTest {
  private static Timeline read(String json) {
    return TimelineCodec.read((JsonObject) JsonValue.parse(json), Limits.DEFAULT);
  }

  private static Timeline again(Timeline timeline) {
    return read(TimelineCodec.write(timeline).toJson());
  }

  @Test
  void keepsTheNumbersOfSourcesThatAreNoLongerShown() {
    // T-93
    List<PoolSource> two =
        List.of(
            PoolSource.read(JsonObject.of("url", JsonValue.of("a:1"))),
            PoolSource.read(JsonObject.of("url", JsonValue.of("a:2"))));
    SourcesPool pool =
        SourcesPool.EMPTY.merge(two, Limits.DEFAULT).replace(two.subList(0, 1), Limits.DEFAULT);
    Timeline timeline = again(Timeline.empty().withSources(pool));
    PoolSource other = PoolSource.read(JsonObject.of("url", JsonValue.of("a:3")));
    assertThat(timeline.sources().merge(List.of(other), Limits.DEFAULT).rows())
        .extracting(PoolSource::sid)
        .containsExactly(1L, 3L);
  }

  @Test
  void keepsABlockShownThatWasContributedHidden() {
    // T-6, T-50: unhide after meta.hidden
    Timeline hidden = read("{\"blocks\":[{\"turn_id\":\"t\",\"meta\":{\"hidden\":true}}]}");
    assertThat(hidden.visibilityRecords().all()).hasSize(1);
    Timeline shown = hidden.withoutVisibility(List.of(1L));
    assertThat(again(shown).visibilityRecords().all()).isEmpty();
    assertThat(again(hidden).visibilityRecords().all()).hasSize(1);
  }

  @Test
  void keepsPinsInTheirOrderWithTheirVersions() {
    String blocks =
        "{\"blocks\":[{\"turn_id\":\"t\",\"path\":\"ar:t.a\",\"text\":\"one\"},"
            + "{\"turn_id\":\"t\",\"path\":\"ar:t.b\",\"text\":\"b\"},"
            + "{\"turn_id\":\"t\",\"path\":\"ar:t.a\",\"text\":\"two\"}],\"pins\":[PINS]}";
    Timeline timeline =
        again(
            read(
                blocks.replace("PINS", "{\"path\":\"ar:t.b\"},{\"path\":\"ar:t.a\",\"as_of\":3}")));
    assertThat(timeline.pins().all())
        .extracting(pin -> pin.path() + " " + pin.shown().block().text().orElseThrow())
        .containsExactly("ar:t.b b", "ar:t.a one");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> read(blocks.replace("PINS", "{\"path\":\"ar:t.c\"}")))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void readsASummaryAmongTheBlocksAsStandingBeforeTheNext() {
    // T-20
    Timeline timeline =
        read(
            """
            {"blocks":[
              {"turn_id":"t1","type":"user.prompt","text":"old"},
              {"turn_id":"t2","type":"conv.range.summary","text":"SUM"},
              {"turn_id":"t2","type":"user.prompt","text":"new"}]}
            """);
    assertThat(timeline.window().summary().orElseThrow().cutSeq()).isEqualTo(2);
    assertThat(timeline.window().entries()).hasSize(1);
    assertThat(timeline.entries()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | FIELD_REQUIRED | blocks",
        "{\"blocks\":[],\"x\":1} | UNKNOWN_FIELD | x",
        "{\"blocks\":{}} | FIELD_TYPE | blocks",
        "{\"blocks\":[1]} | FIELD_TYPE | blocks[0]",
        "{\"blocks\":[{}]} | FIELD_REQUIRED | blocks[0].turn_id",
        "{\"blocks\":[],\"active_turn\":\"a.b\"} | INVALID_TURN_ID | active_turn",
        "{\"blocks\":[],\"turns\":[{\"turn_id\":\"t\",\"status\":\"x\"}]} | FIELD_TYPE"
            + " | turns[0].status",
        "{\"blocks\":[],\"visibility\":[{}]} | FIELD_TYPE | visibility[0].seq",
        "{\"blocks\":[],\"archived\":[{\"archive_id\":\"a\"}]} | FIELD_TYPE"
            + " | archived[0].from_seq",
        "{\"blocks\":[],\"sources\":[{\"sid\":0}]} | FIELD_TYPE | sources[0].sid"
      })
  void refusesWhatItCannotRead(String json, ErrorCode code, String field) {
    // T-100
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> read(json))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code))
        .satisfies(e -> assertThat(e.field()).hasValue(field));
  }
}
