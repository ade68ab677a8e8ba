package dev.contexture.provider.history;

import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.model.WireFinding;
import dev.contexture.request.history.ImportedHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sorts messages into turns. Confined to one thread.
 *
 * <p>A message of the user with anything but results opens a turn. A result goes behind the group
 * of its call, wherever it stood.
 */
final class TurnMaker {
  private final Instant ts;
  private final ImportedHistory.Options options;
  private final HistoryBlocks blocks;
  private final List<ImportedHistory.Instruction> instructions;
  private final List<WireFinding> findings;
  private final List<TurnDraft> turns = new ArrayList<>();
  private final Map<String, TurnDraft.Call> calls = new HashMap<>(); // by the id of the source
  private final Set<CallId> taken = new HashSet<>();
  private TurnDraft.@Nullable Group lastGroup; // results right behind it are not late

  TurnMaker(
      String format,
      Instant ts,
      ImportedHistory.Options options,
      List<ImportedHistory.Instruction> instructions,
      List<WireFinding> findings) {
    this.ts = ts;
    this.options = options;
    this.blocks = new HistoryBlocks(format, ts, options);
    this.instructions = instructions;
    this.findings = findings;
  }

  void add(ForeignMessage message) {
    switch (message.role()) {
      case INSTRUCTIONS -> instructions(message);
      case USER -> user(message);
      case ASSISTANT -> assistant(message);
    }
  }

  List<ImportedHistory.ImportedTurn> turns() {
    return turns.stream().map(turn -> turn.finish(blocks, findings)).toList();
  }

  private void instructions(ForeignMessage message) {
    for (ForeignMessage.Piece piece : message.pieces()) {
      String text =
          switch (piece) {
            case ForeignMessage.Text told -> told.text();
            case ForeignMessage.Opaque unknown -> unknown.json();
            default -> "";
          };
      if (!text.isBlank()) {
        instructions.add(new ImportedHistory.Instruction(message.index(), piece.part(), text));
        finding("instruction", message, piece, "a text for the system parts");
      } else if (!isEmpty(piece)) {
        finding("instruction", message, piece, "no text; it was left out");
      }
    }
  }

  private void user(ForeignMessage message) {
    List<ForeignMessage.Piece> rest = new ArrayList<>();
    for (ForeignMessage.Piece piece : message.pieces()) {
      if (piece instanceof ForeignMessage.Result result) {
        result(message, result);
      } else if (isEmpty(piece)) {
        finding("V04", message, piece, "empty content was left out");
      } else {
        rest.add(piece);
      }
    }
    nothing(message);
    if (!rest.isEmpty()) {
      open(message);
      lastGroup = null;
      current(message).add(blocks.input(current(message).id(), message, rest));
    }
  }

  private void nothing(ForeignMessage message) {
    if (message.pieces().isEmpty()) {
      findings.add(new WireFinding("V04", message.place(), "an empty message was left out"));
    }
  }

  private void result(ForeignMessage message, ForeignMessage.Result result) {
    TurnDraft.Call call = calls.get(result.id());
    if (call == null) {
      finding("V06", message, result, "result " + result.id() + " answers no call");
      current(message).add(blocks.orphan(current(message).id(), message, result));
      return;
    }
    if (!call.isIn(lastGroup)) {
      finding("V08", message, result, "result " + result.id() + " moved behind its call");
    } else if (call.isAnswered()) {
      finding("V10", message, result, "a second result of " + result.id() + " is kept");
    }
    call.answer(blocks.result(call, message, result));
  }

  private void assistant(ForeignMessage message) {
    List<ForeignMessage.Piece> said = new ArrayList<>();
    for (ForeignMessage.Piece piece : message.pieces()) {
      if (isEmpty(piece)) {
        finding("V04", message, piece, "empty content was left out");
      } else {
        said.add(piece);
      }
    }
    nothing(message);
    if (said.isEmpty()) {
      return;
    }
    TurnDraft.Group group = new TurnDraft.Group(current(message).id(), message, said);
    for (ForeignMessage.Piece piece : said) {
      if (piece instanceof ForeignMessage.Call call) {
        TurnDraft.Call made = group.call(call, id(message, call));
        calls.put(call.id(), made);
      }
    }
    current(message).add(group);
    lastGroup = group;
  }

  /** The engine's id; a new one where the source has it twice. */
  private CallId id(ForeignMessage message, ForeignMessage.Call call) {
    String base = call.id();
    CallId id = CallId.of(base);
    for (int n = 2; !taken.add(id); n++) {
      id = CallId.of(base + "_" + n);
      finding("V10", message, call, "id " + call.id() + " is taken, the call is now " + id);
    }
    return id;
  }

  private static boolean isEmpty(ForeignMessage.Piece piece) {
    return piece instanceof ForeignMessage.Text text && text.text().isBlank();
  }

  private TurnDraft current(ForeignMessage message) {
    if (turns.isEmpty()) {
      open(message);
    }
    return turns.getLast();
  }

  private void open(ForeignMessage message) {
    String id = "imp_" + options.importId() + "_" + (turns.size() + 1);
    turns.add(new TurnDraft(TurnId.of(id), message.at() == null ? ts : message.at()));
  }

  private void finding(
      String code, ForeignMessage message, ForeignMessage.Piece piece, String reason) {
    String pointer = message.place() + "/content/" + piece.part();
    findings.add(new WireFinding(code, pointer, reason));
  }
}
