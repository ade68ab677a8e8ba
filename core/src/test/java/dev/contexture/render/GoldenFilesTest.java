package dev.contexture.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelRef;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Dialect;
import dev.contexture.view.Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rendered contexts of both dialects, byte for byte (T-32 to T-42, T-95).
 *
 * <p>A golden file that is meant to change is written anew with {@code -Dgolden.write=true}; read
 * the difference before it is committed.
 */
class GoldenFilesTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  private static final RenderOptions PLAIN =
      RenderOptions.defaults().withMeter(TokenMeter.of(TokenCounter.CHARS4));
  private static final RenderOptions TAIL = PLAIN.withSources(true).withAnnounce(true);
  private static final RenderOptions TEXT_ONLY = PLAIN.withReader(Reader.ANY.textOnly(true));
  private static final RenderOptions OTHER_MODEL =
      PLAIN.withReader(Reader.of(new ModelRef("openai", "gpt-5")));

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of("types", GoldenCases.everyType(), PLAIN),
        Arguments.of("replaced", GoldenCases.everyTypeReplaced(), PLAIN),
        Arguments.of("replaced-late", GoldenCases.lateReplaced(), PLAIN),
        Arguments.of("removed", GoldenCases.removed(), PLAIN),
        Arguments.of("batches", GoldenCases.batches(), PLAIN),
        Arguments.of("broken", GoldenCases.broken(), PLAIN),
        Arguments.of("pending", GoldenCases.pending(), PLAIN),
        Arguments.of("json", GoldenCases.json(), PLAIN),
        Arguments.of("binaries", GoldenCases.binaries(), PLAIN),
        Arguments.of("binaries-text-only", GoldenCases.binaries(), TEXT_ONLY),
        Arguments.of("opaque-other-model", GoldenCases.everyType(), OTHER_MODEL),
        Arguments.of("summary", GoldenCases.summary(false), PLAIN),
        Arguments.of("summary-prompt", GoldenCases.summary(true), PLAIN),
        Arguments.of("summary-long", GoldenCases.longSummary(), PLAIN),
        Arguments.of("sources", GoldenCases.sources(), TAIL),
        Arguments.of("sources-none", GoldenCases.noSources(), TAIL));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void areAsTheyWere(String name, Timeline timeline, RenderOptions options) throws IOException {
    RenderedContext text = new Renderer().render(timeline, options);
    assertGolden(name + ".txt", text.text());
    RenderedContext messages = new Renderer().render(timeline, options.withDialect(Dialect.NATIVE));
    String json = RenderCodec.write(messages, JsonObject.EMPTY).toPrettyJson();
    assertGolden(name + ".json", json + "\n");
  }

  private static void assertGolden(String name, String actual) throws IOException {
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(file, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(file));
  }
}
