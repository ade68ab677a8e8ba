package dev.contexture.memory.textedit;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.SendableText;
import dev.contexture.memory.schema.MemoryErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Puts one text in the place of another.
 *
 * @param find what is replaced: a text, or a regular expression
 * @param replacement what takes its place; with {@link Mode#REGEX} {@code $1} and {@code ${name}}
 *     are groups, {@code $0} is the match and {@code $$} a dollar sign
 * @param mode which occurrences
 * @param n the occurrence of {@link Mode#NTH}, from 1; other modes ignore it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TextReplacement(String find, String replacement, Mode mode, int n)
    implements TextEdit {
  /** The choice of occurrences that are replaced. */
  public enum Mode {
    /** The first one. */
    FIRST,
    /** All of them, left to right, without overlap. */
    ALL,
    /** One of them, counted as {@link #ALL} finds them. */
    NTH,
    /** The first match of a regular expression. */
    REGEX;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The mode of a wire name.
     *
     * @throws ContextureException {@code invalid_argument}
     */
    public static Mode named(String name) {
      return Arrays.stream(values())
          .filter(mode -> mode.wireName().equals(name))
          .findFirst()
          .orElseThrow(() -> MemoryErrors.argument("mode", name, Choices.inWords(values())));
    }
  }

  /**
   * @throws ContextureException {@code invalid_argument} for an empty text, or an occurrence below
   *     1
   */
  public TextReplacement {
    find = SendableText.of(find);
    replacement = SendableText.of(replacement);
    if (find.isEmpty()) {
      throw MemoryErrors.argument("old", "empty", "the text to be replaced");
    }
    if (mode == Mode.NTH && n < 1) {
      throw MemoryErrors.argument("n", n, "the number of the occurrence, from 1");
    }
  }

  @Override
  public List<Splice> splices(String text) {
    if (mode == Mode.REGEX) {
      return List.of(
          new BoundedRegex(find).replaceFirst(text, replacement).orElseThrow(() -> noMatch(0)));
    }
    List<Splice> found = new ArrayList<>();
    for (int at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length())) {
      found.add(new Splice(at, at + find.length(), replacement));
      if (mode == Mode.FIRST) {
        break;
      }
    }
    int wanted = mode == Mode.NTH ? n : 1;
    if (found.size() < wanted) {
      throw noMatch(found.size());
    }
    return mode == Mode.NTH ? List.of(found.get(n - 1)) : found;
  }

  private ContextureException noMatch(int occurrences) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("text", find);
    details.put("occurrences", occurrences);
    if (mode == Mode.NTH) {
      details.put("n", n);
    }
    String what = mode == Mode.REGEX ? "the regular expression matches" : "the text to be replaced";
    String times =
        mode == Mode.REGEX
            ? " nothing"
            : " occurs " + occurrences + " times, needed is " + wanted();
    return new ContextureException(
        ErrorCode.NO_MATCH, what + times + "; read the block and copy it exactly", details, null);
  }

  private String wanted() {
    return mode == Mode.NTH ? "occurrence " + n : "one";
  }
}
