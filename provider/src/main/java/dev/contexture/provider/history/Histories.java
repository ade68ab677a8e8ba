package dev.contexture.provider.history;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.model.WireFinding;
import dev.contexture.request.ImportedHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** Reads foreign message lists as turns. Pure. */
@API(status = API.Status.STABLE, since = "0.1")
public final class Histories {
  private static final int BESIDE = -1; // the message index of a text beside the messages

  private Histories() {}

  /**
   * Reads one list.
   *
   * @param format {@code openai} or {@code anthropic}
   * @param given the list, or a body that holds it
   * @throws ContextureException {@code import_malformed} with the place if it is no such list
   */
  public static ImportedHistory read(String format, String given, ImportedHistory.Options options) {
    String json = SendableText.paired(given);
    ListReader reader =
        switch (format) {
          case "openai" -> new OpenAiList();
          case "anthropic" -> new AnthropicList();
          default ->
              throw ContextureException.invalid(
                  ErrorCode.INVALID_ARGUMENT, "format", format, "openai or anthropic");
        };
    JsonValue value = JsonValue.parse(json);
    String list = json;
    JsonObject body = JsonObject.EMPTY;
    if (value instanceof JsonObject object) {
      body = object;
      list = JsonText.member(json, "messages").orElse("null");
    }
    if (!list.strip().startsWith("[")) {
      throw ListReader.malformed("/messages", "another value", "an array of messages");
    }
    Instant ts = options.ts();
    if (ts == null) {
      throw ContextureException.invalid(ErrorCode.FIELD_REQUIRED, "ts", null, "a time");
    }
    List<ImportedHistory.Instruction> instructions = new ArrayList<>();
    List<WireFinding> findings = new ArrayList<>();
    if (format.equals("anthropic")) {
      for (ListReader.Part part : ListReader.parts(body, body.toJson(), "system", "")) {
        String text = part.json().string("text").orElse("");
        instructions.add(new ImportedHistory.Instruction(BESIDE, instructions.size(), text));
        findings.add(new WireFinding("instruction", "/system", "a text for the system parts"));
      }
    }
    TurnMaker maker = new TurnMaker(format, ts, options, instructions, findings);
    reader.read(list.strip()).forEach(maker::add);
    return new ImportedHistory(maker.turns(), instructions, findings);
  }

  /** Where each text ends in the joined one. */
  static JsonArray ends(List<String> texts, int between) {
    List<JsonValue> ends = new ArrayList<>();
    int end = 0;
    for (String text : texts) {
      end += text.length();
      ends.add(JsonValue.of(end));
      end += between;
    }
    return new JsonArray(ends);
  }
}
