package dev.contexture.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What no provider takes becomes U+FFFD; everything else stays as it is. */
class SendableTextTest {
  private static final String HIGH = "\uD83D";
  private static final String LOW = "\uDE00";
  private static final String EMOJI = HIGH + LOW;
  private static final String GONE = "\uFFFD";

  @Test
  void replacesHalvesOfPairsAndNul() {
    assertThat(SendableText.of("a\uD83Db\uDE00c\u0000d")).isEqualTo("a\uFFFDb\uFFFDc\uFFFDd");
    String colours = "\u001B[31mred\u001B[0m";
    assertThat(SendableText.of(colours)).as("of a terminal").isSameAs(colours);
    assertThat(SendableText.of("\uDE00\uD83D")).isEqualTo("\uFFFD\uFFFD");
    assertThat(SendableText.of("\uD83D" + EMOJI)).isEqualTo("\uFFFD" + EMOJI);
  }

  @Test
  void keepsCleanTextAsTheSameObject() {
    String text = "tab\t, lines\r\n, \u007F, \u0085, Ω, " + EMOJI + ", \uFFFD, \uE000";
    assertThat(SendableText.of(text)).isSameAs(text);
    String json = "{\"a\\ud83d\\ude00\":\"\\n\\\\ud83d " + EMOJI + "\\u00e9\"}";
    assertThat(SendableText.ofJson(json)).isSameAs(json);
    assertThat(SendableText.paired(json)).isSameAs(json);
    JsonValue value = JsonValue.parse(json);
    assertThat(SendableText.of(value)).isSameAs(value);
  }

  @Test
  void cleansKeysAndNestedTextsOfValues() {
    JsonValue inner = JsonValue.parse("[{\"o\\u0000\":\"\\udc00x\"},1.10,null]");
    JsonValue value = JsonObject.of("k" + HIGH, inner);
    assertThat(SendableText.of(value).toJson())
        .isEqualTo("{\"k\uFFFD\":[{\"o\uFFFD\":\"\uFFFDx\"},1.10,null]}");
  }

  @Test
  void cleansJsonWhereItIsSpelledAndNothingElse() {
    assertThat(SendableText.ofJson("{\"a\": \"\\uD83D\\n\\u0000" + LOW + "\\\\u0000\", \"b\":1.0}"))
        .isEqualTo("{\"a\": \"\\ufffd\\n\\ufffd" + GONE + "\\\\u0000\", \"b\":1.0}");
    assertThat(SendableText.ofJson("\"" + HIGH + "\\ude00\""))
        .as("a pair is spelled in one way")
        .isEqualTo("\"" + GONE + "\\ufffd\"");
  }

  @Test
  void leavesControlsToTheProviderThatWroteThem() {
    assertThat(SendableText.paired("\"\\u001b[1m \\ud83d\\u0000\""))
        .isEqualTo("\"\\u001b[1m \\ufffd\\u0000\"");
  }

  @Test
  void agreesWithItselfOnRandomTexts() {
    Random random = new Random(7);
    for (int i = 0; i < 5_000; i++) {
      String text = random(random);
      String clean = SendableText.of(text);
      assertThat(clean).hasSameSizeAs(text);
      assertThat(SendableText.of(clean)).isSameAs(clean);
      assertThat(SendableText.isPaired(clean)).isTrue();
      byte[] bytes = clean.getBytes(StandardCharsets.UTF_8);
      assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(clean);
      String json = new JsonString(text).toJson();
      assertThat(JsonValue.parse(SendableText.ofJson(json))).isEqualTo(new JsonString(clean));
      assertThat(SendableText.paired(json).equals(json)).isEqualTo(SendableText.isPaired(text));
    }
  }

  private static String random(Random random) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(12); n > 0; n--) {
      switch (random.nextInt(6)) {
        case 0 -> text.append((char) (Character.MIN_SURROGATE + random.nextInt(2_048)));
        case 1 -> text.append((char) random.nextInt(32));
        case 2 -> text.append(EMOJI);
        case 3 -> text.append("\\ud83d\\\"");
        case 4 -> text.append((char) (0xFFF0 + random.nextInt(16)));
        default -> text.append((char) random.nextInt(0x2000));
      }
    }
    return text.toString();
  }
}
