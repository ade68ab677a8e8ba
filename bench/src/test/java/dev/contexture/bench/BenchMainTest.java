package dev.contexture.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchArgs;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchMainTest {
  /** A measurement that prints its arguments. */
  private static final class Echo implements Bench {
    @Override
    public String name() {
      return "echo";
    }

    @Override
    public String summary() {
      return "prints what it was given";
    }

    @Override
    public int run(List<String> args, PrintStream out) {
      out.print(BenchArgs.parse(args));
      return 1;
    }
  }

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void listsWithoutAName() {
    assertThat(run()).isZero();
    assertThat(out.toString(UTF_8)).contains("Usage: bench/run", "echo  prints what it was given");
  }

  @Test
  void runsTheNamedOneAndReturnsItsExitCode() {
    assertThat(run("echo", "--quick", "--json")).isEqualTo(1);
    assertThat(out.toString(UTF_8)).isEqualTo("BenchArgs[files=[], json=true, quick=true]");
  }

  @Test
  void listsTheKnownOnesForAnUnknownName() {
    assertThat(run("ech")).isEqualTo(2);
    assertThat(out.toString(UTF_8)).isEmpty();
    assertThat(err.toString(UTF_8))
        .contains("error: there is no measurement 'ech'", "echo  prints what it was given");
  }

  @Test
  void refusesUnknownOptionsAndAbsentFiles() {
    assertThat(run("echo", "--fast")).isEqualTo(2);
    assertThat(run("echo", "absent.json")).isEqualTo(2);
    assertThat(err.toString(UTF_8))
        .contains("unknown option '--fast'; options: --json, --quick")
        .contains("there is no readable file 'absent.json'");
  }

  @Test
  void givesEveryMeasurementItsOwnNameAndASummary() {
    assertThat(BenchMain.BENCHES).extracting(Bench::name).doesNotHaveDuplicates();
    assertThat(BenchMain.BENCHES).extracting(Bench::summary).doesNotContain("");
  }

  private int run(String... args) {
    return BenchMain.run(
        List.of(new Echo()),
        List.of(args),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8));
  }
}
