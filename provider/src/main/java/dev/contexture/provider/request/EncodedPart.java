package dev.contexture.provider.request;

import dev.contexture.json.JsonString;
import dev.contexture.json.SendableText;
import dev.contexture.request.Fingerprint;
import dev.contexture.request.RequestBody;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part in a provider's form, all but its last brace: a mark may come before that. Immutable. */
final class EncodedPart {
  /** A part that cannot be sent. */
  static final EncodedPart NONE = new EncodedPart(new byte[0], false);

  private static final byte[] BETWEEN = bytes("},");

  private static final byte[] CLOSE = bytes("}");

  private final byte[] open;
  private final boolean argumentsInvalid;
  private @Nullable Fingerprint fingerprint; // made when asked for; a race only makes it twice

  private EncodedPart(byte[] open, boolean argumentsInvalid) {
    this.open = open;
    this.argumentsInvalid = argumentsInvalid;
  }

  static EncodedPart of(String open) {
    return new EncodedPart(bytes(open), false);
  }

  /** A call whose arguments had to be wrapped. */
  static EncodedPart wrapped(String open) {
    return new EncodedPart(bytes(open), true);
  }

  /**
   * An array of encoded parts, at least one, between other text; no part is spelled anew.
   *
   * @param head what stands before its first item
   * @param tail what stands behind its last one, whose brace is left out
   */
  static EncodedPart array(String head, List<EncodedPart> parts, String tail) {
    List<byte[]> pieces = new ArrayList<>(2 * parts.size() + 1);
    pieces.add(bytes(head));
    for (EncodedPart part : parts) {
      pieces.add(part.open);
      pieces.add(BETWEEN);
    }
    pieces.set(pieces.size() - 1, bytes(tail));
    return new EncodedPart(RequestBody.of(pieces).bytes(), false);
  }

  /** The bytes, shared: nobody changes them. */
  byte[] open() {
    return open;
  }

  /** Of the whole part, its last brace included. */
  Fingerprint fingerprint() {
    Fingerprint known = fingerprint;
    if (known == null) {
      known = Fingerprint.of(open, CLOSE);
      fingerprint = known;
    }
    return known;
  }

  String text() {
    return new String(open, StandardCharsets.UTF_8);
  }

  boolean argumentsInvalid() {
    return argumentsInvalid;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A text as a JSON string, without what cannot be sent. */
  static String quoted(String text) {
    return new JsonString(SendableText.of(text)).toJson();
  }
}
