package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.ServerOptions;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve --policy} holds for those who name none. */
class PolicyTest {
  private static final String LIMITS =
      "\"max_tokens\":2000,\"memory_tokens\":200,\"history_tokens\":1500,"
          + "\"reserved_response_tokens\":200";

  @TempDir Path directory;
  private Contexture engine;
  private ContextureServer server;
  private Api api;

  @BeforeEach
  void serve() {
    for (String name : new String[] {"silent", "economical", "standard"}) {
      Served.fill(directory, name, 20);
    }
    engine = Contexture.open(directory, settings -> settings.policy(CompactionPolicy.ECONOMICAL));
    server = ContextureServer.start(engine, ServerOptions.local("test").withPort(0));
    api = Api.at(server.address());
  }

  @AfterEach
  void close() {
    api.close();
    server.close();
    engine.close();
  }

  @Test
  void holdsForCompactionsAndRenders() {
    for (String route : new String[] {"/compact", "/render"}) {
      String dry =
          route.equals("/compact")
              ? "{\"dry_run\":true,\"max_tokens\":1500"
              : "{\"read_only\":true,\"max_tokens\":1500";
      JsonObject silent = post("silent", route, dry + "}");
      assertThat(after(silent)).isEqualTo(after(post("silent", route, named(dry, "economical"))));
      assertThat(after(silent)).isLessThan(after(post("silent", route, named(dry, "standard"))));
    }
  }

  private static String named(String body, String policy) {
    return body + ",\"policy\":\"" + policy + "\"}";
  }

  /** The tokens after the compaction. */
  private static long after(JsonObject answer) {
    return Printer.number(answer.object("compaction").orElse(answer), "tokens_after");
  }

  @Test
  void holdsForRequests() {
    long silent = requested("silent", "");
    assertThat(silent).isEqualTo(requested("economical", preset("economical")));
    assertThat(silent).isLessThan(requested("standard", preset("standard")));
  }

  private static String preset(String name) {
    return ",\"compression_strategy\":{\"kind\":\"compaction\",\"preset\":\"" + name + "\"}";
  }

  /** How many messages a request has. */
  private long requested(String conversation, String strategy) {
    post(conversation, "/turns", "{\"prompt\":\"And the next one?\"}");
    JsonObject answer =
        post(
            conversation,
            "/request",
            "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"config\":{"
                + LIMITS
                + strategy
                + "}}");
    return answer.object("request").orElseThrow().array("messages").orElseThrow().items().size();
  }

  private JsonObject post(String conversation, String route, String body) {
    assertThat(JsonValue.parse(body)).isInstanceOf(JsonObject.class);
    return api.send("POST", Api.conversation("u", conversation) + route, body, Map.of());
  }
}
