package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Turn;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.Prefix;
import dev.contexture.store.RequestRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of a request, and for how long (P-44, P-50, P-55). */
class LedgerRecordTest extends LedgerFixture {
  /** P-50: what a record says beside the blocks. */
  @Test
  void aRecordSaysEverything() {
    Turn turn = chat().startTurn("Weather?");
    ContextRequest sent =
        turn
            .request("anthropic", CLAUDE)
            .instructions("You are Atlas. ".repeat(300))
            .agent("atlas")
            .maxOutputTokens(777)
            .stream(true)
            .build();
    clock.advance(Duration.ofSeconds(2));
    turn.answering(sent.id());
    String began = clock.instant().toString();
    clock.advance(Duration.ofSeconds(2));
    turn.answering(sent.id());
    turn.answering("req_unknown");
    turn.record(
        sent,
        """
        {"content":[{"type":"text","text":"Rain."}],"stop_reason":"end_turn","usage":\
        {"input_tokens":2000,"output_tokens":2}}\
        """);
    JsonObject record = chat().requests().get(sent.id()).record();
    assertThat(record.keys())
        .contains("provider", "model", "agent", "epoch", "predicted", "usage", "repairs");
    assertThat(record.string("cost_unit")).contains("plain_input_tokens");
    assertThat(record.string("currency")).contains("USD");
    JsonObject predicted = record.object("predicted").orElseThrow();
    assertThat(amount(predicted, "money"))
        .isCloseTo(amount(predicted, "cost") * 5 / 1e6, within(1e-7));
    JsonObject spent = record.object("spent").orElseThrow();
    assertThat(amount(spent, "input_money")).isCloseTo(2_000 * 5 / 1e6, within(1e-9));
    assertThat(amount(spent, "output_money")).isCloseTo(2 * 25 / 1e6, within(1e-9));
    assertThat(amount(spent, "money")).isCloseTo(0.01005, within(1e-9));
    assertThat(record.string("scope")).contains("acme/shop");
    assertThat(record.string("first_token")).contains(began);
    assertThat(record.string("prefix")).contains("rebased");
    assertThat(record.string("rebased_by")).contains("first");
    assertThat(record.string("catalogue_revision").orElseThrow()).isNotBlank();
    assertThat(record.find("token_ratio").orElseThrow().toJson()).matches("[0-9.]+");
    assertThat(record.object("settings").orElseThrow().toJson())
        .isEqualTo(
            "{\"max_output_tokens\":777,\"stream\":true,\"tool_choice\":\"auto\","
                + "\"intent\":\"loop\",\"system_life\":\"short\",\"message_life\":\"short\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "anthropic, claude-opus-5",
    "openai_chat, gpt-5.6-terra",
    "openai_responses, gpt-5.6-terra",
    "gemini, gemini-3.5-flash"
  })
  void givesEveryBodyAgain(String provider, String model) {
    ContextBrowser chat = chat();
    List<ContextRequest> sent = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Turn turn = chat.startTurn("Question " + i + ": " + "größer \"als\" ".repeat(60));
      sent.add(
          turn.request(provider, model)
              .instructions("Antworte auf Deutsch. ".repeat(200))
              .tools(List.of(WEATHER))
              .maxOutputTokens(1000 + i)
              .build());
      turn.finish("Antwort " + i);
    }
    ContextBrowser later = chat();
    for (ContextRequest request : sent) {
      assertThat(later.requests().body(request.id())).isEqualTo(request.body());
    }
    assertThat(sent.subList(1, sent.size()))
        .allSatisfy(next -> assertThat(next.prefix()).isEqualTo(new Prefix.Extends()));
  }

  /** P-50: what a request shares with the one before it is not stored again. */
  @Test
  void storesOnlyWhatIsNew() {
    Turn turn = chat().startTurn("Weather?");
    ContextRequest asked = request(turn);
    for (int i = 1; i <= 5; i++) {
      asked = round(turn, asked, i);
    }
    JsonObject ledger = chat().requests().get(asked.id()).sent();
    JsonArray chunks = ledger.array("chunks").orElseThrow();
    assertThat(chunks.size()).isEqualTo(6);
    JsonObject last = (JsonObject) chunks.items().getLast();
    assertThat(last.find("blocks").orElseThrow().toJson()).isEqualTo("3");
    assertThat(ledger.object("base").orElseThrow().find("blocks").orElseThrow().toJson())
        .isEqualTo(String.valueOf(asked.request().blocks().size() - 3));
  }

  @Test
  void predictsTheCache() {
    Turn turn = chat().startTurn("Weather?");
    ContextRequest second = round(turn, request(turn), 1);
    JsonObject predicted =
        chat().requests().get(second.id()).record().object("predicted").orElseThrow();
    assertThat(amount(predicted, "read")).isGreaterThan(500);
    assertThat(amount(predicted, "write")).isPositive();
  }

  /** P-44: what the provider did otherwise is counted, never hidden. */
  @Test
  void saysWhereTheProviderDidOtherwise() {
    Turn turn = chat().startTurn("Weather?");
    ContextRequest second = round(turn, request(turn), 1);
    turn.record(
        second,
        """
        {"content":[{"type":"text","text":"Rain."}],"stop_reason":"end_turn","usage":\
        {"input_tokens":2000,"cache_read_input_tokens":0,"output_tokens":2}}\
        """);
    JsonObject record = chat().requests().get(second.id()).record();
    assertThat(number(record, "unexplained_tokens"))
        .isEqualTo(number(record.object("predicted").orElseThrow(), "read"));
  }

  private long number(JsonObject json, String key) {
    return Long.parseLong(json.find(key).orElseThrow().toJson());
  }

  @Test
  void tellsWhoListens() {
    ContextRequest sent = request(chat().startTurn("Weather?"));
    assertThat(changes.getLast().note().string("type")).contains("request");
    assertThat(changes.getLast().note().string("request_id")).contains(sent.id());
  }

  /** P-55: by number and by age. */
  @Test
  void forgetsWhatIsOld() {
    LedgerSettings few = new LedgerSettings(LedgerSettings.Mode.WARN, Duration.ofDays(30), 5);
    Turn turn = engine(few).browser(SCOPE).startTurn("Weather?");
    for (int i = 0; i < 70; i++) {
      request(turn);
    }
    List<RequestRow> kept = chat().requests().list(null, 200);
    assertThat(kept).hasSizeLessThan(5 + 32);
    clock.advance(Duration.ofDays(31));
    ContextRequest last = request(chat().openTurn());
    assertThat(chat().requests().list(null, 200))
        .extracting(RequestRow::id)
        .containsExactly(last.id());
    assertThat(chat().requests().body(last.id())).isEqualTo(last.body());
  }

  @Test
  void isErasedWithTheConversation() {
    ContextBrowser chat = chat();
    ContextRequest sent = request(chat.startTurn("Weather?"));
    String sha = chat.requests().get(sent.id()).binaries().iterator().next();
    assertThat(store.binary(SCOPE, sha)).isPresent();
    chat.erase();
    assertThat(store.binary(SCOPE, sha)).isEmpty();
    ContextRequest first = request(chat.startTurn("Again?"));
    assertThat(first.prefix()).isEqualTo(new Prefix.Rebased(Prefix.Rebased.Reason.FIRST));
  }
}
