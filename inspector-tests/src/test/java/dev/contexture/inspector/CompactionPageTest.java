package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A compaction is looked at before it happens, is done, seen by others, and taken back. */
class CompactionPageTest extends BrowserTest {
  private static final int TURNS = 12;
  private static final Scope SCOPE = Scope.of("local", "local");

  private String talk(String user) {
    ContextBrowser talk = engine().browser(SCOPE.user(user).conversation("c1"));
    for (int i = 1; i <= TURNS; i++) {
      try (Turn turn = talk.startTurn("Question " + i + ": which tent holds in snow?")) {
        turn.finish("Answer " + i + ": the one with the steep roof. ".repeat(10));
      }
    }
    return "#/users/" + user + "/conversations/c1";
  }

  private Locator button(String name) {
    return page.locator(
        "main button", new Page.LocatorOptions().setHasText(Pattern.compile("^" + name)));
  }

  @Test
  void showsTheCutAndTheSummaryThenDoesItAndTakesItBack() {
    visit(talk("ann"));
    assertThat(page.locator(".cutline")).hasCount(0);
    button("Preview a compaction").click();
    Locator plan = page.locator(".plan");
    assertThat(plan).containsText("would cut before block");
    assertThat(plan).containsText("are replaced by this summary");
    assertThat(plan).containsText("Receipt");
    plan.locator("details summary").click();
    assertThat(plan.locator("details")).containsText("which tent holds in snow?");
    assertThat(page.locator(".block.summary")).hasCount(0);
    plan.getByText("Show the cut").click();
    assertThat(page.locator(".cutline")).isVisible();
    accessible();
    shot("compaction-cut");
    button("Compact").click();
    assertThat(page.locator(".cutline")).hasCount(0);
    assertThat(page.locator(".block.summary")).containsText("stands for");
    page.locator(".block.summary").getByText("Entries and receipt").click();
    assertThat(page.locator(".receipt")).containsText("Left out");
    assertThat(page.locator("main")).containsText("blocks are not sent");
    button("Withdraw the newest summary").click();
    assertThat(page.locator(".block.summary")).hasCount(0);
    assertThat(button("Withdraw the newest summary")).hasCount(0);
  }

  @Test
  void isDoneWithTheKeyboardAlone() {
    visit(talk("ben"));
    pressButton("Preview a compaction");
    assertThat(page.locator(".plan")).containsText("would cut before block");
    pressButton("Compact");
    assertThat(page.locator(".block.summary")).containsText("stands for");
    pressButton("Entries and receipt");
    assertThat(page.locator(".receipt")).containsText("Left out");
    pressButton("Withdraw the newest summary");
    assertThat(page.locator(".block.summary")).hasCount(0);
  }

  @Test
  void whatOthersDoAppearsWhileOneLooks() {
    visit(talk("cem"));
    assertThat(page.locator(".live.live")).hasText("live");
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    assertThat(text("Answer " + TURNS)).isAttached();
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    String path = "/v1/users/cem/conversations/c1";
    send("POST", path + "/turns", "{\"turn_id\":\"new\",\"prompt\":\"One more thing\"}");
    assertThat(text("One more thing")).isInViewport();
    send("POST", path + "/turns/new/finish", "{\"completion\":\"Gladly.\"}");
    assertThat(page.locator("section[aria-label='Turn new']")).containsText("complete");
    assertThat(text("Gladly.")).isInViewport();
    send("POST", path + "/compact", "{}");
    assertThat(page.locator(".block.summary")).containsText("stands for");
    send("POST", path + "/pins", "{\"path\":\"ar:new.user.prompt\"}");
    assertThat(page.locator("section[aria-label='Turn new']")).containsText("pinned");
    send("POST", path + "/hide", "{\"path\":\"ar:new.assistant.completion\"}");
    assertThat(page.locator("section[aria-label='Turn new'] .block.hidden")).hasCount(1);
  }
}
