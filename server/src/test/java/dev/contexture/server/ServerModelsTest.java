package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code GET /v1/models}: windows, outputs, prices, and where each fact comes from. */
class ServerModelsTest {
  @TempDir Path directory;

  private static JsonObject model(JsonObject catalogue, String name) {
    return catalogue.array("models").orElseThrow().items().stream()
        .map(JsonObject.class::cast)
        .filter(model -> model.string("model").filter(name::equals).isPresent())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void listsFactsWithTheirSources() {
    try (TestServer served = new TestServer(directory)) {
      JsonObject catalogue = served.get("/v1/models").json();
      assertThat(catalogue.keys())
          .containsExactly("revision", "currency", "price_unit_tokens", "models", "sources");
      assertThat(catalogue.string("currency")).contains("USD");
      JsonObject model = model(catalogue, "gpt-5.4");
      assertThat(model.toJson())
          .contains(
              "\"context_window\":1050000",
              "\"max_input\":922000",
              "\"max_output\":128000",
              "\"prices\":[{\"input\":2.5,\"output\":15,\"cache_read\":0.25,\"cache_write\":2.5,"
                  + "\"tiers\":[{\"above_input_tokens\":272000,\"input\":5,\"output\":22.5}]}]");
      assertThat(model(catalogue, "glm-5.3").find("prices")).contains(JsonNull.NULL);
      JsonObject titles = catalogue.object("sources").orElseThrow();
      for (JsonValue listed : catalogue.array("models").orElseThrow().items()) {
        JsonObject sources = ((JsonObject) listed).object("sources").orElseThrow();
        assertThat(sources.keys()).contains("context_window", "max_output");
        for (JsonValue ids : List.copyOf(sources.members().values())) {
          for (JsonValue id : ((JsonArray) ids).items()) {
            assertThat(titles.object(((JsonString) id).value()).orElseThrow().has("title"))
                .isTrue();
          }
        }
      }
    }
  }

  /** What the list says can be asked for, with the limits that hold without any setting. */
  @Test
  void buildsARequestForEachModelByEachNameOfItsList() {
    try (TestServer served = new TestServer(directory)) {
      served.post(C + "/turns", "{\"prompt\":\"hello\"}");
      int asked = 0;
      for (JsonValue listed :
          served.get("/v1/models").json().array("models").orElseThrow().items()) {
        JsonObject model = (JsonObject) listed;
        List<JsonValue> names = model.array("apis").orElseThrow().items();
        assertThat(names).as(model.toJson()).isNotEmpty();
        for (JsonValue name : names) {
          String ask = "{\"provider\":" + name.toJson() + ",\"model\":";
          String id = model.find("model").orElseThrow().toJson();
          TestServer.Got got = served.post(C + "/request", ask + id + "}");
          assertThat(got.status()).as(got.text()).isEqualTo(200);
          asked++;
        }
      }
      assertThat(asked).isGreaterThan(100);
    }
  }
}
