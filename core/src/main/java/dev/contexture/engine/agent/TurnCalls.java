package dev.contexture.engine.agent;

import dev.contexture.block.CallId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.StoredBlock;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.tool.RuleCall;
import dev.contexture.tool.RuleEngine;
import dev.contexture.tool.RuleState;
import dev.contexture.turn.TurnLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** The calls of a turn, as rules see them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TurnCalls {
  private TurnCalls() {}

  /** A call and what came of it. */
  private static final class Made {
    private final RuleCall call;
    private boolean answered;
    private boolean failed;

    Made(RuleCall call) {
      this.call = call;
    }
  }

  /**
   * The state of the rules after the calls of a turn so far. A call without a result was not
   * executed yet. One that the rules refuse and that has an error for a result was refused: it
   * counts for nothing.
   */
  public static RuleState state(RuleEngine rules, TurnLog turn) {
    RuleState state = RuleState.EMPTY;
    for (Made made : calls(turn)) {
      boolean refused = made.failed && rules.check(state, made.call).isPresent();
      if (made.answered && !refused) {
        state = rules.record(state, made.call, !made.failed);
      }
    }
    return state;
  }

  private static List<Made> calls(TurnLog turn) {
    List<Made> calls = new ArrayList<>();
    Map<CallId, Made> newest = new HashMap<>();
    for (StoredBlock stored : turn.blocks()) {
      TimelineEntry entry = TimelineEntry.of(stored.block());
      CallId id = entry.callId().orElse(null);
      if (id == null) {
        continue;
      }
      if (stored.block().type().isCall()) {
        Made made = new Made(call(entry));
        calls.add(made);
        newest.put(id, made);
      } else if (stored.block().type().isResult() && newest.containsKey(id)) {
        Made made = newest.get(id);
        made.answered = true;
        made.failed |= stored.block().isError();
      }
    }
    return calls;
  }

  private static RuleCall call(TimelineEntry entry) {
    String arguments =
        entry
            .jsonObject()
            .flatMap(json -> json.find("params"))
            .filter(JsonObject.class::isInstance)
            .map(JsonValue::toJson)
            .orElse("{}");
    return RuleCall.of(entry.ownToolId().orElse(""), arguments);
  }
}
