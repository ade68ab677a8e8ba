package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.PoolSource;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnStart;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a program gives, no body holds what no provider takes. */
class SentTextTest {
  private static final Scope.OfUser USER = Scope.of("acme", "shop").user("u42");
  private static final int ROUNDS = 20;
  private static final Map<String, String> MODELS =
      Map.of(
          "anthropic", "claude-opus-5",
          "openai_chat", "gpt-5.6-terra",
          "openai_responses", "gpt-5.6-terra",
          "gemini", "gemini-3.5-flash");

  @TempDir Path directory;
  private final Random random = new Random(31);

  @Test
  void noBodyHoldsWhatNoProviderTakes() {
    try (Contexture engine = Contexture.open(directory)) {
      for (int round = 0; round < ROUNDS; round++) {
        ContextBrowser chat = engine.browser(USER.conversation("c" + round));
        Turn turn = said(chat);
        MODELS.forEach((provider, model) -> check(body(turn, provider, model)));
        turn.finish(text());
        assertThat(chat.setTitle("t" + text(), true)).matches(SentTextTest::isClean);
      }
    }
  }

  private Turn said(ContextBrowser chat) {
    Attachment file = new Attachment("a.txt", "text/plain", text(), null, text());
    Turn turn = chat.startTurn(TurnStart.prompt(text()).attach(file));
    turn.contribute(
        Block.builder(BlockType.of("user.steer")).text(text()).meta(text(), JsonValue.of(text())),
        Block.builder(BlockType.AGENT_BLOCK).hidden(text()).text(text()));
    turn.announce(List.of(Block.builder(BlockType.ANNOUNCE).text(text())));
    chat.mergeSources(List.of(new PoolSource(0, object("title").with("url", JsonValue.of("u")))));
    String arguments = JsonObject.of("k" + random.nextInt(), JsonValue.of(text())).toJson();
    ToolCall call = new ToolCall(dev.contexture.block.CallId.of("tc_a"), null, "f", arguments);
    turn.contribute(call.block(turn.id(), JsonObject.EMPTY));
    turn.answer(
        call.id(), List.of(new ResultPart.Text(text()), new ResultPart.Json(object("r"))), true);
    turn.clarification(List.of(text()), text());
    return turn;
  }

  private String body(Turn turn, String provider, String model) {
    JsonObject schema = object("description").with("type", JsonValue.of("object"));
    return turn.request(provider, model)
        .instructions(text())
        .tools(List.of(new ToolDef("f", text(), schema.toJson())))
        .includeSources(true)
        .includeAnnounce(true)
        .build()
        .body();
  }

  private JsonObject object(String key) {
    return JsonObject.of(key, JsonValue.of(text()));
  }

  /** Reads every text and key of the body. */
  private static void check(String body) {
    assertThat(isClean(body)).as(body).isTrue();
    check(JsonValue.parse(body));
  }

  private static void check(JsonValue value) {
    if (value instanceof JsonObject object) {
      object.keys().forEach(key -> assertThat(isClean(key)).as(key).isTrue());
      object.members().values().forEach(SentTextTest::check);
    } else if (value instanceof dev.contexture.json.JsonArray array) {
      array.items().forEach(SentTextTest::check);
    } else if (value instanceof JsonString text) {
      assertThat(isClean(text.value())).as(text.toJson()).isTrue();
    }
  }

  /** No half of a pair, and no NUL. */
  private static boolean isClean(String text) {
    return text.codePoints()
        .allMatch(c -> c != 0 && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }

  private String text() {
    StringBuilder text = new StringBuilder("x");
    for (int n = 1 + random.nextInt(10); n > 0; n--) {
      switch (random.nextInt(5)) {
        case 0 -> text.append((char) (Character.MIN_SURROGATE + random.nextInt(2_048)));
        case 1 -> text.append((char) random.nextInt(32));
        case 2 -> text.append("\uD83D\uDE00");
        case 3 -> text.append((char) (0xFFFD + random.nextInt(3)));
        default -> text.append((char) ('a' + random.nextInt(26)));
      }
    }
    return text.toString();
  }
}
