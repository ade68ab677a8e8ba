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
import dev.contexture.request.history.ImportedHistory;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** Reads the message lists of one provider as turns. Pure. */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract class ForeignHistoryReader {
  /**
   * Reads one list.
   *
   * @param format what the list is called
   * @param maker whose opaque parts are in it
   * @param given the list, or a body that holds it
   * @throws ContextureException {@code import_malformed} with the place if it is no such list
   */
  public final ImportedHistory read(
      String format, String maker, String given, ImportedHistory.Options options) {
    return HistoryTurns.of(format, maker, chat(given), options);
  }

  /**
   * Reads one list, without making turns of it.
   *
   * @throws ContextureException {@code import_malformed} with the place if it is no such list
   */
  public ForeignChat chat(String given) {
    String json = SendableText.paired(given);
    JsonValue value = JsonValue.parse(json);
    JsonObject body = value instanceof JsonObject object ? object : JsonObject.EMPTY;
    String list =
        value instanceof JsonObject
            ? members().stream()
                .flatMap(name -> JsonText.member(json, name).stream())
                .findFirst()
                .orElse("null")
            : json;
    if (!list.strip().startsWith("[")) {
      throw malformed("/" + members().getFirst(), "another value", "an array of messages");
    }
    return ForeignChat.of(messages(list.strip()))
        .model(body.string("model").orElse(null))
        .told(
            instructions(body).stream()
                .map(part -> part.json().string("text").orElse(""))
                .filter(text -> !text.isBlank())
                .toList());
  }

  /** The members of a body of which the first that it has is the list. */
  protected List<String> members() {
    return List.of("messages");
  }

  /** The instructions that a body has beside its messages. */
  protected List<Part> instructions(JsonObject body) {
    return List.of();
  }

  /** Reads one message. */
  protected abstract ForeignMessage message(
      JsonObject message, String raw, int index, String pointer);

  /** Reads all messages. */
  protected List<ForeignMessage> messages(String listText) {
    List<ForeignMessage> sources = new ArrayList<>();
    List<String> raws = JsonText.items(listText);
    for (int i = 0; i < raws.size(); i++) {
      String pointer = "/" + members().getFirst() + "/" + i;
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
