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
import dev.contexture.engine.ledger.RequestDifference;
import dev.contexture.error.ContextureException;
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
import dev.contexture.timeline.PoolSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** P-50 to P-55: what was sent is compared and explained. */
class LedgerTest extends LedgerFixture {
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
