package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.request.LedgerSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A conversation of thousands of blocks and requests: what is drawn stays small. */
class LargeDataTest extends BrowserTest {
  private static final int TURNS = 1_700; // of three blocks
  private static final int REQUESTS = 2_000;
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Scope SCOPE = Scope.of("local", "local");

  /** Scrolls a page on with every frame, and says how long the frames took. */
  private static final String SCROLL =
      """
      async () => {
        const frames = [];
        let last = await new Promise(requestAnimationFrame);
        for (let i = 0; i < 150; i++) {
          scrollBy(0, 600);
          const now = await new Promise(requestAnimationFrame);
          frames.push(now - last);
          last = now;
        }
        frames.sort((a, b) => a - b);
        const at = share => Math.round(frames[Math.floor((frames.length - 1) * share)]);
        return 'median ' + at(.5) + ' ms, 95 % below ' + at(.95) + ' ms, worst ' + at(1) + ' ms';
      }
      """;

  @Override
  void prepare(Path data) {
    LedgerSettings all = new LedgerSettings(LedgerSettings.Mode.WARN, MONTH, REQUESTS);
    try (Contexture engine = Contexture.open(data, settings -> settings.ledger(all))) {
      ContextBrowser long_ = engine.browser(SCOPE.user("vera").conversation("long"));
      for (int i = 1; i <= TURNS; i++) {
        try (Turn turn = long_.startTurn("question " + i)) {
          turn.finish("answer " + i);
        }
      }
      ContextBrowser busy = engine.browser(SCOPE.user("vera").conversation("busy"));
      try (Turn turn = busy.startTurn("go on")) {
        for (int i = 0; i < REQUESTS; i++) {
          turn.request("claude-opus-5").build();
        }
      }
    }
  }

  private void report(String what, String address) {
    double paint = firstUsefulPaint(address);
    Object frames = page.evaluate(SCROLL);
    System.out.println(
        what + ": first entry painted after " + Math.round(paint) + " ms; frames: " + frames);
  }

  @Test
  void aLongConversationIsDrawnWhereOneLooks() {
    visit("#/users/vera/conversations/long");
    assertThat(text("question 1")).isVisible();
    report("conversation of " + 3 * TURNS + " blocks", "#/users/vera/conversations/long");
    assertThat((Integer) page.evaluate("document.querySelectorAll('.block').length"))
        .as("blocks that are drawn")
        .isBetween(1, 400);
    page.keyboard().press("End");
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    assertThat(page.getByText("answer " + TURNS).first()).isAttached();
    visit("#/users/vera/conversations/long?at=ar:none");
    assertThat(text("No block of this conversation has the path")).isVisible();
  }

  @Test
  void thousandsOfRequestsAreOnePicture() {
    visit("#/users/vera/conversations/busy/requests");
    assertThat(page.locator(".chart")).isVisible();
    assertThat(weight()).as("bytes of the page").isBetween(50_000L, 150_000L); // before a reload
    report(REQUESTS + " requests", "#/users/vera/conversations/busy/requests");
    assertThat((Integer) page.evaluate("document.querySelectorAll('main *').length"))
        .as("elements that are drawn")
        .isLessThan(8_000);
    assertThat(page.locator("[aria-label='Over time'] h2")).containsText("7 calls in a bar");
    page.getByText("older calls").click();
    assertThat(page.locator(".calls tbody tr")).hasCount(300);
  }
}
