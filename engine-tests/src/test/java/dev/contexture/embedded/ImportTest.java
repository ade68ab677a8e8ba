package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonText;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.history.ImportedHistory;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.ImportResult;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** P-85, P-89 through the engine. */
class ImportTest {
  private static final ImportedHistory.Options OPTIONS =
      new ImportedHistory.Options("x1", Instant.parse("2026-01-02T03:04:05Z"), null);

  private final InMemoryStore store = new InMemoryStore();

  private ContextBrowser chat() {
    return Contexture.builder(store)
        .clock(FakeClock.atStart())
        .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
        .build()
        .browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
  }

  private static String golden(String name) throws Exception {
    String path = "/dev/contexture/provider/golden/" + name;
    try (InputStream in = ImportTest.class.getResourceAsStream(path)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void sendsTheSameMessagesAgain() throws Exception {
    String source = golden("anthropic-request.json");
    ImportResult imported = chat().importHistory("anthropic", source, OPTIONS);
    assertThat(imported.turns()).isEqualTo(2);
    assertThat(imported.blocks()).isEqualTo(12);
    ContextBrowser again = chat();
    again.startTurn("And now?");
    String body = again.openTurn().request("anthropic", "claude-opus-5").build().body();
    List<String> messages = JsonText.items(JsonText.member(source, "messages").orElseThrow());
    List<String> sent = JsonText.items(JsonText.member(body, "messages").orElseThrow());
    assertThat(sent.get(1)).isEqualTo(JsonText.minify(messages.get(1)));
    assertThat(sent.get(2)).isEqualTo(JsonText.minify(messages.get(2)));
    assertThat(sent.get(0)).contains("Weather and local time in Oslo?");
    assertThat(sent.get(3)).contains("Oslo: 4 C, rain, 14:05.");
    assertThat(sent.get(4)).contains("iVBORw0KGgo=", "Is this the same place?", "And now?");
  }

  @Test
  void addsNothingTwice() throws Exception {
    chat().importHistory("openai", golden("chat-request.json"), OPTIONS);
    long version = chat().version();
    ImportResult repeated = chat().importHistory("openai", golden("chat-request.json"), OPTIONS);
    assertThat(repeated.turns()).isZero();
    assertThat(chat().version()).isEqualTo(version);
  }
}
