package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A conversation, its requests, events and health, without a pointer. */
class KeyboardTest extends BrowserTest {
  private static final String TENT = "#/users/hanna/conversations/late-tent";

  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  @Test
  void aConversationIsCompactedPinnedAndHidden() {
    send("POST", "/v1/users/eva/conversations/c1/turns", "{\"turn_id\":\"t1\",\"prompt\":\"One\"}");
    visit("#/users/eva/conversations/c1");
    pressButton("Preview a compaction");
    assertThat(page.locator(".plan")).containsText("A compaction would");
    pressButton("Close");
    assertThat(page.locator(".plan")).hasCount(0);
    pressButton("Pin");
    assertThat(page.locator(".block.user-prompt")).containsText("pinned");
    pressButton("Unpin");
    assertThat(page.locator(".block.user-prompt")).not().containsText("pinned");
    pressButton("Hide");
    assertThat(page.locator(".block.user-prompt.hidden")).hasCount(1);
    assertThat(page.locator("button:focus")).hasText("Unhide");
    page.keyboard().press("Enter");
    assertThat(page.locator(".block.user-prompt.hidden")).hasCount(0);
    assertThat(page.locator("button:focus")).hasText("Hide");
  }

  @Test
  void aRequestIsOpenedAndSearched() {
    visit(TENT);
    tabTo(".tabs a[href$=requests]");
    page.keyboard().press("Enter");
    assertThat(page.locator(".calls tbody tr")).hasCount(17);
    page.keyboard().press("j");
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).containsText("Request of");
    page.keyboard().press("/");
    page.keyboard().type("snow pegs");
    assertThat(page.locator("[aria-label=Body] details").first()).containsText("snow pegs");
    tabTo("[aria-label=Body] details[open] summary, [aria-label=Body] summary");
    page.keyboard().press("Enter");
    assertThat(page.locator("[aria-label=Body]")).isVisible();
  }

  @Test
  void theOtherPagesAreReachedByTheirKeys() {
    visit("");
    for (String there : List.of("m Memory", "s Search", "e Events", "h Health")) {
      page.keyboard().press("Escape"); // leaves the field that has the focus
      page.keyboard().press("g");
      page.keyboard().press(there.substring(0, 1));
      assertThat(page.locator("h1")).hasText(there.substring(2));
      assertThat(page.locator("main[aria-busy=false]")).hasCount(1);
    }
    page.keyboard().press("/");
    page.keyboard().type("index");
    assertThat(page.locator("[data-filter]")).hasValue("index");
  }

  @Test
  void aSearchIsNarrowedAndItsHitOpened() {
    visit("#/search?q=NK-20418");
    page.locator("article.hit").first().waitFor();
    tabTo("form select");
    page.keyboard().press("f");
    assertThat(page.locator(".badge", new Page.LocatorOptions().setHasText("fts"))).isVisible();
    tabTo("form label:nth-of-type(3) input"); // blocks
    page.keyboard().press("Space");
    assertThat(page.locator("article.of-block")).hasCount(0);
    tabTo("[name=roles]");
    page.keyboard().type("user");
    page.keyboard().press("Tab");
    assertThat(page.locator("article.hit")).hasCount(1);
    assertThat(page.locator("article.hit mark").first()).containsText("NK");
    tabTo("article.hit [data-item]");
    page.keyboard().press("Enter");
    assertThat(page.locator(".block.marked").first()).isVisible();
  }

  @Test
  void eventsAreHeldFilteredAndOpened() {
    visit("#/events");
    assertThat(page.locator(".live.live")).hasText("live");
    String talk = "/v1/users/nils/conversations/";
    send("POST", talk + "c1/turns", "{\"prompt\":\"hello\"}");
    assertThat(page.locator("tbody tr").first()).containsText("nils › c1");
    pressButton("Pause");
    assertThat(page.locator("button:focus")).hasText("Continue");
    page.keyboard().press("Enter");
    send("POST", talk + "c2/turns", "{\"prompt\":\"hello\"}");
    assertThat(page.locator("tbody tr").first()).containsText("nils › c2");
    page.keyboard().press("/");
    page.keyboard().type("c1");
    page.keyboard().press("Tab");
    assertThat(page.locator("tbody tr").first()).containsText("nils › c1");
    tabTo("tbody [data-item]");
    page.keyboard().press("Enter");
    assertThat(page.locator(".block.user-prompt")).containsText("hello");
  }

  @Test
  void theIndexIsBuiltAnew() {
    visit("#/health");
    pressButton("Build the search index anew");
    assertThat(page.locator(".toast")).containsText("The index is built anew");
    assertThat(page.locator("[aria-label=State]")).containsText("search is by words");
  }
}
