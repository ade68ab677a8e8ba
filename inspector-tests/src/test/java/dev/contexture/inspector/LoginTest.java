package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.ServerOptions;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The inspector of a server that takes keys. */
class LoginTest extends BrowserTest {
  private String reader;

  @Override
  ServerOptions options() {
    KeyFile file = new KeyFile(directory.resolve("keys.json"));
    Grant grant = Grant.of(Scope.of("acme", "shop"), KeyRole.READER);
    reader = file.add(grant, TestSeed.random(1), Instant.EPOCH).key();
    return super.options().withKeys(KeyRing.of(file));
  }

  @Test
  void asksForAKeyAndKeepsItInMemoryOnly() {
    visit("");
    assertThat(text("This server takes keys")).isVisible();
    page.locator("#key").fill("cx_0123456789abcdef_wrong");
    page.keyboard().press("Enter");
    assertThat(page.getByRole(com.microsoft.playwright.options.AriaRole.ALERT))
        .containsText("the key is not known");
    page.locator("#key").fill(reader);
    page.keyboard().press("Enter");
    assertThat(text("Nobody has talked yet")).isVisible();
    assertThat(page.locator(".who")).containsText("acme/shop");
    assertThat(page.locator(".who")).containsText("reader");
    accessible();
    shot("start-reader");
    page.getByText("JSON").click();
    assertThat(page.locator("#twin")).containsText("\"users\"");
    Object kept =
        page.evaluate(
            "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie,"
                + " location.href])");
    assertThat(kept.toString()).doesNotContain("cx_");
    page.reload();
    assertThat(text("This server takes keys")).isVisible();
    expectComplaint("401");
  }
}
