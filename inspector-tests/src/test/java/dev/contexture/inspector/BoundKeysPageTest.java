package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.ServerOptions;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What keys of writers and users are offered: nothing that the server would refuse. */
class BoundKeysPageTest extends BrowserTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private String writer;
  private String ada;
  private String adaAsAdmin;
  private boolean filled;

  @Override
  ServerOptions options() {
    KeyFile file = new KeyFile(directory.resolve("keys.json"));
    writer = key(file, Grant.of(SHOP, KeyRole.WRITER), 1);
    ada = key(file, Grant.of(SHOP, KeyRole.WRITER).withUser("ada"), 2);
    adaAsAdmin = key(file, Grant.of(SHOP, KeyRole.ADMIN).withUser("ada"), 3);
    return super.options().withKeys(KeyRing.of(file));
  }

  private static String key(KeyFile file, Grant grant, int seed) {
    return file.add(grant, TestSeed.random(seed), Instant.EPOCH).key();
  }

  @BeforeEach
  void remember() {
    if (filled) {
      return;
    }
    filled = true;
    BlockSpec rules = BlockSpec.of("rules", MemoryBlockType.WORKING).content("be kind");
    var memory = engine().memory(SHOP);
    memory.createBlock("mira", rules);
    memory.createBlock(
        "mira",
        BlockSpec.of("law", MemoryBlockType.WORKING)
            .content("no theft")
            .permission(MemoryPermission.READ_ONLY));
    memory.createBlock("otto", BlockSpec.of("stock", MemoryBlockType.WORKING).content("2 tents"));
    memory
        .forUser("ada")
        .createBlock("mira", BlockSpec.of("taste", MemoryBlockType.WORKING).content("no nuts"));
  }

  private Locator panel(String name) {
    return page.locator("[aria-label='" + name + "']");
  }

  private Locator button(String name) {
    return page.locator(
        "main button", new Page.LocatorOptions().setHasText(Pattern.compile("^" + name)));
  }

  private void open(String key, String address) {
    visit("");
    page.locator("#key").fill(key);
    page.locator("button", new Page.LocatorOptions().setHasText("Log in")).click();
    page.locator(".who").waitFor();
    page.evaluate("location.hash = '" + address + "'");
    panel("History").waitFor();
    panel("What the model reads").waitFor();
    expectComplaint("401"); // before the login
  }

  @Test
  void aWriterActsAsTheAgentAndMayWriteShareAndPinOnly() {
    open(writer, "#/agents/mira/blocks/rules");
    assertThat(panel("Edit")).containsText("You act as agent:mira");
    assertThat(panel("Settings").locator("select")).hasCount(0);
    assertThat(button("Delete the block")).hasCount(0);
    assertThat(panel("Settings")).containsText("read_write");
    button("Pin").click();
    assertThat(panel("Settings")).containsText("yes");
    button("Share").click();
    assertThat(panel("Shares")).containsText("otto");
    button("End").click();
    assertThat(panel("Shares")).containsText("With no other agent");
    page.getByLabel("Text", new Page.GetByLabelOptions().setExact(true)).fill("be brief");
    button("Save 1 change").click();
    assertThat(panel("What the model reads")).containsText("be brief");
    button("Undo").click();
    assertThat(panel("What the model reads")).containsText("be kind");
  }

  @Test
  void whatIsReadOnlyToAWriterHasNoEditor() {
    open(writer, "#/agents/mira/blocks/law");
    assertThat(panel("Edit")).containsText("only the host writes");
    assertThat(page.locator("main textarea")).hasCount(0);
    assertThat(button("Undo")).hasCount(0);
  }

  @Test
  void aKeyOfAUserChangesWhatIsForTheUserAndOnlyTheTextOfWhatIsForAll() {
    open(ada, "#/agents/mira/blocks/rules");
    assertThat(page.locator(".who")).containsText("of user ada");
    assertThat(button("Pin")).hasCount(0);
    assertThat(button("Share")).hasCount(0);
    assertThat(button("Delete the block")).hasCount(0);
    assertThat(page.locator("main textarea")).hasCount(1);
    page.evaluate("location.hash = '#/agents/mira/blocks/taste?user=ada'");
    assertThat(page.locator("h1")).hasText("taste");
    assertThat(button("Share")).hasCount(1);
    button("Pin").click();
    assertThat(panel("Settings")).containsText("yes");
  }

  @Test
  void anAdminKeyOfAUserActsAsThatUser() {
    open(adaAsAdmin, "#/agents/mira/blocks/taste?user=ada");
    assertThat(panel("Edit")).containsText("You act as human:ada");
    page.getByLabel("Text", new Page.GetByLabelOptions().setExact(true)).fill("no nuts, no milk");
    button("Save 1 change").click();
    assertThat(panel("What the model reads")).containsText("no milk");
    assertThat(panel("History")).containsText("human:ada");
    button("Delete the block").click();
    button("Delete the block").click();
    assertThat(page.locator("h1")).hasText("Memory of mira");
    button("Restore").click();
    assertThat(panel("Blocks")).containsText("no milk");
  }

  @Test
  void loggingOutForgetsTheKey() {
    open(writer, "#/agents/mira/blocks/rules");
    page.getByText("Log out").click();
    assertThat(text("This server takes keys")).isVisible();
    assertThat(page.locator(".who")).hasCount(0);
    expectComplaint("401");
  }
}
