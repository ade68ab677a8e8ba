package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What agents remember: seen, filtered by user, edited, refused, and merged. */
class MemoryPageTest extends BrowserTest {
  private static final String MIRA = "/v1/agents/mira";

  /** Lets the page hear of a deletion by its events long before the answer is there. */
  private static final String SLOW_DELETE =
      """
      () => {
        const send = window.fetch;
        window.fetch = async (path, options) => {
          const answer = await send(path, options);
          if (options?.method === 'DELETE') await new Promise(done => setTimeout(done, 700));
          return answer;
        };
      }
      """;

  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  private Locator button(String name) {
    return page.locator(
        "button", new Page.LocatorOptions().setHasText(Pattern.compile("^" + name)));
  }

  private Locator panel(String name) {
    return page.locator("[aria-label='" + name + "']");
  }

  /** A block of an agent that only one test uses. */
  private void block(String label, String members) {
    send(
        "POST",
        MIRA + "/blocks",
        "{\"label\":\"" + label + "\",\"block_type\":\"working\"," + members + "}");
  }

  private void edit(String label, String op) {
    send("POST", MIRA + "/blocks/" + label + "/ops", "{\"ops\":[" + op + "]}");
  }

  @Test
  void showsBlocksAndEntriesOfTheUserThatIsAskedFor() {
    block("tastes", "\"content\":\"no nuts for Ada\",\"user\":\"ada\"");
    block("hobby", "\"content\":\"Ben climbs\",\"user\":\"ben\"");
    send("POST", MIRA + "/archival", "{\"content\":\"Ada moved to Oslo\",\"user\":\"ada\"}");
    visit("#/agents");
    page.locator("a", new Page.LocatorOptions().setHasText("Mira")).click();
    Locator blocks = panel("Blocks");
    assertThat(blocks).containsText("persona");
    assertThat(blocks).containsText("Hanna Lie");
    assertThat(blocks).containsText("Nordpost lost a sorting centre");
    assertThat(blocks).not().containsText("no nuts for Ada");
    accessible();
    shot("memory");
    page.locator("aside a", new Page.LocatorOptions().setHasText("ada")).click();
    assertThat(blocks).containsText("no nuts for Ada");
    assertThat(blocks).containsText("Ada moved to Oslo");
    assertThat(blocks).containsText("Hanna Lie");
    assertThat(blocks).not().containsText("Ben climbs");
    assertThat(page.locator(".badge", new Page.LocatorOptions().setHasText("for ada")).first())
        .isVisible();
    assertThat(page.url()).endsWith("#/agents/mira?user=ada");
    page.locator("aside a", new Page.LocatorOptions().setHasText("Everything")).click();
    assertThat(blocks).containsText("no nuts for Ada");
    assertThat(blocks).containsText("Ben climbs");
    page.locator("[data-filter]").fill("climbs");
    assertThat(blocks).not().containsText("no nuts for Ada");
    visit("#/agents/mira/blocks/tastes?user=ada");
    assertThat(panel("What the model reads")).containsText("no nuts for Ada");
  }

  @Test
  void editsFieldsBySchemaKeepsWhyAndGoesBack() {
    block(
        "guest",
        "\"schema\":{\"kind\":\"map\",\"fields\":[{\"name\":\"name\",\"type\":\"text\"},"
            + "{\"name\":\"visits\",\"type\":\"counter\"},{\"name\":\"likes\",\"type\":\"list\"}]},"
            + "\"content\":{\"name\":\"Kim\",\"visits\":2,\"likes\":[\"tea\"]}");
    visit("#/agents/mira/blocks/guest");
    page.getByLabel("name", new Page.GetByLabelOptions().setExact(true)).fill("Kim Lund");
    page.getByLabel("visits", new Page.GetByLabelOptions().setExact(true)).fill("3");
    page.getByLabel("Why").fill("said so on the phone");
    button("Save 2 changes").click();
    assertThat(panel("What the model reads")).containsText("name: Kim Lund");
    assertThat(panel("What the model reads")).containsText("visits: 3");
    assertThat(panel("History")).containsText("said so on the phone");
    assertThat(panel("History")).containsText("human:inspector");
    page.getByLabel("Add to likes").fill("rye bread");
    page.keyboard().press("Enter");
    assertThat(panel("What the model reads")).containsText("rye bread");
    panel("History")
        .locator("a", new Locator.LocatorOptions().setHasText(Pattern.compile("^1$")))
        .click();
    assertThat(panel("Version 1")).containsText("Kim");
    panel("History")
        .locator("a", new Locator.LocatorOptions().setHasText(Pattern.compile("^2$")))
        .click();
    assertThat(panel("Version 2").locator(".diff .come").first()).containsText("Kim Lund");
    accessible();
    shot("memory-block");
    button("Restore version 2").click();
    assertThat(panel("What the model reads")).not().containsText("rye bread");
    button("Undo").click();
    assertThat(panel("What the model reads")).containsText("rye bread");
    button("Redo").click();
    assertThat(panel("What the model reads")).not().containsText("rye bread");
  }

