package dev.contexture.inspector;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One request: what was repaired, what changed and what that cost, and the body. */
class RequestPageTest extends BrowserTest {
  private static final String INSTRUCTIONS = "You are Atlas, who knows every pass. ".repeat(400);
  private static final String NEEDLE = "crampon";

  private Locator panel(String name) {
    return page.locator("[aria-label='" + name + "']");
  }

  private static String quoted(String text) {
    return JsonValue.of(text).toJson();
  }

  /** Begins a conversation with a turn. */
  private String talk(String user) {
    String path = "/v1/users/" + user + "/conversations/c1";
    send("POST", path + "/turns", "{\"turn_id\":\"t1\",\"prompt\":\"Is the pass open?\"}");
    return path;
  }

  private String ask(String talk, String instructions, String more) {
    String answer =
        send(
            "POST",
            talk + "/request",
            "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"base_instructions\":"
                + quoted(instructions)
                + more
                + "}");
    return ((JsonObject) JsonValue.parse(answer)).string("request_id").orElseThrow();
  }

  private static String tool(String name) {
    return ",\"tools\":[{\"name\":\""
        + name
        + "\",\"description\":\"Looks.\",\"input_schema\":{\"type\":\"object\"}}]";
  }

  @Test
  void aChangeOfThePrefixIsToldWithWhatItCosts() {
    String talk = talk("ida");
    ask(talk, INSTRUCTIONS, "");
    ask(talk, INSTRUCTIONS, tool("look"));
    visit("#" + talk.substring(3) + "/requests");
    assertThat(page.locator(".chart .mark.bad")).hasCount(1);
    assertThat(page.locator(".calls tbody tr").first()).containsText("diverges");
    page.locator(".calls a").first().click();
    Locator difference = panel("Difference to the request before");
    assertThat(difference).containsText("prefix changed");
    assertThat(difference).containsText("host system-changed: ");
    assertThat(difference)
        .containsText(Pattern.compile("tokens are lost from the cache, which costs [0-9,]+ plain"));
    assertThat(difference).containsText(Pattern.compile("\\(\\$0\\.[0-9]+\\)"));
    accessible();
    shot("request-diverges");
  }

  @Test
  void whatACompactionHadWrittenAgainIsTold() {
    String talk = "/v1/users/eli/conversations/c1";
    String words = "which of the passes is open in June ";
    for (int i = 1; i <= 12; i++) {
      send(
          "POST",
          talk + "/turns",
          "{\"turn_id\":\"t" + i + "\",\"prompt\":" + quoted(words.repeat(30)) + "}");
      if (i < 12) {
        String answer = "{\"completion\":" + quoted(words.repeat(30)) + "}";
        send("POST", talk + "/turns/t" + i + "/finish", answer);
      }
    }
    ask(talk, INSTRUCTIONS, "");
    send("POST", talk + "/compact", "{}");
    ask(talk, INSTRUCTIONS, "");
    visit("#" + talk.substring(3) + "/requests/newest");
    Locator difference = panel("Difference to the request before");
    assertThat(difference).containsText("a summary stands for what was sent before");
    assertThat(difference).containsText("written to the cache again, which costs");
    assertThat(difference).containsText(Pattern.compile("\\(\\$0\\.[0-9]+\\)"));
  }

  @Test
  void repairsAndMarksAndTheProofAreShown() {
    String talk = talk("ole");
    ask(talk, INSTRUCTIONS, tool("look up!"));
    visit("#" + talk.substring(3) + "/requests/newest");
    Locator first = page.locator("main .panel").first();
    assertThat(first).containsText("Repairs");
    assertThat(first).containsText("tool look up! is sent as");
    assertThat(first).not().containsText("No repairs");
    assertThat(page.locator("[data-name=proof]")).containsText("what can be repaired is");
    assertThat(page.locator("[data-name=proof]")).containsText("Cache marks: /");
    String other = talk("per");
    ask(other, "Be brief.", "");
    visit("#" + other.substring(3) + "/requests/newest");
    assertThat(page.locator("[data-name=proof]")).containsText("No repairs.");
    assertThat(page.locator("[data-name=proof]")).containsText("No cache marks.");
  }

