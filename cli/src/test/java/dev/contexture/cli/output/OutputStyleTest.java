package dev.contexture.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.Main;
import dev.contexture.cli.Run;
import dev.contexture.cli.support.Environment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Colours and bars are for people at a terminal. */
class OutputStyleTest {
  private static final String ESCAPE = "\u001b[";

  private static Run xyzzy(boolean terminal, Map<String, String> variables, String... more) {
    String[] args = new String[more.length + 1];
    System.arraycopy(more, 0, args, 0, more.length);
    args[more.length] = "xyzzy";
    return Run.in(new Environment(variables, terminal, terminal), args);
  }

  @Test
  void coloursOnlyATerminal() {
    assertThat(xyzzy(true, Map.of()).err()).contains(ESCAPE);
    assertThat(xyzzy(false, Map.of()).err()).doesNotContain(ESCAPE);
    assertThat(xyzzy(true, Map.of("NO_COLOR", "1")).err()).doesNotContain(ESCAPE);
    assertThat(xyzzy(true, Map.of("NO_COLOR", "")).err()).contains(ESCAPE);
    assertThat(xyzzy(true, Map.of("TERM", "dumb")).err()).doesNotContain(ESCAPE);
  }

  @Test
  void obeysTheOptionAndTheSetting() {
    assertThat(xyzzy(false, Map.of("NO_COLOR", "1"), "--color", "always").err()).contains(ESCAPE);
    assertThat(xyzzy(true, Map.of(), "--color=never").err()).doesNotContain(ESCAPE);
    assertThat(xyzzy(false, Map.of("CONTEXTURE_COLOR", "always")).err()).contains(ESCAPE);
    assertThat(xyzzy(true, Map.of(), "--json").err()).doesNotContain(ESCAPE);
    Run wrong = Run.of("doctor", "--color", "pink");
    assertThat(wrong.exitCode()).isEqualTo(Main.USAGE);
    assertThat(wrong.err()).contains("--color is 'pink'; allowed: auto, always or never");
  }

  @Test
  void drawsABarOnATerminalAndLinesElsewhere() {
    assertThat(progress(Progress.Form.BAR))
        .startsWith("\rwork [")
        .contains("50 %")
        .contains("[" + "#".repeat(30) + "] 100 %")
        .endsWith("\r" + ESCAPE + "2K");
    assertThat(progress(Progress.Form.LINES).lines())
        .containsExactly("work: 25 %", "work: 50 %", "work: 75 %", "work: 100 %");
    assertThat(progress(Progress.Form.NONE)).isEmpty();
  }

  private static String progress(Progress.Form form) {
    StringWriter printed = new StringWriter();
    try (Progress progress = new Progress(new PrintWriter(printed), form, "work")) {
      progress.at(0, 0);
      for (int i = 0; i <= 1_000; i++) {
        progress.at(i, 1_000);
      }
    }
    return printed.toString();
  }
}
