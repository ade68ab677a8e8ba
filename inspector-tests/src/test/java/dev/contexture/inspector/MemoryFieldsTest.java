package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each kind of field has its editor; what waits may be denied; many agents may share a block. */
class MemoryFieldsTest extends BrowserTest {
  private static final String MIRA = "/v1/agents/mira";
  private static final int AGENTS = 60;

  private Locator panel(String name) {
    return page.locator("[aria-label='" + name + "']");
  }

  private Locator button(String name) {
    return page.locator(
        "main button", new Page.LocatorOptions().setHasText(Pattern.compile("^" + name)));
  }

  private void block(String label, String members) {
    send(
        "POST",
        MIRA + "/blocks",
        "{\"label\":\"" + label + "\",\"block_type\":\"working\"," + members + "}");
  }

  private static String field(String name, String type) {
    return "{\"name\":\"" + name + "\",\"type\":\"" + type + "\"}";
  }

  private Locator named(String name) {
    return page.locator("main [aria-label='" + name + "']");
  }

  @Test
  void numbersTimesAndTruthsAreFieldsOfTheirOwn() {
    block(
        "trip",
        "\"schema\":{\"kind\":\"map\",\"fields\":["
            + String.join(
                ",",
                field("booked", "boolean"),
                field("weight", "number"),
                field("leaves", "timestamp"))
            + "]},\"content\":{\"booked\":false,\"weight\":8}");
    visit("#/agents/mira/blocks/trip");
    page.locator("label.field select").selectOption("true");
    named("weight").fill("heavy");
    named("leaves").fill("2026-03-14T08:00:00Z");
    button("Save 3 changes").click();
    assertThat(page.locator(".toast.bad")).containsText("weight takes a number, not “heavy”");
    named("weight").fill("9.5");
    button("Save 3 changes").click();
    Locator read = panel("What the model reads");
    assertThat(read).containsText("booked: true");
    assertThat(read).containsText("weight: 9.5");
    assertThat(read).containsText("2026-03-14T08:00:00Z");
    named("leaves").fill("soon");
    button("Save 1 change").click();
    assertThat(page.locator(".toast.bad").last()).containsText("ISO-8601");
    expectComplaint("400");
    button("Discard").click();
    button("Clear").first().click();
    assertThat(read).not().containsText("booked");
  }

  @Test
  void itemsThatAreNoTextStayJson() {
    block("sizes", "\"schema\":{\"kind\":\"list\"},\"content\":[{\"a\":1},\"small\"]");
    visit("#/agents/mira/blocks/sizes");
    named("Item 1").fill("{\"a\":");
    button("Save 1 change").click();
    assertThat(page.locator(".toast.bad")).containsText("this has to stay JSON");
    named("Item 1").fill("{\"a\":2}");
    button("Save 1 change").click();
    assertThat(panel("What the model reads")).containsText("a: 2");
  }

  @Test
  void aLogInsideOfSectionsTakesEntries() {
    block(
        "case",
        "\"schema\":{\"kind\":\"composite\",\"sections\":[{\"name\":\"events\",\"schema\":{"
            + "\"kind\":\"log\",\"display_limit\":6,\"entry_schema\":{\"fields\":["
            + field("what", "text")
            + "]}}},{\"name\":\"notes\",\"schema\":{\"kind\":\"text\"}}]}");
    visit("#/agents/mira/blocks/case");
    page.locator("fieldset [name=what]").fill("Called the shop");
    page.keyboard().press("Enter");
    assertThat(panel("What the model reads")).containsText("Called the shop");
    assertThat(page.locator("fieldset").first()).containsText("1 entry; a log only grows");
  }

  @Test
  void whatWaitsIsDenied() {
    send("PUT", MIRA, "{\"name\":\"Mira\",\"description\":\"Support\",\"partner\":\"human:pat\"}");
    block("oath", "\"content\":\"none\",\"permission\":\"human\"");
    visit("#/agents/mira");
    CompletableFuture<Integer> written =
        CompletableFuture.supplyAsync(
            () ->
                status(
                    "POST",
                    MIRA + "/blocks/oath/ops",
                    "{\"ops\":[{\"op\":\"set_text\",\"text\":\"a free tent\"}]}"));
    assertThat(panel("Waiting for a person")).containsText("a free tent");
    button("Deny").click();
    assertThat(page.locator(".toast")).containsText("Denied.");
    assertThat(panel("Waiting for a person")).hasCount(0);
    org.assertj.core.api.Assertions.assertThat(written.join()).isEqualTo(403);
    assertThat(panel("Blocks")).not().containsText("a free tent");
  }

  @Test
  void sharesWithTheLastOfManyAgentsAreShown() {
    for (int i = 0; i < AGENTS; i++) {
      send("PUT", "/v1/agents/agent" + (100 + i), "{}");
    }
    block("map", "\"content\":\"over the pass\"");
    String last = "agent" + (100 + AGENTS - 1);
    send(
        "POST",
        MIRA + "/blocks/map/shares",
        "{\"agent\":\"" + last + "\",\"permission\":\"append\"}");
    visit("#/agents/mira/blocks/map");
    assertThat(panel("Shares").locator("li")).containsText(last);
    assertThat(panel("Shares").locator("li")).containsText("append");
    visit("#/agents/" + last + "/blocks/map?owner=mira");
    assertThat(panel("Shares")).containsText("Shared by mira");
    assertThat(button("Share")).hasCount(0);
  }
}
