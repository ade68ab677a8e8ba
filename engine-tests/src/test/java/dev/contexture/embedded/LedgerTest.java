package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.engine.ledger.RequestDifference;
import dev.contexture.error.ContextureException;
import dev.contexture.event.Change;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.model.WireFinding;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.RenderOptions;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.Divergence;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.Prefix;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.ToolDef;
import dev.contexture.store.RequestRow;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.timeline.PoolSource;
import dev.contexture.turn.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P-50 to P-55: what was sent is kept, compared and explained. */
class LedgerTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final String CLAUDE = "claude-opus-5";
  private static final ToolDef WEATHER =
      new ToolDef("weather", "Weather of a city.", "{\"type\":\"object\"}");

  private final InMemoryStore store = new InMemoryStore();
  private final FakeClock clock = FakeClock.atStart();
  private final List<Change> changes = new ArrayList<>();

  private Contexture engine(LedgerSettings settings) {
    Contexture engine =
        Contexture.builder(store)
            .clock(clock)
            .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
            .ledger(settings)
            .build();
    engine.changes().subscribe(changes::add);
    return engine;
  }

  private ContextBrowser chat() {
    return engine(LedgerSettings.DEFAULT).browser(SCOPE);
  }

  private static ContextRequest request(Turn turn) {
    return turn.request("anthropic", CLAUDE)
        .instructions("You are Atlas. ".repeat(300))
        .tools(List.of(WEATHER))
        .build();
  }

  /** A call and its result. */
  private static ContextRequest round(Turn turn, ContextRequest asked, int number) {
    Reply reply =
        turn.record(
            asked,
            """
            {"content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"c%d",\
            "name":"weather","input":{"n":%d}}],"stop_reason":"tool_use"}\
            """
                .formatted(number, number));
    turn.answer(reply.calls().getFirst(), ("Rain in place " + number + ". ").repeat(40));
    return request(turn);
  }

  private static double amount(JsonObject of, String name) {
    return ((JsonNumber) of.find(name).orElseThrow()).decimal().doubleValue();
  }

  @Nested
  class Comparing {
    @Test
    void theFirstRequestRepeatsNothing() {
      ContextRequest first = request(chat().startTurn("Weather?"));
      assertThat(first.prefix()).isEqualTo(new Prefix.Rebased(Prefix.Rebased.Reason.FIRST));
      assertThat(first.divergence()).isEmpty();
    }

    @Test
    void theNextOneExtendsIt() {
      Turn turn = chat().startTurn("Weather?");
      ContextRequest first = request(turn);
      assertThat(request(turn).prefix()).isEqualTo(new Prefix.Identical());
      ContextRequest second = round(turn, first, 1);
      assertThat(second.prefix()).isEqualTo(new Prefix.Extends());
      assertThat(second.request().shared()).isEqualTo(first.request().blocks().size());
    }

    /** Another process goes on where the first one stopped. */
    @Test
    void knowsWhatAnEarlierProcessSent() {
      ContextRequest first = request(chat().startTurn("Weather?"));
      Turn turn = chat().openTurn();
      assertThat(round(turn, first, 1).prefix()).isEqualTo(new Prefix.Extends());
    }

    @Test
    void theTailIsNotMissed() {
      ContextBrowser chat = chat();
      Turn turn = chat.startTurn("Weather?");
      JsonObject source = JsonObject.builder().put("url", "https://a.example").build();
      chat.mergeSources(List.of(PoolSource.read(source)));
      ContextRequest first = withSources(turn);
      assertThat(first.request().blocks().getLast().volatileTail()).isTrue();
      turn.contribute(Block.builder(BlockType.REACT_NOTES).author(Author.REACT).text("A note."));
      assertThat(withSources(turn).prefix()).isEqualTo(new Prefix.Extends());
    }

    private ContextRequest withSources(Turn turn) {
      return turn.request("anthropic", CLAUDE).includeSources(true).build();
    }

    @Test
    void anotherModelStartsAnew() {
      Turn turn = chat().startTurn("Weather?");
      ContextRequest claude = request(turn);
      ContextRequest gpt = turn.request("openai_chat", "gpt-5.6-terra").build();
      assertThat(gpt.prefix()).isEqualTo(new Prefix.Rebased(Prefix.Rebased.Reason.MODEL));
      assertThat(round(turn, claude, 1).prefix())
          .as("the last one of the same model counts")
          .isEqualTo(new Prefix.Extends());
    }

    @Test
    void aCompactionStartsAnEpoch() {
      ContextBrowser chat = chat();
      for (int i = 0; i < 12; i++) {
        Turn turn = chat.startTurn("Question " + i + " " + "about the weather ".repeat(50));
        request(turn);
        turn.finish("Answer " + i);
      }
      Turn turn = chat.startTurn("More?");
      request(turn);
      chat.compact(RenderOptions.defaults().withForceSanitize(true));
      ContextRequest after = request(turn);
      assertThat(after.prefix()).isEqualTo(new Prefix.Rebased(Prefix.Rebased.Reason.EPOCH));
      JsonObject again = chat.requests().get(after.id()).record().object("rewritten").orElseThrow();
      assertThat(amount(again, "kept")).as("turns behind the summary").isPositive();
      assertThat(amount(again, "inserted")).as("the summary").isPositive();
      assertThat(amount(again, "tokens"))
          .isEqualTo(amount(again, "kept") + amount(again, "inserted"));
      assertThat(amount(again, "money")).isPositive();
    }

    /** What compactions write again is said where they did, and only there. */
    @Test
    void aRequestThatExtendsWritesNothingAgain() {
      ContextBrowser chat = chat();
      Turn turn = chat.startTurn("Weather?");
      ContextRequest second = round(turn, request(turn), 1);
      assertThat(chat.requests().get(second.id()).record().has("rewritten")).isFalse();
    }
  }

  @Nested
  class Diverging {
    private ContextRequest hidden(LedgerSettings.Mode mode) {
      Turn turn = chat().startTurn("Weather?");
      ContextRequest asked = request(turn);
      for (int i = 1; i <= 8; i++) {
        asked = round(turn, asked, i);
        clock.advance(Duration.ofSeconds(5));
      }
      assertThat(turn.hide(BlockPath.result(turn.id(), CallId.of("c7")), "").blocksHidden())
          .isPositive();
      return turn.request("anthropic", CLAUDE)
          .instructions("You are Atlas. ".repeat(300))
          .tools(List.of(WEATHER))
          .prefixCheck(mode)
          .build();
    }

    /** P-53: what, who, and what it costs. */
    @Test
    void saysWhoHidABlock() {
      ContextRequest after = hidden(LedgerSettings.Mode.WARN);
      assertThat(after.prefix()).isInstanceOf(Prefix.Diverges.class);
      Divergence change = after.divergence().orElseThrow();
      assertThat(change.tier()).isEqualTo(RequestBlock.Tier.MESSAGES);
      assertThat(change.path()).contains("c7.result");
      assertThat(change.cause().actor()).isEqualTo("api");
      assertThat(change.cause().operation()).isEqualTo("hide");
      assertThat(change.cause().at()).isNotNull();
      assertThat(change.was()).contains("Rain in place 7");
      assertThat(change.now()).doesNotContain("Rain in place 7");
      assertThat(change.tokensLost()).isPositive();
      assertThat(change.costLost()).isPositive();
      assertThat(change.moneyLost())
          .as("5 USD for a million tokens")
          .isCloseTo(change.costLost() * 5 / 1e6, within(1e-12));
      assertThat(change.write().toJson())
          .contains("\"cost_unit\":\"plain_input_tokens\"", "\"currency\":\"USD\"");
      assertThat(change.advice()).contains("calls");
    }

    /** The newest change counts, however many came since the last request. */
    @Test
    void findsWhoHidABlockAfterManyChanges() {
      Turn turn = chat().startTurn("Weather?");
      ContextRequest asked = request(turn);
      for (int i = 1; i <= 8; i++) {
        asked = round(turn, asked, i);
      }
      for (int i = 0; i < 1_050; i++) {
        turn.announce(List.of());
      }
      turn.hide(BlockPath.result(turn.id(), CallId.of("c7")), "");
      Divergence change = request(turn).divergence().orElseThrow();
      assertThat(change.cause().operation()).isEqualTo("hide");
      assertThat(change.cause().actor()).isEqualTo("api");
    }

    @Test
    void strictModeRefusesAndKeepsNothing() {
      assertThatThrownBy(() -> hidden(LedgerSettings.Mode.STRICT))
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> {
                assertThat(refused.code().wireName()).isEqualTo("prefix_broken");
                assertThat(refused.getMessage()).contains("c7.result", "hide");
              });
      assertThat(chat().requests().list(null, 100)).hasSize(9);
    }

    @Test
    void offRecordsOnly() {
      assertThat(hidden(LedgerSettings.Mode.OFF).divergence()).isEmpty();
      assertThat(chat().requests().list(null, 100)).hasSize(10);
    }

    @Test
    void aToolThatChangedIsTheHostsDoing() {
      Turn turn = chat().startTurn("Weather?");
      request(turn);
      ContextRequest other =
          turn.request("anthropic", CLAUDE)
              .instructions("You are Atlas. ".repeat(300))
              .tools(List.of(new ToolDef("weather", "Weather.", "{\"type\":\"object\"}")))
              .build();
      Divergence change = other.divergence().orElseThrow();
      assertThat(other.prefix()).isEqualTo(new Prefix.Diverges(0));
      assertThat(change.tier()).isEqualTo(RequestBlock.Tier.TOOLS);
      assertThat(change.cause().actor()).isEqualTo("host");
      assertThat(change.cause().operation()).isEqualTo("tools-changed");
    }

    @Test
    void theRecordKeepsTheReport() {
      ContextRequest after = hidden(LedgerSettings.Mode.WARN);
      RequestDifference difference = chat().requests().differenceToPrevious(after.id());
      assertThat(difference.prefix()).isEqualTo("diverges");
      assertThat(difference.removed()).isNotEmpty();
      assertThat(difference.divergence()).isNotNull();
      assertThat(difference.shared()).isEqualTo(((Prefix.Diverges) after.prefix()).block());
    }
  }

  /** P-51, H-6: three words on the wire, and why a request begins anew. */
  @Test
  void theWireHasThreeWords() {
    assertThat(new Prefix.Extends().wireName()).isEqualTo("extends");
    assertThat(new Prefix.Identical().wireName()).isEqualTo("extends");
    assertThat(new Prefix.Diverges(3).wireName()).isEqualTo("diverges");
    for (Prefix.Rebased.Reason reason : Prefix.Rebased.Reason.values()) {
      assertThat(new Prefix.Rebased(reason).wireName()).isEqualTo("rebased");
    }
    assertThat(new Prefix.Rebased(Prefix.Rebased.Reason.EPOCH).rebasedBy()).contains("epoch");
    assertThat(new Prefix.Identical().rebasedBy()).isEmpty();
  }

  @Nested
  class Keeping {
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

  /** What requests mean to each other in the provider's caches. */
  @Nested
  class Traffic {
    private Contexture keyed() {
      return Contexture.builder(store)
          .clock(clock)
          .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
          .cacheSecrets(tenant -> Optional.of(new byte[32]))
          .build();
    }

    private List<String> warnings(ContextRequest request) {
      return request.metadata().warnings().stream().map(WireFinding::code).toList();
    }

    private ContextRequest ask(Turn turn) {
      return turn.request("openai_chat", "gpt-5.6-terra")
          .instructions("You are Atlas. ".repeat(600))
          .agent("atlas")
          .build();
    }

    /** P-31: above 15 a minute a provider spreads requests of one key. */
    @Test
    void warnsOfTooManyRequestsWithOneKey() {
      Turn turn = keyed().browser(SCOPE).startTurn("Weather?");
      for (int i = 0; i < 15; i++) {
        assertThat(warnings(ask(turn))).doesNotContain("cache_key_rate");
        clock.advance(Duration.ofSeconds(3));
      }
      assertThat(warnings(ask(turn))).contains("cache_key_rate");
      clock.advance(Duration.ofSeconds(61));
      assertThat(warnings(ask(turn))).doesNotContain("cache_key_rate");
    }

    /** P-29: of requests that begin alike the first is sent alone, until it answers. */
    @Test
    void saysWhatCannotBeReadYet() {
      Contexture engine = engine(LedgerSettings.DEFAULT);
      Turn one = engine.browser(SCOPE.owner().conversation("c1")).startTurn("Weather?");
      Turn two = engine.browser(SCOPE.owner().conversation("c2")).startTurn("News?");
      ContextRequest first = ask(one);
      assertThat(warnings(first)).doesNotContain("prefix_not_readable_yet");
      assertThat(warnings(ask(two))).contains("prefix_not_readable_yet");
      assertThat(warnings(two.request("openai_chat", "gpt-5.6-terra").agent("atlas").build()))
          .as("it begins otherwise")
          .doesNotContain("prefix_not_readable_yet");
      one.answering(first.id());
      assertThat(warnings(ask(two))).doesNotContain("prefix_not_readable_yet");
      clock.advance(Duration.ofHours(2));
      ContextRequest cold = ask(one);
      assertThat(warnings(cold)).as("the others never answered").isEmpty();
      assertThat(warnings(ask(two))).contains("prefix_not_readable_yet");
      one.record(
          cold,
          """
          {"choices":[{"message":{"role":"assistant","content":"Rain."},"finish_reason":"stop"}]}\
          """);
      assertThat(warnings(ask(two))).doesNotContain("prefix_not_readable_yet");
    }
  }

  @Nested
  class Marking {
    /** P-26: requests that come every ten minutes outlive a cache of five. */
    @Test
    void asksForALongerLifeWhereRequestsComeSlowly() {
      Turn turn = chat().startTurn("Weather?");
      ContextRequest asked = request(turn);
      assertThat(asked.body()).contains("\"ttl\":\"5m\"").doesNotContain("\"ttl\":\"1h\"");
      for (int i = 1; i <= 3; i++) {
        clock.advance(Duration.ofMinutes(10));
        asked = round(turn, asked, i);
      }
      assertThat(asked.body()).contains("\"ttl\":\"1h\"").doesNotContain("\"ttl\":\"5m\"");
      for (int i = 4; i <= 9; i++) {
        clock.advance(Duration.ofSeconds(5));
        asked = round(turn, asked, i);
      }
      assertThat(asked.body()).contains("\"ttl\":\"5m\"").doesNotContain("\"ttl\":\"1h\"");
    }

    /** P-21: a side question reads what the conversation wrote. */
    @Test
    void aForkMarksWhatItsParentMarked() {
      Turn turn = chat().startTurn("Weather?");
      ContextRequest parent = round(turn, request(turn), 1);
      ContextRequest fork =
          turn.request("anthropic", CLAUDE)
              .instructions("You are Atlas. ".repeat(300))
              .tools(List.of(WEATHER))
              .cache(CachePolicy.DEFAULT.withIntent(CachePolicy.Intent.FORK))
              .build();
      assertThat(fork.request().marks())
          .extracting(mark -> mark.pointer())
          .isEqualTo(parent.request().marks().stream().map(mark -> mark.pointer()).toList());
    }
  }
}
