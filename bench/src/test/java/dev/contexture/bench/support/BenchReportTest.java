package dev.contexture.bench.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class BenchReportTest {
  private final BenchReport report =
      new BenchReport("render", false)
          .figure("2000 blocks", 0.25, "ms")
          .peer("format all", "2000 blocks", 12.5, "ms")
          .peer("format all", "other", 1, "ms")
          .seed(42)
          .repetitions(20);

  @Test
  void printsOneJsonObjectWithFiguresPeersAndCircumstances() {
    JsonObject json = (JsonObject) JsonValue.parse(printed(true));
    assertThat(json.without("versions").toJson())
        .isEqualTo(
            "{\"bench\":\"render\",\"quick\":false,"
                + "\"figures\":[{\"name\":\"2000 blocks\",\"value\":0.25,\"unit\":\"ms\"}],"
                + "\"peers\":[{\"peer\":\"format all\",\"name\":\"2000 blocks\",\"value\":12.5,"
                + "\"unit\":\"ms\",\"ratio\":50},"
                + "{\"peer\":\"format all\",\"name\":\"other\",\"value\":1,\"unit\":\"ms\"}],"
                + "\"seed\":42,\"repetitions\":20}");
    assertThat(json.object("versions").orElseThrow().keys())
        .contains("contexture", "java", "os", "cores");
  }

  @Test
  void printsATableWithTheRatioToOurs() {
    assertThat(printed(false).lines())
        .contains(
            "what         who         value  unit  times contexture",
            "-----------  ----------  -----  ----  ----------------",
            "2000 blocks  contexture  0.25   ms",
            "2000 blocks  format all  12.5   ms    50x",
            "seed: 42",
            "repetitions: 20");
  }

  @Test
  void refusesAFigureThatIsNoNumber() {
    assertThatIllegalArgumentException().isThrownBy(() -> report.figure("x", Double.NaN, "ms"));
  }

  private String printed(boolean json) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    report.print(new PrintStream(out, true, UTF_8), json);
    return out.toString(UTF_8);
  }
}
