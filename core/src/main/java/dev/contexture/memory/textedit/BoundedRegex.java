package dev.contexture.memory.textedit;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * RE2 matches in a time that grows with the length of the text times that of the expression, not
 * exponentially. That product may still be large, and a matcher cannot be stopped from outside; but
 * one that runs reads characters, so it is given a text that refuses to be read once the time is
 * over.
 */
/** A regular expression of an agent that ends in time, or is refused. */
final class BoundedRegex {
  private static final long LIMIT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int MAX_CHARS = 1_000;
  private static final int MAX_COPIES = 1_000; // that counted repeats make of what they count
  private static final Pattern COUNT = Pattern.compile("\\{([0-9]+)(?:,([0-9]*))?\\}");

  private final String expression;
  private final Pattern pattern;

  BoundedRegex(String expression) {
    this.expression = expression;
    int chars = expression.codePointCount(0, expression.length());
    if (chars > MAX_CHARS) {
      throw invalid("it has " + chars + " characters, allowed are " + MAX_CHARS, null);
    }
    checkCounts();
    try {
      this.pattern = Pattern.compile(expression);
    } catch (PatternSyntaxException wrong) {
      throw invalid(wrong.getDescription() + " in " + wrong.getPattern(), wrong);
    }
  }

  /** Counts inside counts multiply, and so does what they are compiled to. */
  private void checkCounts() {
    long copies = 1;
    for (Matcher count = COUNT.matcher(expression); count.find(); ) {
      String least = count.group(1);
      String most = Objects.requireNonNullElse(count.group(2), "");
      String digits = most.isEmpty() ? least : most;
      copies *= digits.length() > 4 ? MAX_COPIES + 1 : Math.max(1, Integer.parseInt(digits));
      if (copies > MAX_COPIES) {
        throw invalid("its counts multiply to more than " + MAX_COPIES, null);
      }
    }
  }

  /** The first match and what takes its place; empty if there is none. */
  Optional<TextEdit.Splice> replaceFirst(String text, String replacement) {
    Matcher matcher = pattern.matcher(new TimedText(text, System.nanoTime() + LIMIT_NANOS));
    try {
      if (!matcher.find()) {
        return Optional.empty();
      }
    } catch (TimeOver over) {
      throw invalid("it takes longer than 1 s; say more exactly what repeats", over);
    }
    return Optional.of(
        new TextEdit.Splice(matcher.start(), matcher.end(), expanded(text, matcher, replacement)));
  }

  /** Puts groups into the replacement. Everything else is taken as it is, backslashes too. */
  private String expanded(String text, Matcher matcher, String replacement) {
    StringBuilder out = new StringBuilder();
    int i = 0;
    while (i < replacement.length()) {
      char c = replacement.charAt(i);
      char next = i + 1 < replacement.length() ? replacement.charAt(i + 1) : ' ';
      if (c == '$' && next == '$') {
        out.append('$');
        i += 2;
      } else if (c == '$' && next >= '0' && next <= '9') {
        int end = numberEnd(replacement, i + 1, matcher.groupCount());
        int group = Integer.parseInt(replacement.substring(i + 1, end));
        if (group > matcher.groupCount()) {
          throw invalid(
              "the replacement names group " + group + ", there are " + matcher.groupCount(), null);
        }
        appendRange(out, text, matcher.start(group), matcher.end(group));
        i = end;
      } else if (c == '$' && next == '{' && replacement.indexOf('}', i) > 0) {
        int end = replacement.indexOf('}', i);
        Integer group = pattern.namedGroups().get(replacement.substring(i + 2, end));
        if (group == null) {
          throw invalid("the replacement names group " + replacement.substring(i, end + 1), null);
        }
        appendRange(out, text, matcher.start(group), matcher.end(group));
        i = end + 1;
      } else {
        out.append(c);
        i++;
      }
      if (out.length() > TextEdit.MAX_CHARS) {
        throw invalid("what it puts in is longer than " + TextEdit.MAX_CHARS + " chars", null);
      }
    }
    return out.toString();
  }

  /** As many digits as still name a group; at least one. */
  private static int numberEnd(String text, int from, int groups) {
    int end = from + 1;
    int number = text.charAt(from) - '0';
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      number = number * 10 + text.charAt(end) - '0';
      if (number > groups) {
        break;
      }
      end++;
    }
    return end;
  }

  private static void appendRange(StringBuilder out, String text, int from, int to) {
    if (from >= 0) { // a group that took no part stands for nothing
      out.append(text, from, to);
    }
  }

  private ContextureException invalid(String why, @Nullable Throwable cause) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", "old");
    details.put("actual", expression.length() > 120 ? expression.substring(0, 120) : expression);
    return new ContextureException(
        ErrorCode.INVALID_REGEX, "the regular expression cannot be used: " + why, details, cause);
  }

  /** The time for a match is over. */
  private static final class TimeOver extends RuntimeException {
    TimeOver() {
      super("time is over", null, false, false);
    }
  }

  /** A text that can be read until a deadline. Confined to one match. */
  private static final class TimedText implements CharSequence {
    private static final int READS_PER_LOOK = 1 << 6;

    private final CharSequence text;
    private final long deadline;
    private int reads;

    TimedText(CharSequence text, long deadline) {
      this.text = text;
      this.deadline = deadline;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (++reads % READS_PER_LOOK == 0 && System.nanoTime() - deadline > 0) {
        throw new TimeOver();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
      return text.subSequence(from, to);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
