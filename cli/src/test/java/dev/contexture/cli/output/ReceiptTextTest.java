package dev.contexture.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The receipt of a compaction in words (H-8). */
class ReceiptTextTest {
  private static List<String> lines(String receipt) {
    return ReceiptText.of("su_1", (JsonObject) JsonValue.parse(receipt));
  }

  @Test
  void saysWhatWasKeptAndLeftOutAndByWhom() {
    assertThat(
            lines(
                "{\"tokens\":{\"user\":{\"kept\":120,\"left_out\":30}},\"left_out\":[{\"path\":"
                    + "\"ar:t1.user.prompt\",\"kind\":\"user\",\"tokens\":30},{\"path\":\"\",\"kind\":"
                    + "\"reference\",\"tokens\":2}],\"writer\":\"fallback\",\"cost\":{\"rewritten_tokens\":900,\"pays\":\"after"
                    + " 2 requests\"},\"pins\":[{\"path\":\"ar:t2.n\",\"tokens\":7}]}"))
        .containsExactly(
            "receipt of su_1: written by the built-in summariser, because the model failed",
            "  user          120 tokens kept, 30 left out",
            "  left out, to be read at:",
            "    ar:t1.user.prompt (user, 30 tokens)",
            "    no path of its own (reference, 2 tokens)",
            "  pinned, verbatim behind it:",
            "    ar:t2.n (7 tokens)",
            "  cost: rewritten tokens 900, pays after 2 requests");
  }

  @Test
  void namesTheFirstPathsOfManyThatWereLeftOut() {
    String row = "{\"path\":\"ar:t1.a\",\"kind\":\"user\",\"tokens\":1}";
    String rows = (row + ",").repeat(24) + row;
    assertThat(lines("{\"writer\":\"model\",\"left_out\":[" + rows + "]}"))
        .hasSize(23)
        .contains("    and 5 more (--json shows all)");
  }
}
