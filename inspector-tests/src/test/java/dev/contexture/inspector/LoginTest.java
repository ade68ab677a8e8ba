package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.ServerOptions;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The inspector of a server that takes keys. */
class LoginTest extends BrowserTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private String reader;
  private String ada;

  @Override
  ServerOptions options() {
    KeyFile file = new KeyFile(directory.resolve("keys.json"));
    reader = file.add(Grant.of(SHOP, KeyRole.READER), TestSeed.random(1), Instant.EPOCH).key();
    ada =
        file.add(Grant.of(SHOP, KeyRole.WRITER).withUser("ada"), TestSeed.random(2), Instant.EPOCH)
            .key();
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

  private void remember(String label, String content, @Nullable String user) {
    BlockSpec spec = BlockSpec.of(label, MemoryBlockType.WORKING).content(content);
    engine().memory(SHOP).createBlock("mira", user == null ? spec : spec.user(user));
  }

  private void logIn(String key, String hash) {
    visit("");
    page.locator("#key").fill(key);
    page.keyboard().press("Enter");
    page.locator(".who").waitFor();
    page.evaluate("location.hash = '" + hash + "'");
  }

  @Test
  void memoryIsShownAsFarAsTheKeyReaches() {
    remember("rules", "be kind", null);
    remember("tastes", "no nuts for Ada", "ada");
    remember("hobby", "Ben climbs", "ben");
    logIn(ada, "#/agents/mira?user=ada");
    Locator blocks = page.locator("[aria-label=Blocks]");
    assertThat(blocks).containsText("no nuts for Ada");
    assertThat(blocks).containsText("be kind");
    assertThat(page.locator("aside")).not().containsText("Everything");
    assertThat(page.locator("body")).not().containsText("ben");
    page.evaluate("location.hash = '#/agents/mira?user=ben'");
    assertThat(page.locator(".live").first()).isVisible();
    assertThat(page.locator("body")).not().containsText("Ben climbs");
    newPage(new Browser.NewContextOptions());
    logIn(reader, "#/agents/mira/blocks/rules");
    assertThat(page.locator("[aria-label='What the model reads']")).containsText("be kind");
    for (String name : List.of("Undo", "Save", "Share", "Delete the block", "Pin", "Add")) {
      assertThat(page.locator("main button", new Page.LocatorOptions().setHasText(name)))
          .hasCount(0);
    }
    assertThat(page.locator("[aria-label=Edit]")).hasCount(0);
    forgetRefusals();
  }
}
