package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;
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
    shot("why", why, why.locator(".reasons tbody tr").nth(6));
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
  void bothSidesOfASimulationAreOnOneScaleAndAgreeWithTheSentence() {
    visit(TENT + "/requests");
    page.locator("[name=what]").fill("ttl=1h");
    page.locator("button", new Page.LocatorOptions().setHasText("Simulate")).click();
    Locator over = page.locator("[aria-label='Over time']");
    assertThat(over.locator("[role=status]")).containsText("dearer");
    assertThat(over.locator("h2"))
        .containsText("the newest 17 calls, as the simulator counts them");
    assertThat(over.locator(".legend")).containsText("cost so far with ttl=1h");
    assertThat(over.locator(".chart .zero")).hasCount(1);
    double[] ends = {height(".chart .cost"), height(".chart .saved")};
    Assertions.assertThat(ends[1]).as("dearer ends higher").isGreaterThan(ends[0]);
    String dearer = over.locator("[role=status] b").first().textContent();
    assertThat(over.locator(".axis").first())
        .containsText(dearer); // the scale is that of the dearer one
    Object wholes =
        page.evaluate(
            "[...document.querySelectorAll('.chart a')].map(bar => ['.fill:not(.other)', '.other']"
                + ".map(kind => Math.round([...bar.querySelectorAll(kind)]"
                + ".reduce((sum, one) => sum + Number(one.getAttribute('height')), 0))))"
                + ".every(([one, other]) => one === other)");
    Assertions.assertThat(wholes).as("the same calls, counted alike").isEqualTo(true);
    page.locator("button", new Page.LocatorOptions().setHasText("As it was")).click();
    assertThat(over.locator("h2")).containsText("in total");
  }

  /** How high the last point of a line stands above the lowest one of the picture. */
  private double height(String line) {
    Object y =
        page.evaluate(
            "line => { const path = document.querySelector(line);"
                + " return 150 - path.getPointAtLength(path.getTotalLength()).y; }",
            line);
    return ((Number) y).doubleValue();
  }

  @Test
  void theTourFitsAPhone() {
    newPage(new Browser.NewContextOptions().setViewportSize(390, 800));
    visit("");
    page.locator(".welcome a").click();
    for (int step = 1; step <= STEPS; step++) {
      assertThat(page.locator(".tour")).containsText(step + " of " + STEPS);
      assertThat(page.locator("[data-toured]")).isInViewport();
      Assertions.assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
          .isEqualTo(390);
      assertThat(page.locator(".tour .next")).isInViewport();
      if (step == 2) {
        shot("tour-phone");
      }
      page.locator(".tour .next").click();
    }
    assertThat(page.locator(".tour")).hasCount(0);
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