  @Test
  void tellsWhyAnEditIsRefused() {
    visit("#/agents/mira/blocks/persona");
    assertThat(panel("Edit")).containsText("agents and people read it; only the host writes");
    page.getByLabel("Text", new Page.GetByLabelOptions().setExact(true)).fill("I obey everybody.");
    button("Save 1 change").click();
    assertThat(page.locator(".toast.bad")).containsText("permission is ReadOnly");
    assertThat(panel("What the model reads")).not().containsText("I obey everybody.");
    expectComplaint("403");
  }

  @Test
  void twoWhoEditTheSameAreToldAndDecide() {
    block(
        "rules",
        "\"schema\":{\"kind\":\"list\"},\"content\":[\"be brief\",\"be kind\",\"be exact\"]");
    visit("#/agents/mira/blocks/rules");
    assertThat(page.locator(".live.live")).hasText("live");
    page.getByLabel("Item 1", new Page.GetByLabelOptions().setExact(true)).fill("be very brief");
    page.getByLabel("Item 3", new Page.GetByLabelOptions().setExact(true)).fill("be precise");
    edit("rules", "{\"op\":\"set_item\",\"index\":0,\"value\":\"be short\"}");
    assertThat(panel("Edit")).containsText("came while you were editing");
    assertThat(panel("Edit")).containsText("be short");
    assertThat(panel("Edit")).containsText("Saving leaves it as it is, and asks you");
    shot("memory-conflict");
    button("Save 2 changes").click();
    assertThat(panel("Edit")).containsText("Not written (item_changed)");
    assertThat(panel("What the model reads")).containsText("be short");
    assertThat(panel("What the model reads")).containsText("be precise");
    button("Write mine").click();
    assertThat(panel("What the model reads")).containsText("be very brief");
    assertThat(panel("What the model reads")).not().containsText("be short");
  }

  @Test
  void whatOthersWriteAppearsAndTheirTextIsMerged() {
    block("diary", "\"content\":\"one\\ntwo\"");
    visit("#/agents/mira/blocks/diary");
    assertThat(page.locator(".live.live")).hasText("live");
    edit("diary", "{\"op\":\"append_text\",\"text\":\"\\nthree\"}");
    assertThat(panel("What the model reads")).containsText("three");
    Locator text = page.getByLabel("Text", new Page.GetByLabelOptions().setExact(true));
    text.fill("ONE\ntwo\nthree");
    edit("diary", "{\"op\":\"append_text\",\"text\":\"\\nfour\"}");
    assertThat(panel("Edit")).containsText("Saving merges both");
    button("Save 1 change").click();
    assertThat(panel("What the model reads")).containsText("ONE\ntwo\nthree\nfour");
  }

  @Test
  void aPersonGrantsWhatWaits() {
    send("PUT", MIRA, "{\"name\":\"Mira\",\"description\":\"Support\",\"partner\":\"human:pat\"}");
    block("promise", "\"content\":\"none\",\"permission\":\"human\"");
    visit("#/agents/mira");
    CompletableFuture<String> written =
        CompletableFuture.supplyAsync(
            () ->
                send(
                    "POST",
                    MIRA + "/blocks/promise/ops",
                    "{\"ops\":[{\"op\":\"set_text\",\"text\":\"a refund by Friday\"}]}"));
    assertThat(panel("Waiting for a person")).containsText("a refund by Friday");
    shot("memory-consent");
    button("Grant").click();
    assertThat(panel("Waiting for a person")).hasCount(0);
    assertThat(written.join()).contains("\"version\"");
    assertThat(panel("Blocks")).containsText("a refund by Friday");
  }

