package dev.contexture.memory.schema;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;

/**
 * Prints values for people and models. Confined to one thread.
 *
 * <p>Between {@link #begin} and {@link #end} further lines are indented by two spaces. A blank that
 * only separates is printed when something follows it on its line, so that no line ends in one.
 */
public final class ValueWriter {
  private static final String INDENT = "  ";
  private static final int PLAIN_CHARS = 40;

  private final StringBuilder out = new StringBuilder();
  private boolean begun;
  private boolean indented;
  private boolean lineStarted = true;
  private boolean blankDue;

  /** Starts a line that belongs to no value, behind a line feed unless it is the first. */
  public ValueWriter begin() {
    if (begun) {
      out.append('\n');
    }
    begun = true;
    indented = true;
    lineStarted = true;
    return this;
  }

  public void end() {
    blankDue = false;
    indented = false;
  }

  /** Prints text that holds no line feed; one blank at its end separates only. */
  public ValueWriter format(String text) {
    boolean separates = text.endsWith(" ");
    String solid = separates ? text.substring(0, text.length() - 1) : text;
    if (!solid.isEmpty()) {
      startLine();
      out.append(solid);
    }
    blankDue = separates;
    return this;
  }

  /** Prints a text that may have lines. */
  ValueWriter text(String text) {
    int at = 0;
    while (at < text.length()) {
      int feed = text.indexOf('\n', at);
      int end = feed < 0 ? text.length() : feed;
      boolean blankLine = end == at || (end == at + 1 && text.charAt(at) == '\r' && feed >= 0);
      if (blankLine) {
        blankDue = false;
      } else {
        startLine();
      }
      out.append(text, at, end);
      if (feed >= 0) {
        out.append('\n');
        lineStarted = false;
      }
      at = end + 1;
    }
    return this;
  }

  private void startLine() {
    if (!lineStarted && indented) {
      out.append(INDENT);
    }
    lineStarted = true;
    if (blankDue) {
      out.append(' ');
      blankDue = false;
    }
  }

  public ValueWriter value(JsonValue value) {
    switch (value) {
      case JsonNull _unused -> format("null");
      case JsonBoolean flag -> format(flag.value() ? "true" : "false");
      case JsonNumber number -> format(plain(number));
      case JsonString text -> text(text.value());
      case JsonArray array -> {
        format("[");
        boolean first = true;
        for (JsonValue item : array.items()) {
          if (!first) {
            format(", ");
          }
          first = false;
          value(item);
        }
        format("]");
      }
      case JsonObject object -> {
        format("{");
        pairs(object);
        format("}");
      }
    }
    return this;
  }

  /** Prints {@code key: value} pairs, joined by commas. */
  public ValueWriter pairs(JsonObject object) {
    boolean first = true;
    for (var member : object.members().entrySet()) {
      if (!first) {
        format(", ");
      }
      first = false;
      text(member.getKey()).format(": ").value(member.getValue());
    }
    return this;
  }

  /** Plain notation, without fraction if integral; as written where that is long. */
  static String plain(JsonNumber number) {
    BigDecimal value;
    try {
      value = number.decimal();
    } catch (ArithmeticException exponentTooLarge) {
      return number.text();
    }
    boolean whole = value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
    String plain = (whole ? value.setScale(0) : value).toPlainString();
    return plain.length() > PLAIN_CHARS ? number.text() : plain;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
