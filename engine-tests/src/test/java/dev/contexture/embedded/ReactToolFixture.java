package dev.contexture.embedded;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.TurnId;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.StoredBlock;
import dev.contexture.turn.TurnStart;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** An open turn of an agent that works on its own conversation. */
abstract class ReactToolFixture extends ToolFixture {
  static final TurnId T1 = TurnId.of("t1");
  ContextBrowser chat;
  Turn turn;
  AgentTools tools;

  @BeforeEach
  void start() {
    chat = engine.browser(SHOP.user("u1").conversation("c1"));
    turn = chat.startTurn(TurnStart.prompt("go").id(T1).agent("atlas"));
    tools = engine.agentTools(chat, "atlas");
  }

  List<StoredBlock> perform(String tool, String params) {
    return tools.perform(tool, (JsonObject) JsonValue.parse(params.replace('\'', '"')), null);
  }

  static JsonObject status(List<StoredBlock> round) {
    return round.stream()
        .map(StoredBlock::block)
        .filter(block -> block.type().isResult())
        .map(block -> (JsonObject) JsonValue.parse(block.text().orElseThrow()))
        .findFirst()
        .orElseThrow();
  }
}
