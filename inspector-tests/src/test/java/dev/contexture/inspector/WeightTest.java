package dev.contexture.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page weighs, and how soon something is seen: said on standard output. */
class WeightTest extends BrowserTest {
  private static final long LEAST_BYTES = 50_000; // less says that nothing was measured
  private static final long MOST_BYTES = 150_000;

  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#/",
        "#/users/hanna/conversations/late-tent",
        "#/users/hanna/conversations/late-tent/requests",
        "#/users/hanna/conversations/late-tent/requests/newest",
        "#/agents",
        "#/agents/mira",
        "#/agents/mira/blocks/customer",
        "#/search?q=tent"
      })
  void aPageIsSmall(String address) {
    visit(address);
    long bytes = weight(); // before anything of it is kept
    double paint = firstUsefulPaint(address);
    System.out.println(
        String.format(
            Locale.ROOT,
            "%s: %,d bytes, first entry painted after %.0f ms",
            address,
            bytes,
            paint));
    assertThat(bytes).isBetween(LEAST_BYTES, MOST_BYTES);
  }
}
