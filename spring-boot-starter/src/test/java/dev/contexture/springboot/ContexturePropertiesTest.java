package dev.contexture.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What editors are told about the properties is what there is. */
class ContexturePropertiesTest {
  private static final String METADATA =
      "spring-boot-starter/src/main/resources/META-INF/spring-configuration-metadata.json";

  private static Path root() {
    return Path.of(System.getProperty("contexture.root"));
  }

  private static Map<String, JsonObject> described() throws IOException {
    JsonObject json = (JsonObject) JsonValue.parse(Files.readString(root().resolve(METADATA)));
    Map<String, JsonObject> described = new TreeMap<>();
    json.array("properties")
        .orElseThrow()
        .items()
        .forEach(
            each ->
                described.put(((JsonObject) each).string("name").orElseThrow(), (JsonObject) each));
    return described;
  }

  private static void collect(Class<?> type, String prefix, Map<String, String> found) {
    for (RecordComponent part : type.getRecordComponents()) {
      String name = prefix + part.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      if (part.getType().isRecord()) {
        collect(part.getType(), name + ".", found);
      } else {
        found.put(
            name, part.getType() == boolean.class ? "java.lang.Boolean" : part.getType().getName());
      }
    }
  }

  @Test
  void everyPropertyIsDescribedWithItsType() throws IOException {
    Map<String, String> there = new TreeMap<>();
    collect(ContextureProperties.class, "contexture.", there);
    there.put("contexture.enabled", "java.lang.Boolean"); // conditions of their own
    there.put("management.health.contexture.enabled", "java.lang.Boolean");
    Map<String, String> types = new TreeMap<>();
    described()
        .forEach(
            (name, about) -> {
              types.put(name, about.string("type").orElseThrow());
              assertThat(about.string("description").orElseThrow()).as(name).endsWith(".");
            });
    assertThat(types).isEqualTo(there);
  }

  @Test
  void everyPropertyIsOnThePage() throws IOException {
    String page = Files.readString(root().resolve("docs/spring-ai.md"));
    assertThat(page).contains(described().keySet().stream().map(name -> "`" + name + "`").toList());
  }
}