  @Test
  void wordsAreMarkedInTheBodyAlsoFarBehindItsBeginning() {
    String talk = talk("kim");
    ask(talk, "Mind the gap. " + INSTRUCTIONS + NEEDLE + " at the end", "");
    visit("#" + talk.substring(3) + "/requests/newest");
    page.locator("[data-filter]").fill(NEEDLE);
    Locator body = panel("Body");
    assertThat(body.locator("details")).hasCount(1);
    assertThat(body.locator("mark")).hasText(NEEDLE);
    assertThat(body.locator("mark")).isVisible();
    assertThat(body.locator(".content")).not().containsText("Mind the gap");
    body.locator("button.more").click();
    assertThat(body.locator(".content")).containsText("Mind the gap");
    page.locator("[data-filter]").fill("");
    assertThat(body.locator("mark")).hasCount(0);
  }

  @Test
  void thePathAndTheBodyAreCopied() {
    page.context().grantPermissions(java.util.List.of("clipboard-read", "clipboard-write"));
    String talk = talk("liv");
    String id = ask(talk, "Be brief.", "");
    visit("#" + talk.substring(3));
    page.locator(".block.user-prompt .copy").click();
    assertThat(page.locator(".copy[data-done=✓]")).hasCount(1);
    assertThat(page.evaluate("navigator.clipboard.readText()")).isEqualTo("ar:t1.user.prompt");
    visit("#" + talk.substring(3) + "/requests/" + id);
    panel("Body").locator(".copy").click();
    assertThat(page.locator(".copy[data-done=✓]")).hasCount(1);
    String whole = send("GET", talk + "/requests/" + id, "");
    assertThat(page.evaluate("navigator.clipboard.readText()").toString())
        .startsWith("{\"model\":")
        .satisfies(body -> assertThat(whole).contains(body));
  }

  @Test
  void whereBrowsersGiveNoClipboardTheTextIsCopiedAnyway() {
    page.addInitScript(
        """
        Object.defineProperty(navigator, 'clipboard', { value: undefined }); // as over plain HTTP
        document.addEventListener('copy', () => { window.copied = document.activeElement.value; });
        """);
    String talk = talk("max");
    visit("#" + talk.substring(3));
    page.locator(".block.user-prompt .copy").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator(".copy[data-done=✓]")).hasCount(1);
    assertThat(page.evaluate("window.copied")).isEqualTo("ar:t1.user.prompt");
    assertThat(page.locator(".copy:focus")).hasCount(1);
  }

  @Test
  void theNextRequestGetsWhatCameSince() {
    String talk = talk("una");
    ask(talk, INSTRUCTIONS, "");
    visit("#" + talk.substring(3));
    Locator budget = panel("Budget");
    assertThat(budget).containsText("Nothing came since.");
    assertThat(budget).containsText("what is used, enlarged"); // far below its limit
    assertThat(budget).containsText("Cache marks: behind the instructions and memory");
    accessible();
    shot("budget-enlarged");
    String note = "{\"blocks\":[{\"type\":\"react.notes\",\"text\":\"the pass opens in June\"}]}";
    send("POST", talk + "/blocks", note);
    assertThat(budget).containsText(Pattern.compile("what came since: 1 block, about [0-9]+ tok"));
  }

  @Test
  void theLinkToTheTurnOpensTheConversation() {
    String talk = talk("ada");
    ask(talk, "Be brief.", "");
    visit("#" + talk.substring(3) + "/requests/newest");
    page.locator("main .panel a", new Page.LocatorOptions().setHasText("t1")).first().click();
    assertThat(page.locator(".block.user-prompt")).containsText("Is the pass open?");
  }
}
