package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import dev.contexture.Turn;
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
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What the key of a reader is offered. */
class ReaderPagesTest extends BrowserTest {
  private static final Scope SHOP = Scope.of("acme", "shop");

  /** Buttons that change nothing of what is stored. */
  private static final String READING =
      "Copy|Simulate|As it was|Why\\?|Pause|Continue|Entries and receipt|More.*|"
          + ".* more (parts|characters)";

  private static final Map<String, String> SHOWN_WHEN_READ =
      Map.of(
          "#/users/ada/conversations/c1", ".block.user-prompt",
          "#/users/ada/conversations/c1/requests", ".chart",
          "#/users/ada/conversations/c1/requests/newest", ".reasons",
          "#/agents/mira/blocks/rules", "[aria-label='What the model reads']");

  private String reader;
  private String writer;

  @Override
  ServerOptions options() {
    KeyFile file = new KeyFile(directory.resolve("keys.json"));
    reader = file.add(Grant.of(SHOP, KeyRole.READER), TestSeed.random(1), Instant.EPOCH).key();
    writer = file.add(Grant.of(SHOP, KeyRole.WRITER), TestSeed.random(2), Instant.EPOCH).key();
    return super.options().withKeys(KeyRing.of(file));
  }

  @Test
  void aReaderSeesNoButtonThatWritesOnAnyPage() {
    engine()
        .memory(SHOP)
        .createBlock("mira", BlockSpec.of("rules", MemoryBlockType.WORKING).content("be kind"));
    try (Turn turn =
        engine().browser(SHOP.user("ada").conversation("c1")).startTurn("where is it?")) {
      turn.request("claude-opus-5").agent("mira").build();
      turn.finish("on its way");
    }
    logIn(reader);
    String talk = "#/users/ada/conversations/c1";
    for (String address :
        List.of(
            "#/",
            talk,
            talk + "/requests",
            talk + "/requests/newest",
            "#/agents",
            "#/agents/mira",
            "#/agents/mira/blocks/rules",
            "#/search?q=kind",
            "#/events",
            "#/health")) {
      page.evaluate("location.hash = '" + address + "'");
      page.locator("main[aria-busy=false] h1, main[aria-busy=false] .problem").first().waitFor();
      page.locator(SHOWN_WHEN_READ.getOrDefault(address, "main .title")).first().waitFor();
      assertThat(page.locator(".problem")).hasCount(0);
      page.locator("main button")
          .allTextContents()
          .forEach(words -> Assertions.assertThat(words.strip()).as(address).matches(READING));
    }
    expectComplaint("401"); // before the login; nothing else was refused
  }

  @Test
  void aWriterWritesAsTheAgentAndIsOfferedNothingElse() {
    engine()
        .memory(SHOP)
        .createBlock("lea", BlockSpec.of("rules", MemoryBlockType.WORKING).content("be kind"));
    logIn(writer);
    page.evaluate("location.hash = '#/agents/lea/blocks/rules'");
    assertThat(page.locator("[aria-label=Edit]")).containsText("You act as agent:lea");
    page.getByLabel("Text", new Page.GetByLabelOptions().setExact(true)).fill("be brief");
    page.locator("button", new Page.LocatorOptions().setHasText("Save 1 change")).click();
    assertThat(page.locator("[aria-label='What the model reads']")).containsText("be brief");
    assertThat(page.locator("[aria-label=History]")).containsText("agent:lea");
    page.evaluate("location.hash = '#/health'");
    assertThat(page.locator("[aria-label=State]")).isVisible();
    assertThat(page.getByText("Build the search index anew")).hasCount(0);
    expectComplaint("401");
  }

  private void logIn(String key) {
    visit("");
    page.locator("#key").fill(key);
    page.keyboard().press("Enter");
    page.locator(".who").waitFor();
  }
}
