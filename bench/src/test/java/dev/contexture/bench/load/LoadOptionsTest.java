package dev.contexture.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.bench.support.UsageException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadOptionsTest {
  @Test
  void takesAllPartsAndTheUsualTimesWithoutOptions() {
    LoadOptions options = LoadOptions.parse(List.of("--quick"));

    assertThat(LoadOptions.Part.values()).allMatch(options::has);
    assertThat(options.warmup()).isEqualTo(Duration.ofSeconds(2));
    assertThat(options.time()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.general().quick()).isTrue();
  }

  @Test
  void takesOnePartTimesAndStreams() {
    LoadOptions options =
        LoadOptions.parse(
            List.of(
                "--part",
                "streams",
                "--warmup",
                "90",
                "--seconds",
                "30",
                "--streams",
                "12",
                "--json"));

    assertThat(options.has(LoadOptions.Part.STREAMS)).isTrue();
    assertThat(options.has(LoadOptions.Part.LOAD)).isFalse();
    assertThat(options.warmup()).isEqualTo(Duration.ofSeconds(90));
    assertThat(options.time()).isEqualTo(Duration.ofSeconds(30));
    assertThat(options.streams()).isEqualTo(12);
    assertThat(options.general().json()).isTrue();
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    assertThatThrownBy(() -> LoadOptions.parse(List.of("--part", "all")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--part takes load, kill, heap or streams, not 'all'");
    assertThatThrownBy(() -> LoadOptions.parse(List.of("--warmup")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--warmup takes a number above 0, not ''");
    assertThatThrownBy(() -> LoadOptions.parse(List.of("--seconds", "0")))
        .isInstanceOf(UsageException.class);
  }
}
