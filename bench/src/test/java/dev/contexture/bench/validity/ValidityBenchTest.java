package dev.contexture.bench.validity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No request of a random conversation is one that its provider would refuse. */
class ValidityBenchTest {
  private static final long TRIES = 20_000;
  private static final long SEED = 20_261_116;

  @Test
  void everyRequestOfRandomConversationsIsValid() {
    ValidityBench.Result result = ValidityBench.run(TRIES, SEED);
    assertThat(result.invalid).isEmpty();
    assertThat(result.built).isGreaterThanOrEqualTo(TRIES);
    assertThat(result.refused)
        .as("what no provider takes was asked, too")
        .containsKey("param_rejected");
    assertThat(result.refused.values().stream().mapToLong(Long::longValue).sum())
        .as("refused, which is said and not sent: %s", result.refused)
        .isLessThan(TRIES / 4);
  }

  @Test
  void saysHowManyAndHowLong() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int exit =
        new ValidityBench()
            .run(
                List.of("--tries", "20", "--seed", "7", "--json"),
                new PrintStream(out, true, UTF_8));
    assertThat(exit).isZero();
    assertThat(out.toString(UTF_8))
        .contains("\"bench\":\"validity\"", "\"invalid\"", "\"time\"", "\"refused\"");
  }
}
