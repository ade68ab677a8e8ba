package dev.contexture.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.Contexture;
import dev.contexture.error.ContextureException;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.ServerOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
  private static final String C = "/v1/users/hanna/conversations/late-tent";

  @TempDir Path directory;

  @Test
  void showsEveryPartOfTheProduct() throws Exception {
    Path data = directory.resolve("demo");
    Demo.load(data);
    try (Contexture engine = Contexture.open(data);
        HttpClient client = HttpClient.newHttpClient();
        ContextureServer server =
            ContextureServer.start(engine, ServerOptions.local("test").withPort(0))) {
      Demo.check(engine, data);
      Page page = new Page(client, server.address());
      assertThat(page.get("/v1/users/hanna/conversations"))
          .contains("\"late-tent\"", "A tent that is late", "\"turns\":8");
      assertThat(page.get(C + "/turns"))
          .contains("t1_where_is_it", "t8_refund", "\"open\"", "\"complete\"")
          .doesNotContain("interrupted", "incomplete", "aborted");
      assertThat(page.get(C + "/timeline?visible=true"))
          .contains(
              "conv.range.summary",
              "needs a tent for two",
              "\"hidden\":true",
              "the printed label is left out here",
              "nothing happened. Where is it?"); // what the user said stays in the summary
      assertThat(page.get(C + "/timeline"))
          .contains("toolu_order1", "toolu_cust1", "\"is_error\":true", "^XA^CF0,60");
      assertThat(page.get(C + "/summaries")).contains("t1_where_is_it");
      assertThat(page.get(C + "/sources"))
          .contains("When a parcel is late", "Camping on snow", "\"sid\":4");
      assertThat(page.get(C + "/requests")).contains("claude-opus-5", "req_", "\"t8_refund\"");
      assertThat(page.get("/v1/agents/mira/blocks"))
          .contains("\"persona\"", "\"customer\"", "\"case_log\"");
      assertThat(page.get("/v1/agents/mira/blocks/customer"))
          .contains("Hanna Lie", "Jotunheimen", "\"contacts\":3");
      assertThat(page.get("/v1/agents/mira/shared")).contains("stock_notes", "\"otto\"");
      assertThat(page.get("/v1/agents/otto/blocks/stock_notes"))
          .contains("were collected on 3 March")
          .doesNotContain("until 5 March (RS-3307)");
      assertThat(page.post("/v1/agents/mira/search", "{\"query\":\"sorting centre storm\"}"))
          .contains("archival", "Nordpost lost a sorting centre");
      assertThat(page.post("/v1/users/hanna/search", "{\"query\":\"packing list winter\"}"))
          .contains("\"type\":\"message\"", "packing list");
      assertThat(page.post(C + "/render", "{\"include_announce\":true}"))
          .contains("refunds take 2 working days at present");
    }
  }

  /** A client that expects success. */
  private record Page(HttpClient client, String address) {
    String get(String path) throws Exception {
      return send(HttpRequest.newBuilder(URI.create(address + path)).build());
    }

    String post(String path, String body) throws Exception {
      return send(
          HttpRequest.newBuilder(URI.create(address + path))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build());
    }

    private String send(HttpRequest request) throws Exception {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as("%s: %s", request.uri(), answer.body()).isEqualTo(200);
      return answer.body();
    }
  }

  @Test
  void isTheSameEverywhere() throws Exception {
    assertThat(rendered(directory.resolve("one"))).isEqualTo(rendered(directory.resolve("two")));
  }

  private static String rendered(Path data) throws Exception {
    Demo.load(data);
    try (Contexture engine = Contexture.open(data);
        HttpClient client = HttpClient.newHttpClient();
        ContextureServer server =
            ContextureServer.start(engine, ServerOptions.local("test").withPort(0))) {
      Page page = new Page(client, server.address());
      return page.get(C + "/timeline")
          + page.get(C + "/requests")
          + page.get("/v1/agents/mira/blocks")
          + page.post(C + "/render", "{\"include_sources\":true}");
    }
  }

  @Test
  void isLoadedOnce() throws Exception {
    Demo.load(directory.resolve("made"));
    long before;
    try (Contexture engine = Contexture.open(directory.resolve("made"))) {
      before = version(engine);
    }
    Demo.load(directory.resolve("made"));
    try (Contexture engine = Contexture.open(directory.resolve("made"))) {
      Demo.check(engine, directory);
      assertThat(version(engine)).isEqualTo(before).isPositive();
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("made"));
    }
  }

  private static long version(Contexture engine) {
    return engine
        .browser(
            dev.contexture.block.Scope.of("local", "local").user("hanna").conversation("late-tent"))
        .version();
  }

  @Test
  void touchesNoOtherData() throws Exception {
    Path data = directory.resolve("mine");
    try (Contexture engine = Contexture.open(data)) {
      Demo.load(data);
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> Demo.check(engine, data))
          .withMessageContaining(" holds other data; give --data a directory that is new or empty");
    }
  }
}
