package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import org.junit.jupiter.api.Test;

/** Another project, named by the address of a page. */
class ScopePageTest extends BrowserTest {
  private static final Scope SHOP = Scope.of("acme", "shop");

  private void talk(Scope scope, String user, String prompt) {
    try (Turn turn = engine().browser(scope.user(user).conversation("c1")).startTurn(prompt)) {
      turn.finish("on its way");
    }
  }

  @Test
  void theProjectOfTheAddressIsShownAndStaysAlsoAsData() {
    talk(SHOP, "zoe", "where is my kayak?");
    talk(Scope.of("local", "local"), "bo", "where is my canoe?");
    visit("#/?scope=acme/shop");
    assertThat(page.locator("table.rows tbody tr")).hasCount(1);
    assertThat(page.locator("table.rows tbody tr")).containsText("zoe");
    assertThat(page.locator(".who")).containsText("acme/shop");
    page.locator(".twin").click();
    assertThat(page.locator("#twin")).containsText("zoe");
    assertThat(page.locator("#twin")).not().containsText("\"bo\"");
    page.locator("#twin button").click();
    page.locator("table.rows [data-item]").click();
    assertThat(page.locator(".block.user-prompt")).containsText("kayak");
    assertThat(page.url()).contains("scope=acme%2Fshop");
    page.locator("nav a", new Page.LocatorOptions().setHasText("Health")).click();
    assertThat(page.url()).contains("scope=acme%2Fshop");
    visit("#/");
    assertThat(page.locator("table.rows tbody tr")).containsText("bo");
    page.locator(".twin").click();
    page.waitForURL("**/v1/users");
    assertThat(page.locator("body").textContent()).contains("\"bo\"").doesNotContain("zoe");
  }
}
