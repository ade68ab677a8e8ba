package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Memory without a pointer: edited, refused, merged, taken back, shared, granted, erased. */
class MemoryKeyboardTest extends BrowserTest {
  private static final String MIRA = "/v1/agents/mira";

  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  private Locator panel(String name) {
    return page.locator("[aria-label='" + name + "']");
  }

  private Locator read() {
    return panel("What the model reads");
  }

  private void block(String label, String members) {
    send(
        "POST",
        MIRA + "/blocks",
        "{\"label\":\"" + label + "\",\"block_type\":\"working\"," + members + "}");
  }

  /** Writes over what stands in a field. */
  private void type(String field, String words) {
    tabTo("main [aria-label='" + field + "']");
    page.keyboard().press("Control+a");
    page.keyboard().type(words);
  }

  @Test
  void aFieldIsChangedTakenBackAndRestored() {
    block(
        "guest",
        "\"schema\":{\"kind\":\"map\",\"fields\":[{\"name\":\"name\",\"type\":\"text\"}]},"
            + "\"content\":{\"name\":\"Kim\"}");
    visit("#/agents/mira/blocks/guest");
    type("name", "Kim Lund");
    type("Why", "said so");
    pressButton("Save 1 change");
    assertThat(read()).containsText("name: Kim Lund");
    assertThat(panel("History")).containsText("said so");
    pressButton("Undo");
    assertThat(read()).not().containsText("Lund");
    pressButton("Redo");
    assertThat(read()).containsText("Lund");
    tabTo(".versions li:last-child a");
    page.keyboard().press("Enter");
    pressButton("Restore version 1");
    assertThat(read()).not().containsText("Lund");
  }

  @Test
  void aRefusalSaysWhichLevelIsNeeded() {
    visit("#/agents/mira/blocks/persona");
    type("Text", "I obey everybody.");
    pressButton("Save 1 change");
    assertThat(page.locator(".toast.bad")).containsText("permission is ReadOnly, needed");
    assertThat(page.locator(".toast.bad code")).hasText("permission_denied");
    assertThat(panel("Edit")).containsText("only the host writes");
    pressButton("Discard");
    assertThat(page.locator("textarea[aria-label=Text]")).not().hasValue("I obey everybody.");
    expectComplaint("403");
  }

  @Test
  void aConflictIsDecidedEitherWay() {
    block("rules", "\"schema\":{\"kind\":\"list\"},\"content\":[\"be brief\",\"be kind\"]");
    visit("#/agents/mira/blocks/rules");
    assertThat(page.locator(".live.live")).hasText("live");
    type("Item 1", "be very brief");
    type("Item 2", "be very kind");
    String others = "{\"ops\":[{\"op\":\"set_item\",\"index\":%d,\"value\":\"%s\"}]}";
    send("POST", MIRA + "/blocks/rules/ops", others.formatted(0, "be short"));
    send("POST", MIRA + "/blocks/rules/ops", others.formatted(1, "be nice"));
    assertThat(panel("Edit")).containsText("be nice");
    pressButton("Take theirs");
    assertThat(page.locator("textarea[aria-label='Item 2']")).hasValue("be nice");
    pressButton("Save 1 change");
    assertThat(panel("Edit")).containsText("Not written (item_changed)");
    pressButton("Write mine");
    assertThat(read()).containsText("be very brief");
    assertThat(read()).containsText("be nice");
  }

  @Test
  void aBlockIsSharedDeletedAndBroughtBack() {
    block("route", "\"content\":\"over the pass\"");
    visit("#/agents/mira/blocks/route");
    pressButton("Share");
    assertThat(panel("Shares")).containsText("otto");
    pressButton("End");
    assertThat(panel("Shares")).containsText("With no other agent");
    tabTo("[aria-label=Permission]");
    page.keyboard().press("ArrowUp"); // from read_write
    assertThat(panel("Edit")).containsText("agents may only add to it");
    pressButton("Delete the block");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("Memory of Mira");
    assertThat(panel("Blocks")).containsText("Deleted");
    pressButton("Restore");
    assertThat(panel("Blocks")).containsText("over the pass");
  }

  @Test
  void whatWaitsIsGrantedOrDenied() {
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
    pressButton("Grant");
    assertThat(panel("Blocks")).containsText("a refund by Friday");
    assertThat(panel("Waiting for a person")).hasCount(0);
    written.join();
  }

  @Test
  void anEntryIsErasedAfterAQuestion() {
    send("POST", MIRA + "/archival", "{\"content\":\"a rumour about the pass\"}");
    visit("#/agents/mira?q=rumour");
    assertThat(panel("Blocks")).containsText("a rumour about the pass");
    pressButton("Erase");
    assertThat(page.locator("button:focus")).hasAttribute("data-sure", "Really?");
    page.keyboard().press("Enter");
    assertThat(panel("Blocks")).not().containsText("a rumour about the pass");
  }
}
