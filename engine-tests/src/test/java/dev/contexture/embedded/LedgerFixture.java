package dev.contexture.embedded;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.event.Change;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.ToolDef;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.Reply;
import java.util.ArrayList;
import java.util.List;

/** A conversation whose requests are kept, and how tests send one. */
abstract class LedgerFixture {
  static final Scope.OfConversation SCOPE = Scope.of("acme", "shop").user("u42").conversation("c1");

  static final String CLAUDE = "claude-opus-5";
  static final ToolDef WEATHER =
      new ToolDef("weather", "Weather of a city.", "{\"type\":\"object\"}");

  final InMemoryStore store = new InMemoryStore();
  final FakeClock clock = FakeClock.atStart();
  final List<Change> changes = new ArrayList<>();

  Contexture engine(LedgerSettings settings) {
    Contexture engine =
        Contexture.builder(store)
            .clock(clock)
            .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
            .ledger(settings)
            .build();
    engine.changes().subscribe(changes::add);
    return engine;
  }

  ContextBrowser chat() {
    return engine(LedgerSettings.DEFAULT).browser(SCOPE);
  }

  static ContextRequest request(Turn turn) {
    return turn.request("anthropic", CLAUDE)
        .instructions("You are Atlas. ".repeat(300))
        .tools(List.of(WEATHER))
        .build();
  }

  /** A call and its result. */
  static ContextRequest round(Turn turn, ContextRequest asked, int number) {
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

  static double amount(JsonObject of, String name) {
    return ((JsonNumber) of.find(name).orElseThrow()).decimal().doubleValue();
  }
}
