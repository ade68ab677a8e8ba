package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Search, events and health. */
class OtherPagesTest extends BrowserTest {
  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  @Test
  void searchShowsWhyEachHitMatchesAndLeadsThere() {
    visit("");
    page.keyboard().press("g");
    page.keyboard().press("s");
    assertThat(page.locator("[data-filter]")).isFocused();
    page.keyboard().type("sleeping bags unrolled");
    assertThat(page.locator("article.hit").first()).containsText("count as unused");
    assertThat(page.locator("article.hit .why").first()).containsText("BM25");
    assertThat(page.locator("article.hit .why").first()).containsText("unrolled");
    accessible();
    shot("search");
    page.locator("label", new Page.LocatorOptions().setHasText("archival")).click();
    assertThat(page.locator("article.of-archival")).hasCount(0);
    assertThat(page.url()).contains("types=messages%2Cblocks");
    visit("#/search?q=NK-20418&types=messages");
    page.locator("article.hit [data-item]").first().click();
    assertThat(page.locator(".block.marked").first()).isVisible();
  }

  @Test
  void searchForgivesTyposAndSaysSo() {
    visit("#/search?q=Jotunheimem");
    assertThat(text("spelled alike")).isVisible();
    assertThat(page.locator("article.hit").first()).containsText("Jotunheimen");
    visit("#/search?q=zzzqqq");
    assertThat(text("Nothing matches")).isVisible();
  }

  @Test
  void eventsComeWhileOneLooks() {
    visit("#/events");
    assertThat(page.locator(".live.live")).hasText("live");
    send("POST", "/v1/users/nora/conversations/c7/turns", "{\"prompt\":\"hello\"}");
    assertThat(page.locator("tbody tr").first()).containsText("nora › c7");
    accessible();
    shot("events");
    visit("#/events?agent=mira");
    assertThat(page.locator(".live.live")).hasText("live");
    send(
        "POST",
        "/v1/agents/mira/blocks",
        "{\"label\":\"fresh\",\"block_type\":\"working\",\"content\":\"x\",\"user\":\"nora\"}");
    assertThat(page.locator("tbody tr").first()).containsText("mira › fresh");
    assertThat(page.locator("tbody tr").first()).containsText("for nora");
  }

  @Test
  void conversationsAndMemoryAreFollowedTogetherAndChosenByClick() {
    visit("#/events");
    assertThat(page.locator(".live.live")).hasText("live");
    String block = "{\"label\":\"%s\",\"block_type\":\"working\",\"content\":\"x\"}";
    send("POST", "/v1/agents/otto/blocks", block.formatted("shelf"));
    assertThat(page.locator("tbody tr").first()).containsText("otto › shelf");
    send("POST", "/v1/users/siv/conversations/c1/turns", "{\"prompt\":\"hello\"}");
    assertThat(page.locator("tbody tr").first()).containsText("siv › c1");
    page.locator("[name=kind]").selectOption("created");
    assertThat(page.locator("tbody tr").first()).containsText("otto › shelf");
    assertThat(page.locator("tbody")).not().containsText("siv › c1");
    page.locator("[name=kind]").selectOption("");
    page.locator("[name=of]").selectOption("conversations");
    assertThat(page.locator(".live.live")).hasText("live");
    send("POST", "/v1/agents/otto/blocks", block.formatted("desk"));
    send("POST", "/v1/users/siv/conversations/c2/turns", "{\"prompt\":\"hello\"}");
    assertThat(page.locator("tbody tr").first()).containsText("siv › c2");
    assertThat(page.locator("tbody")).not().containsText("desk");
    page.locator("[name=of]").selectOption("memory:otto");
    assertThat(page.locator(".live.live")).hasText("live");
    assertThat(page.locator("[name=of]")).hasValue("memory:otto");
    send("POST", "/v1/agents/otto/blocks", block.formatted("lamp"));
    assertThat(page.locator("tbody tr").first()).containsText("otto › lamp");
    page.locator("button", new Page.LocatorOptions().setHasText("Pause")).click();
    assertThat(text("Continue")).isVisible();
  }

  @Test
  void healthSaysHowTheServerIs() {
    visit("#/health");
    assertThat(page.locator(".badge.good").first()).hasText("ok");
    assertThat(text("takes requests")).isVisible();
    assertThat(page.locator("[aria-label=State]")).containsText("index lag");
    page.locator("[data-filter]").fill("http");
    accessible();
    shot("health");
  }
}
