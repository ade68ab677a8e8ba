package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The start page and the frame around every page. */
class StartPageTest extends BrowserTest {
  private static final String TITLE = "A tent that is late, and a trip that is not";

  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  @Test
  void showsWhoTalksWithWhichAgentHowLargeItIsAndWhatItCost() {
    visit("");
    assertThat(
            page.locator(
                "tr", new com.microsoft.playwright.Page.LocatorOptions().setHasText(TITLE)))
        .containsText("$0.15");
    assertThat(page.locator("aside")).containsText("hanna");
    assertThat(page.locator("aside")).containsText("Runs the warehouse");
    accessible();
    shot("start");
  }

  @Test
  void everyFilterIsAUrl() {
    visit("#/?q=tent");
    assertThat(text(TITLE)).isVisible();
    assertThat(page.locator("[data-filter]")).hasValue("tent");
    page.locator("[data-filter]").fill("nothing like it");
    assertThat(text("No conversation has")).isVisible();
    assertThat(page.url()).endsWith("#/?q=nothing+like+it");
    visit("#/?agent=otto");
    assertThat(text("No conversation of otto")).isVisible();
  }

  @Test
  void aConversationThatBeginsAppearsWhileOneLooks() {
    visit("");
    assertThat(page.locator(".live.live")).hasText("live");
    send("POST", "/v1/users/lars/conversations/new-one/turns", "{\"prompt\":\"hello\"}");
    assertThat(page.locator("tr.fresh")).containsText("new-one");
    send("PATCH", "/v1/users/lars/conversations/new-one", "{\"title\":\"<b>Fresh</b>\"}");
    assertThat(page.locator("tr.fresh")).containsText("<b>Fresh</b>");
    send("DELETE", "/v1/users/lars", "");
  }

  @Test
  void whatAConversationCostAndItsAgentAreKeptUpToDate() {
    String talk = "/v1/users/tor/conversations/c1";
    visit("");
    assertThat(page.locator(".live.live")).hasText("live");
    send("PUT", "/v1/agents/runa", "{}"); // seen with the next event
    send("POST", talk + "/turns", "{\"turn_id\":\"t1\",\"prompt\":\"hello\",\"agent\":\"runa\"}");
    Locator row = page.locator("tr.fresh");
    assertThat(row.locator("[data-name=cost]")).not().containsText("$0.1");
    String ask = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"runa\"}";
    send("POST", talk + "/request", ask);
    assertThat(row.locator("[data-name=calls]")).hasText("1");
    send(
        "POST",
        talk + "/responses",
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"response\":{\"id\":\"m1\","
            + "\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\",\"content\":[{"
            + "\"type\":\"text\",\"text\":\"hi\"}],\"stop_reason\":\"end_turn\",\"usage\":{"
            + "\"input_tokens\":20000,\"output_tokens\":1000}}}");
    assertThat(row.locator("[data-name=cost]")).containsText("$0.1");
    Locator agents = page.locator("aside li", new Page.LocatorOptions().setHasText("runa"));
    assertThat(agents).containsText("1 conversation, ");
    assertThat(agents).containsText("$0.1");
    assertThat(page.locator("aside li", new Page.LocatorOptions().setHasText("tor")).first())
        .containsText("$0.1");
    send("DELETE", "/v1/users/tor", "");
  }

  @Test
  void theKeyboardReachesEverything() {
    visit("");
    assertThat(text(TITLE)).isVisible();
    page.keyboard().press("/");
    page.keyboard().type("tent");
    assertThat(page.locator("[data-filter]")).hasValue("tent");
    page.keyboard().press("Tab");
    page.keyboard().press("?");
    assertThat(page.locator("#help")).containsText("to Conversations");
    page.keyboard().press("Escape");
    page.keyboard().press("j");
    assertThat(page.locator("[data-item]:focus")).hasCount(1);
    page.keyboard().press("k");
    page.keyboard().press("Enter");
    assertThat(page.locator(".chip")).containsText("otto");
  }

  @Test
  void theTwinOfThePageIsItsData() {
    visit("#/?user=hanna");
    page.getByText("JSON").click();
    assertThat(page.locator("body")).containsText("\"conversation_id\":\"late-tent\"");
  }

  @Test
  void anAddressThatNobodyKnowsIsToldInWords() {
    visit("#/nowhere");
    assertThat(text("there is no page '/nowhere'")).isVisible();
  }

  @Test
  void isReadableInTheDarkAndOnAPhone() {
    newPage(
        new Browser.NewContextOptions().setViewportSize(390, 800).setColorScheme(ColorScheme.DARK));
    visit("");
    assertThat(text(TITLE)).isVisible();
    accessible();
    assertThat((Integer) page.evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
    shot("start-phone-dark");
  }
}
