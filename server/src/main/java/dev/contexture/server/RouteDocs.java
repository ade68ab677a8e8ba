package dev.contexture.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the API pages say about a route beside its path: read from {@code routes.txt}, in its order.
 *
 * @param title method and path, as {@link Route#title}
 * @param summary what it does
 * @param statuses what it answers when it is not refused
 * @param fields of its body; none: it takes none
 */
record RouteDocs(String title, String summary, List<Integer> statuses, List<Field> fields) {
  private static final String FILE = "routes.txt";

  RouteDocs {
    statuses = List.copyOf(statuses);
    fields = List.copyOf(fields);
  }

  /**
   * A field of a body.
   *
   * @param type a JSON type, {@code any}, the name of a schema, {@code [type]} for an array, or
   *     words with slashes between them
   */
  record Field(String name, String type, boolean required) {}

  /** All of them by title. */
  static Map<String, RouteDocs> read() {
    try (InputStream in = Objects.requireNonNull(RouteDocs.class.getResourceAsStream(FILE))) {
      Map<String, RouteDocs> all = new LinkedHashMap<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          RouteDocs docs = parse(line);
          all.put(docs.title(), docs);
        }
      }
      return all;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static RouteDocs parse(String line) {
    String[] parts = line.split("\\|", -1);
    String title =
        parts[0]
            .strip()
            .replaceFirst(" C(?=/|$)", " " + ContextureServer.CONVERSATION)
            .replaceFirst(" A(?=/|$)", " " + ContextureServer.AGENT);
    List<Integer> statuses = new ArrayList<>();
    for (String status : parts[2].strip().split(" ", -1)) {
      statuses.add(Integer.valueOf(status));
    }
    List<Field> fields = new ArrayList<>();
    for (String field : parts[3].strip().split(" ", -1)) {
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
    return new RouteDocs(title, parts[1].strip(), statuses, fields);
  }
}
