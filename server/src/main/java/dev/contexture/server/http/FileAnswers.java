package dev.contexture.server.http;

import dev.contexture.engine.archive.ArchiveReport;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.model.WireFinding;
import dev.contexture.request.history.ImportedHistory;
import dev.contexture.turn.FileReport;
import org.apiguardian.api.API;

/** Writes reports of imported files. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FileAnswers {
  private FileAnswers() {}

  public static JsonObject write(FileReport report) {
    return JsonObject.builder()
        .put(
            "conversations",
            ResponseForms.array(report.chats().stream().map(FileAnswers::chat).toList()))
        .put(
            "memory",
            ResponseForms.array(report.memory().stream().map(FileAnswers::block).toList()))
        .build();
  }

  private static JsonObject chat(FileReport.ChatImport imported) {
    return JsonObject.builder()
        .put("conversation_id", imported.chat().id())
        .put("format", imported.chat().format().wireName())
        .putIfPresent("title", imported.chat().title())
        .putIfPresent("agent", imported.chat().agent())
        .put("turns", imported.turns())
        .put("known_turns", imported.chat().history().turns().size() - imported.turns())
        .put("blocks", imported.blocks())
        .putAll(write(imported.chat().history()))
        .build();
  }

  private static JsonObject block(FileReport.MemoryWrite block) {
    return JsonObject.builder()
        .put("agent", block.agent())
        .put("label", block.label())
        .put("format", block.format().wireName())
        .put("stored", block.stored())
        .build();
  }

  /** What was beside the turns of a history, and what had to be repaired. */
  public static JsonObject write(ImportedHistory history) {
    return JsonObject.builder()
        .put(
            "instructions",
            JsonArray.ofStrings(
                history.instructions().stream().map(ImportedHistory.Instruction::text).toList()))
        .put(
            "repairs",
            ResponseForms.array(
                history.findings().stream()
                    .filter(finding -> !finding.code().equals("instruction"))
                    .map(FileAnswers::repair)
                    .toList()))
        .build();
  }

  private static JsonObject repair(WireFinding finding) {
    return JsonObject.builder()
        .put("code", finding.code())
        .put("where", finding.pointer())
        .put("reason", finding.message())
        .build();
  }

  public static JsonObject write(ArchiveReport report) {
    return JsonObject.builder()
        .put("conversations", report.conversations())
        .put("turns", report.turns())
        .put("blocks", report.blocks())
        .put("entries", report.entries())
        .put("unchanged", report.unchanged())
        .build();
  }
}
