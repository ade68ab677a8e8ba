package dev.contexture.bench.retrieval;

import dev.contexture.bench.support.UsageException;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Documents, questions about them, and which documents answer each: a folder with {@code
 * docs.jsonl}, {@code queries.jsonl} and {@code qrels.jsonl}.
 *
 * @param corpora documents by corpus, in the order of the file
 * @param queries in the order of the file
 * @param relevant the documents that answer a question, by its id
 */
public record RetrievalSet(
    Map<String, List<Doc>> corpora, List<Query> queries, Map<String, Set<String>> relevant) {
  private static final List<DateTimeFormatter> TIMES =
      List.of(
          time("h:mm a 'on' d MMMM, uuuu"),
          time("uuuu/MM/dd (EEE) HH:mm"),
          time("uuuu-MM-dd HH:mm:ss"),
          time("uuuu-MM-dd'T'HH:mm:ss[.SSS][X]"));

  /** One document: a passage, or one thing that somebody said. */
  public record Doc(
      String id, String text, String speaker, String time, long session, String extra) {
    /** What was said with what was shown beside it. */
    public String content() {
      return extra.isBlank() ? text : text + "\n" + extra;
    }

    Optional<Instant> at() {
      for (DateTimeFormatter format : TIMES) {
        try {
          return Optional.of(LocalDateTime.parse(time, format).toInstant(ZoneOffset.UTC));
        } catch (DateTimeParseException other) {
          // another form of time
        }
      }
      return Optional.empty();
    }
  }

  /** One question. */
  public record Query(String corpus, String id, String text, String category) {}

  private static DateTimeFormatter time(String pattern) {
    return new DateTimeFormatterBuilder()
        .parseCaseInsensitive()
        .appendPattern(pattern)
        .toFormatter(Locale.ENGLISH);
  }

  public static RetrievalSet read(Path folder) {
    Map<String, List<Doc>> corpora = new LinkedHashMap<>();
    List<Query> queries = new ArrayList<>();
    Map<String, Set<String>> relevant = new HashMap<>();
    lines(
        folder.resolve("docs.jsonl"),
        line ->
            corpora
                .computeIfAbsent(text(line, "corpus"), corpus -> new ArrayList<>())
                .add(
                    new Doc(
                        text(line, "id"),
                        text(line, "text"),
                        text(line, "speaker"),
                        text(line, "time"),
                        JsonFields.of(line, line.keys()).number("session").orElse(0),
                        text(line, "extra"))));
    lines(
        folder.resolve("queries.jsonl"),
        line ->
            queries.add(
                new Query(
                    text(line, "corpus"),
                    text(line, "id"),
                    text(line, "query"),
                    text(line, "category"))));
    lines(
        folder.resolve("qrels.jsonl"),
        line -> {
          Set<String> ids = new HashSet<>();
          line.array("relevant")
              .ifPresent(array -> array.items().forEach(id -> ids.add(((JsonString) id).value())));
          relevant.put(text(line, "id"), ids);
        });
    return new RetrievalSet(corpora, queries, relevant);
  }

  private static String text(JsonObject line, String name) {
    return line.string(name).orElse("");
  }

  private static void lines(Path file, Consumer<JsonObject> each) {
    if (!Files.isReadable(file)) {
      throw new UsageException("there is no readable file '" + file + "'");
    }
    try {
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank() && JsonValue.parse(line) instanceof JsonObject object) {
          each.accept(object);
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
