package dev.contexture.request.history;

import dev.contexture.block.Block;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.model.WireFinding;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A foreign message list as turns.
 *
 * @param turns in order, complete
 * @param instructions what the list told the model; the host's system parts
 * @param findings what was repaired and why; the codes are those of requests, or {@code
 *     instruction}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ImportedHistory(
    List<ImportedTurn> turns, List<Instruction> instructions, List<WireFinding> findings) {
  public ImportedHistory {
    turns = List.copyOf(turns);
    instructions = List.copyOf(instructions);
    findings = List.copyOf(findings);
  }

  /**
   * One turn with all of its blocks.
   *
   * @param meta what is known beside them: format, model, instructions
   */
  public record ImportedTurn(TurnId id, List<Block> blocks, JsonObject meta) {
    public ImportedTurn {
      blocks = List.copyOf(blocks);
    }

    /** Nothing is known beside the blocks. */
    public ImportedTurn(TurnId id, List<Block> blocks) {
      this(id, blocks, JsonObject.EMPTY);
    }
  }

  /**
   * A text for the system.
   *
   * @param message index of its message; -1 where it stood beside the messages
   * @param part index of its part
   */
  public record Instruction(int message, int part, String text) {}

  /**
   * Options for reading a list.
   *
   * @param importId names the import: turns are {@code imp_<importId>_<n>}
   * @param ts the time of every block; null: now, which only an engine knows
   * @param model the model that spoke, where the messages do not say; null: not known, so that its
   *     opaque parts are never sent
   * @param agent whose turns they are; null: nobody's
   */
  public record Options(
      String importId, @Nullable Instant ts, @Nullable String model, @Nullable String agent) {
    /** Turns of no agent. */
    public Options(String importId, @Nullable Instant ts, @Nullable String model) {
      this(importId, ts, model, null);
    }

    /** The same, at this time if none is given. */
    public Options at(Instant now) {
      return ts == null ? new Options(importId, now, model, agent) : this;
    }
  }
}
