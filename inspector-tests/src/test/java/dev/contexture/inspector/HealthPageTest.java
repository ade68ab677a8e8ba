package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Route;
import org.junit.jupiter.api.Test;

/** A server that is not well. Its answers are given by the test: a real one is not made ill. */
class HealthPageTest extends BrowserTest {
  private static final String ILL =
      """
      {"status":"degraded","version":"0.1","index_lag":12,"reasons":[
       {"code":"entries_parked","detail":"entries that cannot be indexed, and are not found: 3"},
       {"code":"store_slow","detail":"the store did not answer within 2 s \\u202e"}]}
      """;

  private static void answer(Route route, int status, String body) {
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(status)
            .setContentType("application/json")
            .setBody(body));
  }

  @Test
  void saysWhatIsWrongAndHowMuchOfIt() {
    page.route("**/healthz", route -> answer(route, 200, ILL));
    page.route(
        "**/readyz", route -> answer(route, 503, "{\"status\":\"unavailable\",\"reasons\":[]}"));
    visit("#/health");
    assertThat(page.locator(".badge.bad").first()).hasText("degraded");
    assertThat(text("takes no requests")).isVisible();
    assertThat(page.locator(".clash").first()).containsText("are not found: 3");
    assertThat(page.locator(".clash").first()).containsText("contexture reindex");
    assertThat(page.locator(".clash").nth(1)).containsText("did not answer within 2 s RLO");
    assertThat(page.locator("[aria-label=State]")).containsText("12");
    accessible();
    shot("health-degraded");
    page.unrouteAll();
    assertThat(page.locator(".badge.good").first()).hasText("ok"); // it looks again by itself
    expectComplaint("503");
  }

  @Test
  void theIndexIsBuiltAnewByClick() {
    visit("#/health");
    page.getByText("Build the search index anew").click();
    assertThat(page.locator(".toast")).containsText("The index is built anew");
  }
}
