package dev.contexture.server.conversation;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.request.history.ImportedHistory;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.FileAnswers;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.turn.ImportResult;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes a foreign history in. */
final class ImportRoute {
  private static final int ID_DIGITS = 16;

  private ImportRoute() {}

  /** The import is named after its content unless the caller names it, so a repeat adds nothing. */
  static Response importHistory(Call call) {
    RequestFields body =
        call.body("format", "messages", "system", "import_id", "model", "agent", "ts");
    String format = body.requiredString("format");
    Map<String, String> members = JsonText.members(call.text());
    String messages = members.get("messages");
    if (messages == null) {
      throw RequestFields.required("messages", "an array of messages");
    }
    String system = members.get("system");
    String json =
        "{"
            + (system == null ? "" : "\"system\":" + system + ",")
            + "\"messages\":"
            + messages
            + "}";
    String named = body.string("import_id");
    String id = named == null ? sha256(json).substring(0, ID_DIGITS) : named;
    @Nullable Instant ts = body.ts("ts");
    String agent =
        body.fields()
            .string("agent")
            .map(call::agent)
            .orElseGet(() -> call.caller().grant().agent());
    ImportResult imported =
        call.loaded(call.startable())
            .importHistory(
                format, json, new ImportedHistory.Options(id, ts, body.string("model"), agent));
    return Response.created(write(imported));
  }

  private static JsonObject write(ImportResult imported) {
    return JsonObject.builder()
        .put("turns", imported.turns())
        .put("blocks", imported.blocks())
        .putAll(FileAnswers.write(imported.history()))
        .build();
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
