package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Why something is in a request or not, what another choice would cost, and the tour. */
class ReasonsPageTest extends BrowserTest {
  private static final String TENT = "#/users/hanna/conversations/late-tent";
  private static final int STEPS = 8;

  @Override
  void prepare(Path data) {
    Demo.load(data);
  }

  private Locator answer() {
    return page.locator(".answer");
  }

  @Test
  void aBlockLeadsToTheReasonWhyItIsThereOrNot() {
    visit(TENT + "?all=1");
    page.locator(".block.user-prompt .whylink").first().click();
    assertThat(answer()).containsText("A summary stands in its place");
    assertThat(answer()).containsText("My order NK-20418 should have come on Friday");
    assertThat(answer()).containsText("pin its path");
    Locator why = page.locator("[aria-label=Why]");
    assertThat(why.locator(".reasons tbody tr").first()).containsText("8 tools check_stock");
    why.evaluate("panel => panel.scrollIntoView()");
    shot("why");
    accessible();
    why.locator(".entries a").first().click();
    assertThat(answer()).containsText("case_log");
    assertThat(answer()).containsText("It is not in the request");
    assertThat(why.locator(".reasons tbody tr").nth(4))
        .containsText("it stands for blocks 1 to 45");
  }

  @Test
  void isAskedWithTheKeyboardAlone() {
    visit(TENT + "/requests/newest");
    tabTo("[name=why]");
    page.keyboard().type("tc:t6_return.tc_toolu_ret2.result");
    page.keyboard().press("Enter");
    assertThat(answer()).containsText("but not whole");
    assertThat(answer()).containsText("66 of 501 tokens");
    assertThat(page.locator(".reasons tr.fresh")).hasCount(1);
    tabTo(".reasons [data-item]");
    page.keyboard().press("Enter");
    assertThat(page.locator(".block.marked").first()).isVisible();
  }

  @Test
  void anotherChoiceIsDrawnIntoTheSamePicture() {
    newPage(new Browser.NewContextOptions().setViewportSize(1280, 720));
    visit(TENT + "/requests");
    assertThat(page.locator(".chart .saved")).hasCount(0);
    tabTo("[name=what]");
    page.keyboard().type("ttl=1h");
    page.keyboard().press("Enter");
    assertThat(page.locator(".chart .saved")).hasCount(1);
    assertThat(page.locator("[aria-label='Over time'] [role=status]")).containsText("instead of");
    assertThat(page.locator(".chart .other").first()).isAttached();
    page.evaluate("scrollTo(0, 0)");
    shot("what-if");
    accessible();
    tabTo(".whatif button[type=button]");
    page.keyboard().press("Enter");
    assertThat(page.locator(".chart .saved")).hasCount(0);
    visit(TENT + "/requests?what_if=never");
    assertThat(page.locator(".toast.bad")).containsText("allowed: ttl=5m");
    expectComplaint("400");
  }

  @Test
  void theTourShowsWhatIsOnThePages() {
    visit("");
    tabTo(".welcome a");
    page.keyboard().press("Enter");
    for (int step = 1; step <= STEPS; step++) {
      assertThat(page.locator(".tour")).containsText(step + " of " + STEPS);
      assertThat(page.locator("[data-toured]")).isVisible();
      if (step == 1) {
        accessible();
        shot("tour");
      }
      assertThat(page.locator(".tour .next")).isFocused();
      page.keyboard().press("Enter");
    }
    assertThat(page.locator(".tour")).hasCount(0);
    assertThat(page.locator(".welcome")).isVisible();
  }
}