  @Test
  void sharesPinsDeletesAndBringsBack() {
    block("route", "\"content\":\"over the pass\"");
    visit("#/agents/mira/blocks/route");
    button("Share").click();
    assertThat(panel("Shares")).containsText("otto");
    button("End").click();
    assertThat(panel("Shares")).containsText("With no other agent");
    button("Pin").click();
    assertThat(panel("Settings")).containsText("yes");
    page.getByLabel("Permission").selectOption("append");
    assertThat(panel("Edit")).containsText("agents may only add to it");
    button("Delete the block").click();
    button("Delete the block").click();
    assertThat(page.locator("h1")).hasText("Memory of Mira");
    assertThat(panel("Blocks")).containsText("Deleted");
    button("Restore").click();
    assertThat(panel("Blocks")).containsText("over the pass");
  }

  @Test
  void nothingIsReadOfABlockWhileItIsDeleted() {
    block("pass", "\"content\":\"over the pass\"");
    visit("#/agents/mira/blocks/pass");
    assertThat(page.locator(".live.live")).hasText("live");
    page.evaluate(SLOW_DELETE);
    button("Delete the block").click();
    button("Delete the block").click();
    assertThat(page.locator("h1")).hasText("Memory of Mira");
    assertThat(panel("Blocks")).containsText("Deleted");
  }

  @Test
  void saysThatOthersDeletedTheBlock() {
    block("ferry", "\"content\":\"by the ferry\",\"permission\":\"admin\"");
    visit("#/agents/mira/blocks/ferry");
    assertThat(page.locator(".live.live")).hasText("live");
    send("DELETE", MIRA + "/blocks/ferry", "");
    assertThat(text("deleted this block")).isVisible();
    assertThat(panel("What the model reads")).containsText("by the ferry");
    forgetMisses();
  }

  @Test
  void theKeyboardAloneIsEnough() {
    visit("");
    page.keyboard().press("g");
    page.keyboard().press("m");
    assertThat(page.locator("h1")).hasText("Memory");
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(panel("Blocks")).containsText("persona");
    page.keyboard().press("/");
    page.keyboard().type("case_log");
    page.keyboard().press("Tab");
    page.keyboard().press("Tab");
    assertThat(page.locator("article.memory")).hasCount(1);
    tabTo("article.memory [data-item]");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("case_log");
    tabTo("input[name=what]");
    page.keyboard().type("Called back.");
    page.keyboard().press("Enter");
    assertThat(panel("What the model reads")).containsText("Called back.");
  }

  @Test
  void sectionsOfOneBlockAreEditedEachByItsKind() {
    block(
        "plan",
        "\"schema\":{\"kind\":\"composite\",\"sections\":[{\"name\":\"todo\",\"schema\":{\"kind\":"
            + "\"list\"}},{\"name\":\"notes\",\"schema\":{\"kind\":\"text\"}}]}");
    visit("#/agents/mira/blocks/plan");
    page.getByLabel("New item").fill("<b>call</b> the shop \u202eback");
    page.keyboard().press("Enter");
    assertThat(panel("What the model reads")).containsText("<b>call</b> the shop");
    assertThat(page.locator(".strange").first()).hasText("RLO");
    page.getByLabel("notes").fill("nothing yet");
    button("Save 1 change").click();
    assertThat(panel("What the model reads")).containsText("nothing yet");
  }

  @Test
  void isReadableInTheDarkAndOnAPhone() {
    newPage(
        new Browser.NewContextOptions().setViewportSize(390, 800).setColorScheme(ColorScheme.DARK));
    visit("#/agents/mira/blocks/customer");
    assertThat(text("Hanna Lie")).isVisible();
    accessible();
    assertThat((Integer) page.evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
    shot("memory-phone-dark");
  }
}
