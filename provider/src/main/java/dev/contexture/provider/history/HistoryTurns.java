package dev.contexture.provider.history;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.model.WireFinding;
import dev.contexture.request.history.ImportedHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** Makes the turns of a foreign conversation. */
@API(status = API.Status.INTERNAL, since = "0.2")
public final class HistoryTurns {
  private static final int BESIDE = -1; // the message index of a text beside the messages

  private HistoryTurns() {}

  /**
   * The turns of a conversation.
   *
   * @param format how it was written, for what is known beside the turns
   * @param maker whose opaque parts are in it
   * @throws ContextureException {@code field_required} if no time is known, {@code
   *     import_malformed} if nobody says anything
   */
  public static ImportedHistory of(
      String format, String maker, ForeignChat chat, ImportedHistory.Options options) {
    Instant ts = options.ts();
    if (ts == null) {
      throw ContextureException.invalid(ErrorCode.FIELD_REQUIRED, "ts", null, "a time");
    }
    ImportedHistory.Options known =
        chat.model() == null
            ? options
            : new ImportedHistory.Options(options.importId(), ts, chat.model(), options.agent());
    List<ImportedHistory.Instruction> instructions = new ArrayList<>();
    List<WireFinding> findings = new ArrayList<>();
    for (String text : chat.instructions()) {
      instructions.add(new ImportedHistory.Instruction(BESIDE, instructions.size(), text));
      findings.add(new WireFinding("instruction", "/system", "a text for the system parts"));
    }
    TurnMaker turns = new TurnMaker(maker, ts, known, instructions, findings);
    CallPairs.paired(chat.timed(ts)).forEach(turns::add);
    List<ImportedHistory.ImportedTurn> made = turns.turns();
    if (made.isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.IMPORT_MALFORMED,
          "messages",
          chat.messages().isEmpty() ? "empty" : "without anything that a user or a model says",
          "messages of a user or a model, in the format " + format);
    }
    return new ImportedHistory(
        withMeta(made, meta(format, known, instructions)), instructions, findings);
  }

  private static List<ImportedHistory.ImportedTurn> withMeta(
      List<ImportedHistory.ImportedTurn> turns, JsonObject meta) {
    List<ImportedHistory.ImportedTurn> all = new ArrayList<>();
    for (ImportedHistory.ImportedTurn turn : turns) {
      JsonObject own = all.isEmpty() ? meta : meta.without("instructions");
      all.add(
          new ImportedHistory.ImportedTurn(turn.id(), turn.blocks(), JsonObject.of("import", own)));
    }
    return all;
  }

  private static JsonObject meta(
      String format,
      ImportedHistory.Options options,
      List<ImportedHistory.Instruction> instructions) {
    JsonObject.Builder meta = JsonObject.builder().put("format", format);
    meta.putIfPresent("model", options.model());
    if (!instructions.isEmpty()) {
      meta.put(
          "instructions",
          JsonArray.ofStrings(
              instructions.stream().map(ImportedHistory.Instruction::text).toList()));
    }
    return meta.build();
  }
}
