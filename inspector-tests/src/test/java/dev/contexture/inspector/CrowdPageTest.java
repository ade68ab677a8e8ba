package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.cli.demo.Demo;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** More users than stand in the list at first. */
class CrowdPageTest extends BrowserTest {
  private static final int USERS = 45; // that talked after those of the demo
  private static final Scope SCOPE = Scope.of("local", "local");

  @Override
  void prepare(Path data) {
    Demo.load(data);
    try (Contexture engine = Contexture.open(data)) {
      for (int i = 0; i < USERS; i++) {
        String user = String.format(Locale.ROOT, "crowd%02d", i);
        try (Turn turn = engine.browser(SCOPE.user(user).conversation("c1")).startTurn("hello")) {
          turn.finish("hello");
        }
      }
    }
  }

  @Test
  void aFilterFindsConversationsOfUsersThatAreNotInTheList() {
    visit("");
    assertThat(page.locator("main")).containsText("6 older users are not in this list");
    assertThat(page.locator("tbody tr")).hasCount(40);
    page.locator("[data-filter]").fill("tent");
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(page.locator("tbody tr")).containsText("A tent that is late");
    page.locator("[data-filter]").fill("crowd00");
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(page.locator("aside li")).hasCount(3); // of users the one, of agents both
    visit("#/?user=hanna");
    assertThat(page.locator("tbody tr")).containsText("A tent that is late");
  }
}
