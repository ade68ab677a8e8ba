package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The filters of the search, and more hits. */
class SearchPageTest extends BrowserTest {
  private static final int MENTIONS = 25;

  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  private void choose(String name, String value) {
    page.locator("[name=" + name + "]").fill(value);
    page.keyboard().press("Tab");
  }

  private Locator hits() {
    return page.locator("article.hit");
  }

  @Test
  void daysAreWholeAndTheLastOneIsIncluded() {
    visit("#/search?q=refund&types=messages");
    hits().first().waitFor();
    choose("from", "2026-03-03");
    assertThat(page.locator("[role=alert]")).hasCount(0);
    assertThat(page.locator("article.hit time").first())
        .hasAttribute("datetime", Pattern.compile("^2026-03-03"));
    choose("to", "2026-03-03");
    assertThat(hits().first()).isVisible(); // the turn of that day at 10:26 is in it
    choose("from", "2026-03-02");
    choose("to", "2026-03-02");
    assertThat(page.locator("article.hit time").first())
        .hasAttribute("datetime", Pattern.compile("^2026-03-02"));
    visit("#/search?q=refund&types=messages&to=2026-03-02");
    assertThat(page.locator("[name=to]")).hasValue("2026-03-02");
    assertThat(hits().first()).isVisible();
    choose("to", "2026-03-01");
    assertThat(text("Nothing matches")).isVisible();
  }

  @Test
  void usersAgentsAndConversationsNarrowIt() {
    String prompt = "{\"turn_id\":\"t1\",\"prompt\":\"a heron and a marmot\"}";
    send("POST", "/v1/users/ann/conversations/lake/turns", prompt);
    send("POST", "/v1/users/ann/conversations/hill/turns", prompt);
    send("POST", "/v1/users/ben/conversations/lake/turns", prompt);
    String entry = "{\"content\":\"a heron was seen\"}";
    send("POST", "/v1/agents/mira/archival", entry);
    send("POST", "/v1/agents/otto/archival", entry);
    visit("#/search?q=heron");
    assertThat(hits()).hasCount(5);
    choose("user", "ann");
    assertThat(page.locator(".of-message")).hasCount(2);
    choose("conversation", "lake");
    assertThat(page.locator(".of-message")).hasCount(1);
    assertThat(page.locator(".of-message")).containsText("ann › lake");
    choose("user", "");
    choose("conversation", "");
    choose("agent", "otto");
    assertThat(hits()).hasCount(1);
    assertThat(hits()).containsText("otto");
  }

  @Test
  void moreHitsAreOneClickAway() {
    for (int i = 1; i <= MENTIONS; i++) {
      send("POST", "/v1/agents/otto/archival", "{\"content\":\"walrus number " + i + "\"}");
    }
    visit("#/search?q=walrus");
    assertThat(hits()).hasCount(20);
    page.locator("button", new Page.LocatorOptions().setHasText("More hits")).click();
    assertThat(hits()).hasCount(MENTIONS);
    assertThat(text("More hits")).hasCount(0);
  }
}
