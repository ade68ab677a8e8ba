package dev.contexture.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.turn.TurnStart;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store and a session of a host on it, with all tools. */
abstract class McpSessionCase {
  static final Scope SCOPE = Scope.of("acme", "shop");
  static final McpSettings SETTINGS =
      McpSettings.of("atlas").withUser("ann").withProfiles(EnumSet.allOf(McpProfile.class));
  static final int SMALL = 4_000;

  @TempDir Path directory;
  Contexture engine;
  McpSession session;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    session = McpSession.open(engine, "test", SCOPE, SETTINGS);
  }

  @AfterEach
  void close() {
    session.close();
    engine.close();
  }

  static JsonObject json(String text) {
    return (JsonObject) JsonValue.parse(text.replace('\'', '"'));
  }

  JsonObject answer(McpSession to, String method, JsonObject params) {
    return to.handle(
            JsonObject.builder()
                .put("jsonrpc", "2.0")
                .put("id", 7)
                .put("method", method)
                .put("params", params)
                .build())
        .orElseThrow();
  }

  JsonObject ask(String method, String params) {
    JsonObject answer = answer(session, method, json(params));
    return answer.object("result").orElseThrow(() -> new AssertionError(answer.toJson()));
  }

  JsonObject call(McpSession to, String tool, JsonObject arguments) {
    JsonObject params = JsonObject.builder().put("name", tool).put("arguments", arguments).build();
    JsonObject answer = answer(to, "tools/call", params);
    return answer.object("result").orElseThrow(() -> new AssertionError(answer.toJson()));
  }

  static String text(JsonObject result) {
    return ((JsonObject) result.array("content").orElseThrow().items().getFirst())
        .string("text")
        .orElseThrow();
  }

  String done(String tool, String arguments) {
    JsonObject result = call(session, tool, json(arguments));
    assertThat(result.isTrue("isError")).as(result.toJson()).isFalse();
    return text(result);
  }

  String refused(String tool, String arguments) {
    JsonObject result = call(session, tool, json(arguments));
    assertThat(result.isTrue("isError")).as(result.toJson()).isTrue();
    return text(result);
  }

  static Set<String> tools(McpSession session) {
    Set<String> names = new HashSet<>();
    session
        .handle(json("{'jsonrpc':'2.0','id':1,'method':'tools/list'}"))
        .orElseThrow()
        .object("result")
        .orElseThrow()
        .array("tools")
        .orElseThrow()
        .items()
        .forEach(tool -> names.add(((JsonObject) tool).string("name").orElseThrow()));
    return names;
  }

  void talk(String user, String conversation, String prompt, String answer) {
    try (Turn turn =
        engine
            .browser(SCOPE.user(user).conversation(conversation))
            .startTurn(TurnStart.prompt(prompt).agent("atlas"))) {
      turn.finish(answer);
    }
  }
}
