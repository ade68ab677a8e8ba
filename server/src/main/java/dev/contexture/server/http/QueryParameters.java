package dev.contexture.server.http;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request, read strictly: what cannot be decoded, or is there twice, would otherwise
 * count as absent or as one of the two, and mean something that nobody asked for. Immutable.
 */
final class QueryParameters {
  private final Map<String, String> values;

  private QueryParameters(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Reads the text behind the question mark.
   *
   * @param known the names that may be given
   * @throws ContextureException {@code unknown_field} for another name, {@code invalid_argument}
   *     for one that is given twice or cannot be decoded
   */
  static QueryParameters of(@Nullable String text, Set<String> known) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String pair : text == null ? new String[0] : text.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String spelled = equals < 0 ? pair : pair.substring(0, equals);
      String name = decoded(spelled).orElse(spelled);
      if (!known.contains(name)) {
        throw ContextureException.unknown(
            ErrorCode.UNKNOWN_FIELD,
            name,
            known.isEmpty() ? "no query parameter" : String.join(", ", new TreeSet<>(known)));
      }
      String given = equals < 0 ? "" : pair.substring(equals + 1);
      String value =
          decoded(given)
              .orElseThrow(
                  () -> refused(name, given, "UTF-8 in which % is followed by two hex digits"));
      if (values.putIfAbsent(name, value) != null) {
        throw refused(name, "given twice", "at most once");
      }
    }
    return new QueryParameters(values);
  }

  private static ContextureException refused(String name, String actual, String allowed) {
    return ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, name, actual, allowed);
  }

  /** The text that is meant; empty if nothing is. */
  private static Optional<String> decoded(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3); // a character has three at most
    for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
      int c = text.codePointAt(i);
      if (c == '%') {
        int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          return Optional.empty();
        }
        bytes.put((byte) ((high << 4) | low));
        i += 2;
      } else {
        bytes.put(Character.toString(c == '+' ? ' ' : c).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString());
    } catch (CharacterCodingException notUtf8) {
      return Optional.empty();
    }
  }

  Optional<String> find(String name) {
    return Optional.ofNullable(values.get(name));
  }
}
