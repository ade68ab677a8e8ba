package dev.contexture.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.BlockPath;
import dev.contexture.block.Limits;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcesPoolTest {
  private static SourcesPool merge(SourcesPool pool, String... rows) {
    return pool.merge(rows(rows), Limits.DEFAULT);
  }

  private static List<PoolSource> rows(String... rows) {
    return Arrays.stream(rows)
        .map(row -> PoolSource.read((JsonObject) JsonValue.parse(row)))
        .toList();
  }

  private static List<String> written(SourcesPool pool) {
    return pool.rows().stream().map(row -> row.write().toJson()).toList();
  }

  @Nested
  class Merge {
    @Test
    void givesEachSourceOneNumberThatNeverShiftsOrReturns() {
      // T-93
      SourcesPool pool = merge(SourcesPool.EMPTY, "{\"url\":\"a:1\"}", "{\"url\":\"a:2\"}");
      pool = pool.replace(rows("{\"url\":\"a:2\"}"), Limits.DEFAULT);
      assertThat(written(pool)).containsExactly("{\"sid\":2,\"url\":\"a:2\"}");
      pool = merge(pool, "{\"url\":\"a:3\"}", "{\"url\":\"a:1\"}");
      assertThat(written(pool))
          .containsExactly(
              "{\"sid\":1,\"url\":\"a:1\"}",
              "{\"sid\":2,\"url\":\"a:2\"}",
              "{\"sid\":3,\"url\":\"a:3\"}");
    }

    @ParameterizedTest
    @CsvSource({
      "HTTPS://Example.ORG:443/a/#f, https://example.org/a",
      "http://example.org:80/, http://example.org",
      "https://example.org:8443/a?q=B, https://example.org:8443/a?q=B",
      "https://example.org/A, https://example.org/A"
    })
    void takesUrlsThatDifferInFormOnlyAsOneSource(String one, String other) {
      // T-94
      SourcesPool pool =
          merge(SourcesPool.EMPTY, "{\"url\":\"" + one + "\"}", "{\"url\":\"" + other + "\"}");
      assertThat(pool.rows()).hasSize(1);
    }

    @Test
    void takesFilesByTheirPhysicalPathBeforeTheirUrl() {
      // T-94
      SourcesPool pool =
          merge(
              SourcesPool.EMPTY,
              "{\"physical_path\":\"t1/files/a\",\"url\":\"https://x/1\"}",
              "{\"physical_path\":\"t1/files/a\",\"url\":\"https://x/2\"}",
              "{\"url\":\"https://x/1\"}",
              "{\"title\":\"neither\"}",
              "{\"title\":\"neither\"}");
      assertThat(pool.rows()).extracting(PoolSource::sid).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void keepsTheLongerTextsFillsGapsAndTakesTheHigherRelevance() {
      // T-94, T-8
      SourcesPool pool =
          merge(
              SourcesPool.EMPTY,
              "{\"url\":\"a:1\",\"title\":\"long title\",\"text\":\"x\",\"relevance\":0.50,"
                  + "\"extra\":1.10}",
              "{\"url\":\"a:1\",\"title\":\"short\",\"text\":\"xy\",\"relevance\":0.9,"
                  + "\"mime\":\"a/b\",\"extra\":2}");
      assertThat(written(pool))
          .containsExactly(
              "{\"sid\":1,\"url\":\"a:1\",\"title\":\"long title\",\"text\":\"xy\","
                  + "\"relevance\":0.9,\"extra\":1.10,\"mime\":\"a/b\"}");
    }

    @Test
    void refusesTheNumberOfAnotherSource() {
      // T-94
      SourcesPool pool = merge(SourcesPool.EMPTY, "{\"url\":\"a:1\"}", "{\"url\":\"a:2\"}");
      for (String row :
          List.of("{\"sid\":1,\"url\":\"a:9\"}", "{\"sid\":9,\"url\":\"a:1\"}", "{\"sid\":2}")) {
        assertThatExceptionOfType(ContextureException.class)
            .isThrownBy(() -> pool.replace(rows("{\"url\":\"a:2\"}", row), Limits.DEFAULT))
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SID_CONFLICT))
            .satisfies(e -> assertThat(e.field()).hasValue("sources[1].sid"));
      }
      assertThat(pool.rows()).hasSize(2);
    }
  }

  @Nested
  class Select {
    @Test
    void isInstantForAHugeRange() {
      // T-15
      SourcesPool pool =
          merge(
              SourcesPool.EMPTY,
              IntStream.range(0, 3)
                  .mapToObj(i -> "{\"url\":\"a:" + i + "\"}")
                  .toArray(String[]::new));
      assertThat(pool.select(BlockPath.parse("so:sources_pool[1-999999999]"))).hasSize(3);
      assertThat(pool.select(BlockPath.parse("so:sources_pool[3,2,2]")))
          .extracting(PoolSource::sid)
          .containsExactly(2L, 3L);
    }
  }

  @Nested
  class CompressedSids {
    @Test
    void joinsRanges() {
      // T-95
      SourcesPool pool =
          merge(
              SourcesPool.EMPTY,
              "{\"sid\":1}",
              "{\"sid\":2}",
              "{\"sid\":3}",
              "{\"sid\":5}",
              "{\"sid\":8}",
              "{\"sid\":9}");
      assertThat(pool.compressedSids()).isEqualTo("1-3,5,8-9");
      assertThat(SourcesPool.EMPTY.compressedSids()).isEmpty();
    }
  }
}
