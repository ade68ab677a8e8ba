package dev.contexture.server.openapi;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * A named type of bodies and answers, read from {@code schemas.txt}.
 *
 * @param about what it is
 * @param open whether it may have members that are not listed
 * @param alias the type that it stands for; empty: an object with the fields
 * @param fields its members
 */
record SchemaDocs(
    String name, String about, boolean open, String alias, List<RouteDocs.Field> fields) {
  private static final String FILE = "schemas.txt";

  SchemaDocs {
    fields = List.copyOf(fields);
  }

  /** All of them, in the order of the file. */
  static List<SchemaDocs> read() {
    List<SchemaDocs> all = new ArrayList<>();
    for (String line : RouteDocs.lines(FILE)) {
      all.add(parse(line));
    }
    return all;
  }

  private static SchemaDocs parse(String line) {
    String[] parts = line.split("\\|", -1);
    String[] name = parts[0].strip().split(" ", -1);
    String members = parts[2].strip();
    boolean alias = members.startsWith("= ");
    return new SchemaDocs(
        name[0],
        parts[1].strip(),
        name.length > 1,
        alias ? members.substring(2) : "",
        alias ? List.of() : RouteDocs.fields(members));
  }

  /** Its JSON Schema. */
  JsonObject schema() {
    JsonObject schema = alias.isEmpty() ? TypeSchema.object(fields) : TypeSchema.of(alias);
    JsonObject described = JsonObject.builder().put("description", about).putAll(schema).build();
    return open ? described.with("additionalProperties", JsonValue.of(true)) : described;
  }
}
