package dev.contexture.otel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import io.opentelemetry.api.common.AttributeKey;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dashboard shows the metrics that there are, all of them, and the page names everything. */
class DashboardTest {
  private static final Path ROOT = Path.of(System.getProperty("contexture.root", ".."));
  private static final Pattern METRIC =
      Pattern.compile(
          "\\b((?:gen_ai_client|contexture)_[a-z_]+?)(?:_seconds)?_(?:bucket|count|total)\\b");

  private static Object value(Field field) {
    try {
      return field.get(null);
    } catch (IllegalAccessException hidden) {
      throw new AssertionError(field.getName(), hidden);
    }
  }

  private static List<Object> names() {
    return Stream.of(TelemetryNames.class.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .map(DashboardTest::value)
        .toList();
  }

  /** Metrics as Prometheus calls them, without what it puts behind. */
  private static Set<String> metrics() {
    return names().stream()
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .filter(name -> name.matches(".*\\.(duration|size|lost|removed|[a-z]+_tokens)"))
        .map(name -> name.replace('.', '_'))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<JsonObject> panels() throws IOException {
    JsonValue dashboard =
        JsonValue.parse(Files.readString(ROOT.resolve("docs/dashboards/contexture.json")));
    return ((JsonObject) dashboard)
        .array("panels").orElseThrow().items().stream().map(JsonObject.class::cast).toList();
  }

  @Test
  void everyMetricIsShownAndNoOther() throws IOException {
    Set<String> shown = new TreeSet<>();
    for (JsonObject panel : panels()) {
      for (JsonValue target : panel.array("targets").orElse(JsonArray.of()).items()) {
        String expression = ((JsonObject) target).string("expr").orElseThrow();
        METRIC
            .matcher(expression)
            .results()
            .map((MatchResult found) -> found.group(1))
            .forEach(shown::add);
      }
    }
    assertThat(metrics()).hasSize(12);
    assertThat(shown).isEqualTo(metrics());
  }

  @Test
  void everyNameIsDocumented() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/opentelemetry.md"));
    List<String> missing = new ArrayList<>();
    for (Object name : names()) {
      String text = name instanceof AttributeKey<?> key ? key.getKey() : (String) name;
      if (!page.contains("`" + text + "`")) {
        missing.add(text);
      }
    }
    assertThat(missing).isEmpty();
  }
}
