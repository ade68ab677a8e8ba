package dev.contexture.provider.wire;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the messages in the bytes of bodies. Confined to one thread.
 *
 * <p>Bodies of one conversation share most of their pieces, so 1. the pieces that a body begins
 * with as the one before did are found; 2. messages that end there are where they were; 3. behind
 * the last of them the bytes are followed again, only as far as strings and brackets go. What the
 * text in between means is for the reader of the messages to say.
 */
final class MessageCuts {
  private final String member;
  private List<byte[]> pieces = List.of();
  private final List<Cut> cuts = new ArrayList<>();
  private @Nullable Place open; // the bracket that opens the messages; null: there is none
  private Place close = new Place(0, 0); // the one that closes them
  private byte[] bytes = new byte[0]; // the piece that is read
  private int piece;
  private int offset;

  /** Looks for messages under this name. */
  MessageCuts(String member) {
    this.member = member;
  }

  /** A byte. */
  private record Place(int piece, int offset) {}

  /** A message: its first and its last byte. */
  private record Cut(Place first, Place last) {}

  /**
   * Takes the next body.
   *
   * @return how many messages at its beginning the body before had, too
   * @throws ContextureException {@code malformed_json} if strings and brackets lead nowhere
   */
  int next(List<byte[]> body) {
    int kept = kept(body);
    Place opened = kept > 0 ? open : null;
    Place from = kept > 0 ? cuts.get(kept - 1).last : new Place(0, 0);
    cuts.subList(kept, cuts.size()).clear();
    open = null; // until all of it was followed
    pieces = body;
    go(from);
    if (opened == null) {
      opened = find();
    } else {
      step();
    }
    if (opened != null) {
      messages(opened.equals(place()));
      onlyOnce();
    }
    open = opened;
    return kept;
  }

  /** Whether there is an array of messages. */
  boolean found() {
    return open != null;
  }

  int size() {
    return cuts.size();
  }

  /** The text of a message. */
  String text(int message) {
    Cut cut = cuts.get(message);
    return new String(between(cut.first, cut.last), StandardCharsets.UTF_8);
  }

  /** Everything but the messages, as an object whose messages are empty. */
  byte[] rest() {
    Place last = new Place(pieces.size() - 1, pieces.getLast().length - 1);
    if (open == null) {
      return between(new Place(0, 0), last);
    }
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    rest.writeBytes(between(new Place(0, 0), open));
    rest.writeBytes(between(close, last));
    return rest.toByteArray();
  }

  private int kept(List<byte[]> body) {
    if (open == null) {
      return 0;
    }
    int common = 0;
    int most = Math.min(pieces.size(), body.size());
    while (common < most && Arrays.equals(pieces.get(common), body.get(common))) {
      common++;
    }
    int kept = cuts.size();
    while (kept > 0 && cuts.get(kept - 1).last.piece >= common) {
      kept--;
    }
    return kept;
  }

  private byte[] between(Place first, Place last) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = first.piece; i <= last.piece; i++) {
      byte[] from = pieces.get(i);
      int start = i == first.piece ? first.offset : 0;
      int end = i == last.piece ? last.offset + 1 : from.length;
      out.write(from, start, end - start);
    }
    return out.toByteArray();
  }

  /** Follows the members up to the messages; null if there are none, or no array. */
  private @Nullable Place find() {
    expect('{');
    for (boolean more = peek() != '}'; more; more = expect(',')) {
      Place first = here();
      value();
      boolean messages = isMember(first);
      step();
      expect(':');
      if (messages && peek() == '[') {
        return place();
      }
      value();
      step();
      if (peek() != ',') {
        break;
      }
    }
    return null;
  }

  private boolean isMember(Place first) {
    byte[] key = between(first, place());
    return Arrays.equals(key, ("\"" + member + "\"").getBytes(StandardCharsets.UTF_8));
  }

  /** Follows messages up to the bracket that closes them. */
  private void messages(boolean atStart) {
    if (atStart) {
      step();
      if (peek() == ']') {
        close = place();
        return;
      }
      message();
    }
    while (peek() == ',') {
      step();
      message();
    }
    if (peek() != ']') {
      throw malformed("']'");
    }
    close = place();
  }

  /** Readers differ in which of two members of one name they take. */
  private void onlyOnce() {
    step();
    while (peek() == ',') {
      step();
      Place first = here();
      value();
      if (isMember(first)) {
        throw malformed(member + " only once");
      }
      step();
      expect(':');
      value();
      step();
    }
  }

  private void message() {
    Place first = here();
    value();
    cuts.add(new Cut(first, place()));
    step();
  }

  /** Goes to the last byte of a value; its first one is the next that is no space. */
  private void value() {
    int first = peek();
    if (first == '"') {
      string();
    } else if (first == '{' || first == '[') {
      nested();
    } else {
      scalar();
    }
  }

  private void string() {
    for (int next = read(); next != '"'; next = read()) {
      if (next == '\\') {
        read();
      }
    }
  }

  private void nested() {
    int depth = 1;
    while (depth > 0) {
      int next = read();
      if (next == '"') {
        string();
      } else if (next == '{' || next == '[') {
        depth++;
      } else if (next == '}' || next == ']') {
        depth--;
      }
    }
  }

  private void scalar() {
    Place last = place();
    while (!isEnd(bytes[offset])) {
      last = place();
      read();
    }
    go(last);
  }

  private static boolean isEnd(byte b) {
    return b == ',' || b == '}' || b == ']' || b == ':' || isSpace(b);
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private boolean expect(char wanted) {
    if (peek() != wanted) {
      throw malformed("'" + wanted + "'");
    }
    step();
    return true;
  }

  /** The next byte that is no space, which stays the next. */
  private int peek() {
    normalize();
    while (isSpace(bytes[offset])) {
      read();
    }
    return bytes[offset];
  }

  private Place here() {
    peek();
    return place();
  }

  private Place place() {
    return new Place(piece, offset);
  }

  private void go(Place place) {
    piece = place.piece;
    offset = place.offset;
    bytes = piece < pieces.size() ? pieces.get(piece) : new byte[0];
  }

  /** Goes behind the byte that was read last; the body may end there. */
  private void step() {
    offset++;
  }

  /** Goes to the next byte and returns it. */
  private int read() {
    offset++;
    normalize();
    return bytes[offset];
  }

  private void normalize() {
    while (offset >= bytes.length) {
      if (++piece >= pieces.size()) {
        throw malformed("more text");
      }
      bytes = pieces.get(piece);
      offset = 0;
    }
  }

  private ContextureException malformed(String expected) {
    return new ContextureException(
        ErrorCode.MALFORMED_JSON,
        "the text is not the JSON it should be: expected " + expected,
        Map.of("field", "json"),
        null);
  }
}
