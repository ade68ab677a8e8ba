package dev.contexture.server.openapi;

import dev.contexture.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The documentation of a route beside its path: read from {@code routes.txt}, in its order.
 *
 * @param title method and path, as {@link Route#title}
 * @param operation its name for programs
 * @param repeat whether it may be sent again after a lost answer
 * @param summary what it does
 * @param answers what it answers when it is not refused
 * @param streamed what the body may be instead of JSON, which is read as it comes; empty: nothing
 * @param fields of its body; none: it takes none
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RouteDocs(
    String title,
    String operation,
    Repeat repeat,
    String summary,
    List<Answer> answers,
    String streamed,
    List<Field> fields) {
  private static final String FILE = "routes.txt";
  private static final Pattern STREAMED = Pattern.compile("^[a-z]+/[a-z-]+(?= |$)");

  public RouteDocs {
    answers = List.copyOf(answers);
    fields = List.copyOf(fields);
  }

  /**
   * Tells whether an operation may be sent again after a lost answer, so that it is done once.
   *
   * @param safe whether it may
   * @param id the member of the body by which a repeat is known; empty: none is needed
   * @param made whether a client may make that id up
   */
  record Repeat(boolean safe, String id, boolean made) {}

  /**
   * An answer.
   *
   * @param type of its body; empty: none, or no JSON
   */
  public record Answer(int status, String type) {}

  /**
   * A member of an object.
   *
   * @param type as {@code schemas.txt} describes types
   */
  public record Field(String name, String type, boolean required) {}

  /** All of them by title. */
  public static Map<String, RouteDocs> read() {
    Map<String, RouteDocs> all = new LinkedHashMap<>();
    for (String line : lines(FILE)) {
      RouteDocs docs = parse(line);
      all.put(docs.title(), docs);
    }
    return all;
  }

  /** The lines of a table, without comments. */
  static List<String> lines(String file) {
    try (InputStream in = Objects.requireNonNull(RouteDocs.class.getResourceAsStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static RouteDocs parse(String line) {
    String[] parts = line.split("\\|", -1);
    String title =
        parts[0]
            .strip()
            .replaceFirst(" C(?=/|$)", " " + Route.CONVERSATION)
            .replaceFirst(" A(?=/|$)", " " + Route.AGENT);
    String[] operation = parts[1].strip().split(" ~", 2);
    List<Answer> answers = new ArrayList<>();
    for (String answer : parts[3].strip().split(" ", -1)) {
      String[] typed = answer.split(":", 2);
      answers.add(new Answer(Integer.parseInt(typed[0]), typed.length > 1 ? typed[1] : ""));
    }
    String body = parts[4].strip();
    Matcher other = STREAMED.matcher(body);
    String streamed = other.find() ? other.group() : "";
    return new RouteDocs(
        title,
        operation[0],
        repeat(title, operation.length > 1 ? operation[1] : null),
        parts[2].strip(),
        answers,
        streamed,
        fields(body.substring(streamed.length())));
  }

  private static Repeat repeat(String title, @Nullable String mark) {
    if (mark == null) {
      boolean again = !title.startsWith("POST ") && !title.startsWith("PATCH ");
      return new Repeat(again, "", false);
    }
    boolean made = mark.startsWith("+");
    return new Repeat(true, made ? mark.substring(1) : mark, made);
  }

  /** Members as the tables list them. */
  static List<Field> fields(String list) {
    List<Field> fields = new ArrayList<>();
    for (String field : list.strip().split(" ", -1)) {
      if (!field.isEmpty()) {
        int colon = field.indexOf(':');
        boolean required = field.charAt(colon - 1) == '!';
        fields.add(
            new Field(
                field.substring(0, required ? colon - 1 : colon),
                field.substring(colon + 1),
                required));
      }
    }
    return fields;
  }
}
