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
import java.util.ArrayList;
import java.util.List;

/** What the readers of both formats share. */
abstract class ListReader {
  /** The messages of a list. */
  final List<ForeignMessage> read(String listText) {
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

  abstract ForeignMessage message(JsonObject message, String raw, int index, String pointer);

  static ContextureException malformed(String pointer, String found, String expected) {
    return ContextureException.invalid(ErrorCode.IMPORT_MALFORMED, pointer, found, expected);
  }

  /** The parts of a content with their JSON; a string is one text, null is nothing. */
  static List<Part> parts(JsonObject parent, String raw, String key, String pointer) {
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
  record Part(JsonObject json, String raw) {
    String type() {
      return json.string("type").orElse("");
    }
  }

  /** Media behind a URL, whose bytes may be in it. */
  static ForeignMessage.Media media(int part, String mime, String url) {
    int comma = url.indexOf(";base64,");
    if (!url.startsWith("data:") || comma < 0) {
      return new ForeignMessage.Media(part, mime, null, url, null);
    }
    String type = url.substring("data:".length(), comma);
    Binary data = Binary.ofBase64(url.substring(comma + ";base64,".length()));
    return new ForeignMessage.Media(part, type, data, null, null);
  }
}
