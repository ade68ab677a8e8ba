package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.contexture.cli.demo.Demo;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every page: texts of others stay texts, it has a twin, everybody can use it. */
class EveryPageTest extends BrowserTest {
  private static final String EVIL =
      "<img src=x onerror=\"window.evil=1\"><script>window.evil=2</script>"
          + " \u202eabc\u202c \u0007 \u05e9\u05dc\u05d5\u05dd {{1}} ${1} "
          + "x".repeat(3_000);
  private static final String HUGE = EVIL + "y".repeat(50_000);
  private static final String C = "/v1/users/mallory/conversations/c1";
  private boolean filled;

  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  private void fill() {
    if (filled) {
      return;
    }
    filled = true;
    String evil = JsonValue.of(EVIL).toJson();
    String huge = JsonValue.of(HUGE).toJson();
    send(
        "PUT",
        "/v1/agents/eve",
        "{\"description\":" + JsonValue.of(EVIL.substring(0, 120)).toJson() + "}");
    send("POST", "/v1/agents/eve/blocks", block("notes", evil));
    send("POST", C + "/turns", "{\"turn_id\":\"t1\",\"agent\":\"eve\",\"prompt\":" + huge + "}");
    send(
        "POST",
        C + "/request",
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"eve\","
            + "\"base_instructions\":"
            + evil
            + "}");
    send("PATCH", C, JsonObject.of("title", JsonValue.of(EVIL.substring(0, 120))).toJson());
    send("POST", "/v1/search", "{\"query\":\"abc\"}"); // waits for the index
  }

  private static String block(String label, String content) {
    return "{\"label\":\"" + label + "\",\"block_type\":\"working\",\"content\":" + content + "}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#/",
        "#/users/mallory/conversations/c1",
        "#/users/mallory/conversations/c1/requests",
        "#/users/mallory/conversations/c1/requests/newest?why=ar:t1.user.prompt",
        "#/agents",
        "#/agents/eve",
        "#/agents/eve/blocks/notes",
        "#/search?q=abc",
        "#/events",
        "#/health",
        "#/users/hanna/conversations/late-tent?all=1",
        "#/users/hanna/conversations/late-tent/requests?what_if=ttl=1h",
        "#/users/hanna/conversations/late-tent/requests/newest",
        "#/agents/mira?user=hanna",
        "#/agents/mira/blocks/case_log",
        "#/nowhere"
      })
  void isSafeAndHasATwinAndIsForEverybody(String address) {
    fill();
    newPage(new Browser.NewContextOptions().setViewportSize(390, 800));
    visit(address);
    assertThat(page.locator("h1").first()).isVisible();
    if (!address.equals("#/nowhere")) {
      hasTwin();
    }
    assertThat(page.evaluate("window.evil")).isNull();
    assertThat(page.locator("main img, main script")).hasCount(0);
    assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
        .as("nothing is wider than a phone")
        .isLessThanOrEqualTo(390);
    accessible();
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    accessible();
  }

  private void hasTwin() {
    Locator twin = page.locator(".twin");
    assertThat(twin).hasCount(1);
    Object type =
        page.evaluate(
            "async link => { const stop = new AbortController();"
                + " const got = await fetch(link, { signal: stop.signal });"
                + " const type = got.status + ' ' + got.headers.get('content-type');"
                + " stop.abort(); return type; }",
            twin.getAttribute("href"));
    assertThat(type.toString())
        .startsWith("200 ")
        .containsAnyOf("application/json", "text/event-stream");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#/users/mallory/conversations/c1",
        "#/users/mallory/conversations/c1/requests/newest",
        "#/agents/eve",
        "#/agents/eve/blocks/notes",
        "#/search?q=abc"
      })
  void whatIsNotSeenIsNamed(String address) {
    fill();
    visit(address);
    assertThat(page.locator(".strange").first()).isAttached();
    List<String> named = page.locator(".strange").allTextContents();
    assertThat(named).contains("RLO");
  }
}
