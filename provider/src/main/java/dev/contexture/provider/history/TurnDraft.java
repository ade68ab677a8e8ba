package dev.contexture.provider.history;

import dev.contexture.block.Block;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.model.WireFinding;
import dev.contexture.request.history.ImportedHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One turn while the list is read. Confined to one thread. */
final class TurnDraft {
  private final TurnId id;
  private final Instant at;
  private final List<Object> items = new ArrayList<>(); // lists of blocks, and groups

  TurnDraft(TurnId id, Instant at) {
    this.id = id;
    this.at = at;
  }

  TurnId id() {
    return id;
  }

  void add(List<Block> blocks) {
    items.add(blocks);
  }

  void add(Group group) {
    items.add(group);
  }

  /** Header, then everything in the order of the source, results behind their group. */
  ImportedHistory.ImportedTurn finish(HistoryBlocks maker, List<WireFinding> findings) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(maker.header(id, at));
    Group last = null;
    for (Object item : items) {
      last = item instanceof Group group ? group : last;
    }
    for (Object item : items) {
      if (item instanceof Group group) {
        blocks.addAll(maker.said(group, group == last));
        group.calls.forEach(call -> blocks.addAll(call.results(maker, findings)));
      } else {
        ((List<?>) item).forEach(block -> blocks.add((Block) block));
      }
    }
    return new ImportedHistory.ImportedTurn(id, blocks);
  }

  /** The text of the assistant in one message, and its calls. */
  static final class Group {
    private final TurnId turn;
    private final ForeignMessage message;
    private final List<ForeignMessage.Piece> said;
    private final List<Call> calls = new ArrayList<>();

    Group(TurnId turn, ForeignMessage message, List<ForeignMessage.Piece> said) {
      this.turn = turn;
      this.message = message;
      this.said = List.copyOf(said);
    }

    Call call(ForeignMessage.Call call, CallId callId) {
      Call made = new Call(this, call, callId);
      calls.add(made);
      return made;
    }

    TurnId turn() {
      return turn;
    }

    ForeignMessage message() {
      return message;
    }

    List<ForeignMessage.Piece> said() {
      return said;
    }

    List<Call> calls() {
      return calls;
    }
  }

  /** A call and its results. */
  static final class Call {
    private final Group group;
    private final ForeignMessage.Call source;
    private final CallId id;
    private final List<Block> results = new ArrayList<>();

    private Call(Group group, ForeignMessage.Call source, CallId id) {
      this.group = group;
      this.source = source;
      this.id = id;
    }

    Group group() {
      return group;
    }

    ForeignMessage.Call source() {
      return source;
    }

    CallId id() {
      return id;
    }

    boolean isIn(@Nullable Group other) {
      return group == other;
    }

    boolean isAnswered() {
      return !results.isEmpty();
    }

    void answer(List<Block> blocks) {
      results.addAll(blocks);
    }

    private List<Block> results(HistoryBlocks maker, List<WireFinding> findings) {
      if (!results.isEmpty()) {
        return results;
      }
      String pointer = group.message.place() + "/content/" + source.part();
      findings.add(new WireFinding("V07", pointer, "call " + source.id() + " has no result"));
      return List.of(maker.missing(this));
    }
  }
}
