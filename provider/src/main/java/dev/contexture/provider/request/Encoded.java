package dev.contexture.provider.request;

import dev.contexture.json.JsonString;
import java.nio.charset.StandardCharsets;

/** A part in a provider's form, all but its last brace: a mark may come before that. Immutable. */
final class Encoded {
  /** A part that cannot be sent. */
  static final Encoded NONE = new Encoded(new byte[0], false);

  private final byte[] open;
  private final boolean argumentsInvalid;

  private Encoded(byte[] open, boolean argumentsInvalid) {
    this.open = open;
    this.argumentsInvalid = argumentsInvalid;
  }

  static Encoded of(String open) {
    return new Encoded(bytes(open), false);
  }

  /** A call whose arguments had to be wrapped. */
  static Encoded wrapped(String open) {
    return new Encoded(bytes(open), true);
  }

  /** The bytes, shared: nobody changes them. */
  byte[] open() {
    return open;
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

  /** A text as a JSON string. */
  static String quoted(String text) {
    return new JsonString(text).toJson();
  }
}
