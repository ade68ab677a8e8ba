package dev.contexture.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.Main;
import dev.contexture.cli.support.Configuration;
import dev.contexture.cli.support.Environment;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FailurePrinterTest {
  private final StringWriter printed = new StringWriter();

  @Test
  void printsMessageAndCodeOfARefusalWithoutTrace() {
    int exitCode = failures(false).refusal(invalidPath());
    assertThat(exitCode).isEqualTo(1);
    assertThat(printed.toString().lines())
        .containsExactly(
            "error: blocks[3].path is 'x'; allowed: ar:<turn>.<name>", "code: invalid_path");
  }

  @Test
  void printsARefusalAsProblemObject() {
    failures(true).refusal(invalidPath());
    assertThat(printed.toString().strip())
        .isEqualTo(
            "{\"type\":\"urn:contexture:problem:invalid_path\",\"title\":\"invalid path\","
                + "\"status\":400,\"code\":\"invalid_path\","
                + "\"detail\":\"blocks[3].path is 'x'; allowed: ar:<turn>.<name>\","
                + "\"field\":\"blocks[3].path\",\"actual\":\"x\","
                + "\"allowed\":\"ar:<turn>.<name>\"}");
  }

  /** Whether picocli or the engine refuses the value: the command line was wrong. */
  @Test
  void aValueOfAnOptionThatIsRefusedIsAUsageError() {
    ContextureException refused =
        ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, "--limit", -3, "1 to 1000");
    assertThat(failures(false).refusal(refused)).isEqualTo(Main.USAGE);
    ContextureException unsure =
        new ContextureException(
            ErrorCode.INVALID_ARGUMENT, "add --yes", Map.of("field", "--yes"), null);
    assertThat(failures(false).refusal(unsure)).isEqualTo(Main.FAILED);
  }

  @Test
  void keepsNumbersOfALimitAsNumbers() {
    failures(true)
        .refusal(ContextureException.limit(ErrorCode.TEXT_TOO_LARGE, "text", 10, 11, "bytes"));
    assertThat(printed.toString()).contains("\"status\":422", "\"limit\":10,\"actual\":11");
  }

  @Test
  void tellsADefectFromARefusal() {
    int exitCode = failures(false).defect("contexture render", new IllegalStateException("boom"));
    assertThat(exitCode).isEqualTo(1);
    assertThat(printed.toString())
        .contains("error: contexture render failed: java.lang.IllegalStateException: boom")
        .contains("code: internal");
  }

  @Test
  void printsADefectAsProblemObjectWithoutTrace() {
    failures(true).defect("contexture render", new IllegalStateException("boom"));
    JsonObject problem = (JsonObject) JsonValue.parse(printed.toString());
    assertThat(problem.string("code")).contains("internal");
    assertThat(problem.find("status")).contains(JsonValue.of(500));
  }

  private static ContextureException invalidPath() {
    return ContextureException.invalid(ErrorCode.INVALID_PATH, "path", "x", "ar:<turn>.<name>")
        .within("blocks[3]");
  }

  private FailurePrinter failures(boolean json) {
    OutputStyle looks = new OutputStyle(json, Paint.PLAIN, Paint.PLAIN, Progress.Form.NONE);
    Environment none = new Environment(Map.of(), false, false);
    return new FailurePrinter(
        new PrintWriter(printed, true), looks, Configuration.of(List.of(), none));
  }
}
