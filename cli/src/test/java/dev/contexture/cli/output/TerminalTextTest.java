package dev.contexture.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What others wrote does nothing to the terminal that shows it. */
class TerminalTextTest {
  @Test
  void whatATerminalWouldObeyIsNamed() {
    assertThat(TerminalText.line("a\u001b[2Jb\u001b]0;title\u0007c\u009b8m"))
        .isEqualTo("a\\x1b[2Jb\\x1b]0;title\\x07c\\x9b8m");
    assertThat(TerminalText.line("over\rwritten, gone\b\b\b"))
        .isEqualTo("over\\x0dwritten, gone\\x08\\x08\\x08");
  }

  @Test
  void whatTurnsTheOrderAroundIsNamed() {
    assertThat(TerminalText.line("user\u202enimda\u202c \u2066x\u2069 \ufeff"))
        .isEqualTo("user\\u202enimda\\u202c \\u2066x\\u2069 \\ufeff");
  }

  @Test
  void textsOfEveryScriptStay() {
    String text =
        "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \ud83d\udc69\u200d\ud83d\ude80"
            + " \u0928\u092e\u0938\u094d\u0924\u0947\n"
            + "\tline two\r\n";
    assertThat(TerminalText.line(text)).isEqualTo(text);
  }

  @Test
  void coloursOfTheCommandStay() {
    String shown = Paint.COLOURED.strong("12 user.prompt") + " " + Paint.COLOURED.bad("x");
    assertThat(TerminalText.line(shown)).isEqualTo(shown);
  }

  @Test
  void aCellIsOneLine() {
    assertThat(TerminalText.cell("a\r\nb\tc\u001b[1m")).isEqualTo("a\\x0d b c\\x1b[1m");
  }
}
