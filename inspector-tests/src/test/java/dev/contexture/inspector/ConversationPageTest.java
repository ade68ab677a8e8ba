package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A conversation, its requests, and what may be done to it. */
class ConversationPageTest extends BrowserTest {
  private static final String TENT = "#/users/hanna/conversations/late-tent";

  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  private Locator button(String name) {
    return page.locator(
        "button", new Page.LocatorOptions().setHasText(Pattern.compile("^" + name)));
  }

  @Test
  void showsTheBudgetBySectionAndTheTimeline() {
    newPage(new Browser.NewContextOptions().setViewportSize(1280, 1104));
    visit(TENT);
    assertThat(page.locator("[aria-label=Budget]")).containsText("Startup tax");
    assertThat(page.locator("[aria-label=Budget]")).containsText("memory");
    assertThat(text("My order NK-20418 should have come on Friday")).isVisible();
    assertThat(page.locator(".block.summary")).isVisible();
    assertThat(page.locator(".block.covered")).hasCount(0);
    accessible();
    assertThat(page.locator(".point").first()).isAttached();
    shot("conversation");
    text("Show 45 blocks").click();
    assertThat(page.locator(".block.covered").first()).containsText("in a summary");
    accessible();
    text("Hide them").click();
    assertThat(page.locator(".block.covered")).hasCount(0);
  }

  @Test
  void theSectionsOfTheBudgetAreTheWholeLimit() {
    visit(TENT);
    Locator legend = page.locator("[aria-label=Budget] .legend li");
    assertThat(legend).hasCount(8);
    assertThat(legend.nth(5)).containsText("current turn ≈"); // an estimate
    long sum =
        page.locator("[aria-label=Budget] .legend b").allTextContents().stream()
            .mapToLong(words -> Long.parseLong(words.replace(",", "")))
            .sum();
    org.assertj.core.api.Assertions.assertThat(sum).isEqualTo(8_000);
    assertThat(page.locator("[aria-label=Budget] h2")).containsText("of 8,000 (42 %)");
    assertThat(page.locator("[aria-label=Budget] .zoom")).hasCount(0);
  }

  @Test
  void marksStandWhereTheLastRequestHadThem() {
    visit(TENT);
    assertThat(page.locator(".point")).hasCount(3);
    assertThat(page.locator("[aria-label=Budget]"))
        .containsText("Cache marks: behind the instructions and memory, and below");
    assertThat(page.locator(".block.react-tool-result:has(+ .point)"))
        .containsText("not_delivered");
    assertThat(page.locator(".block.user-prompt:has(+ .point)")).containsText("Got those too");
    Locator summary = page.locator(".block.summary header .n");
    assertThat(summary).hasText(page.locator(".legend li:nth-child(4) b").textContent() + " tok");
    assertThat(page.locator("section[aria-label^=Turn]").first())
        .containsText("its beginning is in the summary");
    page.locator(".block.summary a.path").click();
    assertThat(page.locator(".block.summary.marked")).isVisible();
  }

  @Test
  void aBlockIsHiddenAndShownAgainByClick() {
    send("POST", "/v1/users/rut/conversations/c1/turns", "{\"turn_id\":\"t1\",\"prompt\":\"One\"}");
    visit("#/users/rut/conversations/c1");
    button("Hide").click();
    assertThat(page.locator(".block.user-prompt.hidden")).containsText("In its place");
    button("Unhide").click();
    assertThat(page.locator(".block.user-prompt.hidden")).hasCount(0);
  }

  @Test
  void whatBudgetsShortenIsTold() {
    String talk = "/v1/users/gro/conversations/c1";
    send("POST", talk + "/turns", "{\"turn_id\":\"t1\",\"prompt\":\"look it up\"}");
    String call =
        "{\"type\":\"react.tool.%s\",\"author\":\"react\",\"tool_call_id\":\"tc_1\","
            + "\"path\":\"tc:t1.tc_1.%s\",\"text\":%s}";
    send(
        "POST",
        talk + "/blocks",
        "{\"blocks\":["
            + call.formatted("call", "call", "\"{\\\"tool_id\\\":\\\"run\\\",\\\"params\\\":{}}\"")
            + ","
            + call.formatted("result", "result", "\"" + "far away ".repeat(5_000) + "\"")
            + "]}");
    send("POST", talk + "/render", "{\"max_tokens\":4000}");
    visit("#/users/gro/conversations/c1");
    assertThat(page.locator(".block.react-tool-result"))
        .containsText("shortened up to 4,000 tokens");
    assertThat(page.locator(".block.react-tool-result .badge"))
        .hasAttribute("title", Pattern.compile("^requests of at most 4,000 tokens .oversize"));
  }

