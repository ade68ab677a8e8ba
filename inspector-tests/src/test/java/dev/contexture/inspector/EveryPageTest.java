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
import org.junit.jupiter.api.Test;
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

  /** Texts, titles and labels of the page with a character that hides or turns what follows. */
  private static final String UNSEEN =
      """
      (() => {
        const strange = /[\\u0000-\\u0008\\u000b-\\u001f\\u202a-\\u202e\\u2066-\\u2069]/;
        const shown = [...document.querySelectorAll('body *')].flatMap(one => [
          ...(one.matches('textarea, script') ? [] : [...one.childNodes]
            .filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.data)),
          one.getAttribute('title'), one.getAttribute('aria-label')]);
        return [document.title, ...shown].filter(words => words && strange.test(words))
          .map(words => words.slice(0, 80));
      })()
      """;

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
        "#/",
        "#/users/mallory/conversations/c1",
        "#/users/mallory/conversations/c1/requests/newest",
        "#/agents",
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
    assertThat((List<?>) page.evaluate(UNSEEN)).as("texts with characters that hide").isEmpty();
  }

  @Test
  void titlesAndRefusalsNameThemToo() {
    fill();
    visit("#/users/mallory/conversations/c1");
    assertThat(page.locator("h1")).containsText("RLO");
    assertThat(page.title()).contains("[RLO]");
    visit("#/users/mallory/conversations/c1/requests?what_if=\u202enever");
    assertThat(page.locator(".toast.bad")).containsText("RLO");
    assertThat((List<?>) page.evaluate(UNSEEN)).isEmpty();
    expectComplaint("400");
  }

  @Test
  void whatIsWrittenFromRightToLeftIsShownSo() {
    String talk = "/v1/users/noa/conversations/c1";
    String hebrew = "\u05d4\u05d0\u05d5\u05d4\u05dc \u05de\u05d0\u05d7\u05e8";
    send("POST", talk + "/turns", "{\"turn_id\":\"t1\",\"prompt\":\"" + hebrew + "\"}");
    send("PATCH", talk, "{\"title\":\"" + hebrew + "\"}");
    visit("#/users/noa/conversations/c1");
    assertThat(direction(".block.user-prompt .content")).isEqualTo("rtl");
    assertThat(direction("h1")).isEqualTo("rtl");
    assertThat(direction(".block.user-prompt header")).isEqualTo("ltr");
  }

  private Object direction(String selector) {
    return page.locator(selector).evaluate("there => getComputedStyle(there).direction");
  }

  @Test
  void lightAndDarkAreChosenByClick() {
    visit("#/health");
    Object light = page.evaluate("getComputedStyle(document.body).backgroundColor");
    page.getByLabel("Light or dark").click();
    assertThat(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        .isNotEqualTo(light);
    accessible();
    page.getByLabel("Light or dark").click();
    assertThat(page.evaluate("getComputedStyle(document.body).backgroundColor")).isEqualTo(light);
  }

  @Test
  void thePageOfTheApiIsForEverybody() {
    page.navigate(address() + "/api");
    assertThat(page.locator("h1").first()).isVisible();
    accessible();
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    accessible();
  }
}
