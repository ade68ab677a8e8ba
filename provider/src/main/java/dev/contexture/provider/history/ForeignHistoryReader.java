package dev.contexture.provider.history;

import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.model.WireFinding;
import dev.contexture.request.ImportedHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** Reads the message lists of one provider as turns. Pure. */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract class ForeignHistoryReader {
  private static final int BESIDE = -1; // the message index of a text beside the messages

  /**
   * Reads one list.
   *
   * @param format the provider's name
   * @param given the list, or a body that holds it
   * @throws ContextureException {@code import_malformed} with the place if it is no such list
   */
  public final ImportedHistory read(String format, String given, ImportedHistory.Options options) {
    String json = SendableText.paired(given);
    JsonValue value = JsonValue.parse(json);
    JsonObject body = value instanceof JsonObject object ? object : JsonObject.EMPTY;
    String list =
        value instanceof JsonObject ? JsonText.member(json, "messages").orElse("null") : json;
    if (!list.strip().startsWith("[")) {
      throw malformed("/messages", "another value", "an array of messages");
    }
    Instant ts = options.ts();
    if (ts == null) {
      throw ContextureException.invalid(ErrorCode.FIELD_REQUIRED, "ts", null, "a time");
    }
    List<ImportedHistory.Instruction> instructions = new ArrayList<>();
    List<WireFinding> findings = new ArrayList<>();
    for (Part part : instructions(body)) {
      String text = part.json().string("text").orElse("");
      instructions.add(new ImportedHistory.Instruction(BESIDE, instructions.size(), text));
      findings.add(new WireFinding("instruction", "/system", "a text for the system parts"));
    }
    TurnMaker maker = new TurnMaker(format, ts, options, instructions, findings);
    read(list.strip()).forEach(maker::add);
    return new ImportedHistory(maker.turns(), instructions, findings);
  }

  /** The instructions that a body has beside its messages. */
  protected List<Part> instructions(JsonObject body) {
    return List.of();
  }

  /** Reads one message. */
  protected abstract ForeignMessage message(
      JsonObject message, String raw, int index, String pointer);

  private List<ForeignMessage> read(String listText) {
    List<ForeignMessage> sources = new ArrayList<>();
    List<String> raws = JsonText.items(listText);
    for (int i = 0; i < raws.size(); i++) {
      String pointer = "/messages/" + i;
      if (!(JsonValue.parse(raws.get(i)) instanceof JsonObject message)) {
        throw malformed(pointer, "another value", "a message");
      }
      sources.add(message(message, raws.get(i), i, pointer));
    }
    return sources;
  }

  protected static ContextureException malformed(String pointer, String found, String expected) {
    return ContextureException.invalid(ErrorCode.IMPORT_MALFORMED, pointer, found, expected);
  }

  /** The parts of a content with their JSON; a string is one text, null is nothing. */
  protected static List<Part> parts(JsonObject parent, String raw, String key, String pointer) {
    JsonValue content = parent.find(key).orElse(JsonNull.NULL);
    List<Part> parts = new ArrayList<>();
    if (content instanceof JsonString text) {
      JsonObject part = JsonObject.builder().put("type", "text").put("text", text.value()).build();
      parts.add(new Part(part, part.toJson()));
    } else if (content instanceof JsonArray array) {
      List<String> raws = JsonText.items(JsonText.member(raw, key).orElse("[]"));
      for (int i = 0; i < array.size(); i++) {
        if (!(array.items().get(i) instanceof JsonObject part)) {
          throw malformed(pointer + "/" + key + "/" + i, "another value", "a part");
        }
        parts.add(new Part(part, JsonText.minify(raws.get(i))));
      }
    } else if (content != JsonNull.NULL) {
      throw malformed(pointer + "/" + key, content.kind(), "a text or an array of parts");
    }
    return parts;
  }

  /** A part and its JSON without white space. */
  public record Part(JsonObject json, String raw) {
    public String type() {
      return json.string("type").orElse("");
    }
  }

  /** Media behind a URL, whose bytes may be in it. */
  protected static ForeignMessage.Media media(int part, String mime, String url) {
    int comma = url.indexOf(";base64,");
    if (!url.startsWith("data:") || comma < 0) {
      return new ForeignMessage.Media(part, mime, null, url, null);
    }
    String type = url.substring("data:".length(), comma);
    Binary data = Binary.ofBase64(url.substring(comma + ";base64,".length()));
    return new ForeignMessage.Media(part, type, data, null, null);
  }
}