  @Test
  void aCompactionIsShownBeforeItHappens() {
    send("POST", "/v1/users/eva/conversations/c1/import", LONG);
    visit("#/users/eva/conversations/c1");
    button("Preview a compaction").click();
    assertThat(page.locator(".plan")).containsText("A compaction would");
    shot("compaction-preview");
    button("Close").click();
    assertThat(page.locator(".plan")).hasCount(0);
  }

  private static final String LONG =
      "{\"format\":\"openai\",\"messages\":[{\"role\":\"user\",\"content\":\"One\"},{\"role\":"
          + "\"assistant\",\"content\":\"First\"},{\"role\":\"user\",\"content\":\"Two\"},"
          + "{\"role\":\"assistant\",\"content\":\"Second\"}]}";

  @Test
  void whatOthersWroteStaysText() {
    String evil = "<img src=x onerror=alert(1)><script>alert(2)</script> a\\u202eb \\u001b[31m";
    send(
        "POST",
        "/v1/users/mallory/conversations/c1/turns",
        "{\"turn_id\":\"t1\",\"prompt\":\"" + evil + "\"}");
    visit("#/users/mallory/conversations/c1");
    assertThat(page.locator(".block.user-prompt")).containsText("<script>alert(2)</script>");
    assertThat(page.locator(".strange").first()).hasText("RLO");
    assertThat(page.locator(".block img, .block script")).hasCount(0);
    send(
        "POST",
        "/v1/users/mallory/conversations/c1/blocks",
        "{\"blocks\":[{\"type\":\"react.notes\",\"text\":\"appears while one looks\"}]}");
    assertThat(text("appears while one looks")).isVisible();
    button("Pin").first().click();
    assertThat(page.locator(".block.user-prompt")).containsText("pinned");
  }

  @Test
  void requestsShowWhatTheCacheDidAndWhatChangedBetweenThem() {
    visit(TENT + "/requests");
    assertThat(page.locator(".chart")).isVisible();
    assertThat(page.locator(".calls tbody tr")).hasCount(17);
    shot("requests");
    accessible();
    page.locator(".calls a").nth(2).click();
    assertThat(page.locator("[aria-label='Difference to the request before']"))
        .containsText("unchanged (");
    page.locator("[data-filter]").fill("snow pegs");
    assertThat(page.locator("[aria-label=Body] details").first()).containsText("snow pegs");
    shot("request");
    accessible();
  }

  @Test
  void aRequestThatIsBuiltAppearsWhileOneLooks() {
    String talk = "/v1/users/live/conversations/c1";
    send("POST", talk + "/turns", "{\"turn_id\":\"t1\",\"prompt\":\"One\"}");
    String ask = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}";
    send("POST", talk + "/request", ask);
    visit("#/users/live/conversations/c1/requests");
    assertThat(page.locator(".calls tbody tr")).hasCount(1);
    send("POST", talk + "/blocks", "{\"blocks\":[{\"type\":\"react.notes\",\"text\":\"hm\"}]}");
    send("POST", talk + "/request", ask);
    assertThat(page.locator(".calls tbody tr")).hasCount(2);
  }

  @Test
  void roundsOfATurnAreTold() {
    visit(TENT + "?all=1");
    Locator turn = page.locator("section[aria-label='Turn t1_where_is_it']").first();
    assertThat(turn.locator(".round").first()).containsText("Rounds 1–2, asked for together");
    assertThat(turn.locator(".round").first()).containsText("get_order, get_customer");
    assertThat(turn.locator(".round").nth(1)).containsText("Round 3 track_shipment");
    visit(TENT);
    assertThat(page.locator(".round").nth(1)).containsText("Final round");
  }

  @Test
  void aNewBeginningOfThePrefixIsExplained() {
    visit(TENT + "/requests");
    Locator calls = page.locator(".calls tbody tr");
    assertThat(calls.first()).containsText("rebased: cold cache");
    assertThat(calls.nth(4)).containsText("rebased: compaction");
    assertThat(page.locator(".chart .mark.cut")).hasCount(1);
    assertThat(page.locator("[aria-label='Over time'] h2")).containsText("predicted, for 1 call");
    visit(TENT + "/requests/newest");
    assertThat(page.locator("[aria-label='Difference to the request before']"))
        .containsText("the last call was longer ago than the cache lives");
  }
}
