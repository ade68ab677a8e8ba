package dev.contexture.provider.foreign;

import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignMessage.Media;
import dev.contexture.provider.history.ForeignMessage.Opaque;
import dev.contexture.provider.history.ForeignMessage.Piece;
import dev.contexture.provider.history.ForeignMessage.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads contents as most programs write them: one text, or a list of parts with a type. */
final class ContentParts {
  private static final Set<String> TEXTS = Set.of("text", "input_text", "output_text");
  private static final Set<String> MEDIA =
      Set.of("image", "image_url", "file", "audio", "video", "document", "pdf", "input_image");

  private ContentParts() {}

  /** The pieces, numbered from a number. */
  static List<Piece> of(JsonValue content, int from, String place) {
    List<Piece> pieces = new ArrayList<>();
    switch (content) {
      case JsonString text -> pieces.add(new Text(from, text.value()));
      case JsonArray array -> {
        for (JsonValue item : array.items()) {
          pieces.add(piece(item, from + pieces.size(), place + "/" + pieces.size()));
        }
      }
      case JsonNull _unused -> {}
      default -> throw ChatUnit.malformed(place, content.kind(), "a text or a list of parts");
    }
    return pieces;
  }

  /** The same for what a tool gave: an object is its JSON. */
  static List<Piece> given(JsonValue content, String place) {
    return switch (content) {
      case JsonString _unused -> of(content, 0, place);
      case JsonArray array when isParts(array) -> of(content, 0, place);
      case JsonNull _unused -> List.of();
      default -> List.of(new Text(0, content.toJson()));
    };
  }

  private static boolean isParts(JsonArray array) {
    return !array.isEmpty()
        && array.items().stream()
            .allMatch(item -> item instanceof JsonObject part && part.string("type").isPresent());
  }

  private static Piece piece(JsonValue item, int at, String place) {
    if (item instanceof JsonString text) {
      return new Text(at, text.value());
    }
    if (!(item instanceof JsonObject part)) {
      throw ChatUnit.malformed(place, item.kind(), "a part");
    }
    String type = part.string("type").orElse("").toLowerCase(Locale.ROOT);
    if (TEXTS.contains(type) || (type.isEmpty() && part.string("text").isPresent())) {
      return new Text(at, part.string("text").orElse(""));
    }
    return MEDIA.contains(type)
        ? media(part, type, at, place)
        : new Opaque(at, type.isEmpty() ? "part" : type, part.toJson());
  }

  /** A medium, whichever of its many spellings it has. */
  private static Media media(JsonObject part, String type, int at, String place) {
    JsonObject in = inner(part, type);
    String mime = ChatUnit.text(in, "media_type", "mediaType", "mime_type", "mimeType", "mimetype");
    String known = mime == null ? mime(type) : mime;
    String given =
        ChatUnit.text(
            in, "data", "base64", "base64Data", "file_data", "url", "fileUri", "image", "file");
    if (given == null) {
      String text = type.equals("image_url") ? part.string("image_url").orElse("") : "";
      return at(at, known, text, ChatUnit.text(in, "file_id", "id"), place);
    }
    return at(at, known, given, null, place);
  }

  private static JsonObject inner(JsonObject part, String type) {
    return part.object("source")
        .or(() -> part.object(type))
        .or(() -> part.object("image"))
        .or(() -> part.object("file"))
        .orElse(part);
  }

  private static String mime(String type) {
    return switch (type) {
      case "image", "image_url", "input_image" -> "image/*";
      case "audio" -> "audio/*";
      case "video" -> "video/*";
      default -> "application/octet-stream";
    };
  }

  /** Media under a URL, in one, or as base64. */
  static Media at(int at, String mime, String given, @Nullable String fileId, String place) {
    if (given.isEmpty()) {
      return new Media(at, mime, null, null, fileId);
    }
    int comma = given.indexOf(";base64,");
    if (given.startsWith("data:") && comma > 0) {
      String own = given.substring("data:".length(), comma);
      return bytes(at, own, given.substring(comma + ";base64,".length()), place);
    }
    return given.contains("://") || given.length() < 16
        ? new Media(at, mime, null, given, fileId)
        : bytes(at, mime, given, place);
  }

  private static Media bytes(int at, String mime, String base64, String place) {
    try {
      return new Media(at, mime, Binary.ofBase64(base64), null, null);
    } catch (ContextureException | IllegalArgumentException broken) {
      throw ChatUnit.malformed(place, "other bytes", "a URL, or bytes in base64");
    }
  }
}
