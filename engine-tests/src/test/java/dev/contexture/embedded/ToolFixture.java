package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An engine with a clock, and how tests call tools: with single quotes for double ones. */
abstract class ToolFixture {
  static final Scope SHOP = Scope.of("acme", "shop");

  @TempDir Path directory;
  final FakeClock clock = FakeClock.atStart();
  Contexture engine;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory, settings -> settings.clock(clock));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  AgentTools tools(String agent) {
    return engine.agentTools(SHOP.agent(agent));
  }

  static ToolAnswer run(AgentTools tools, String tool, String params) {
    return tools.run(new ToolCall(new CallId("tc_1"), null, tool, params.replace('\'', '"')));
  }

  /** The data of a call that succeeds. */
  static JsonObject done(AgentTools tools, String tool, String params) {
    ToolAnswer answer = run(tools, tool, params);
    assertThat(answer.error()).as(answer.json().toJson()).isFalse();
    assertThat(answer.json().isTrue("success")).isTrue();
    assertThat(answer.json().keys()).containsExactly("success", "message", "data");
    return answer.json().object("data").orElseThrow();
  }

  /** The error of a call that fails. */
  static JsonObject failed(AgentTools tools, String tool, String params, String code) {
    ToolAnswer answer = run(tools, tool, params);
    assertThat(answer.error()).as(answer.json().toJson()).isTrue();
    assertThat(answer.json().isTrue("success")).isFalse();
    JsonObject error = answer.json().object("error").orElseThrow();
    assertThat(error.string("code")).as(error.toJson()).contains(code);
    assertThat(error.string("message").orElse("")).isNotBlank();
    assertThat(error.string("hint").orElse("")).isNotBlank();
    return error;
  }

  static List<JsonObject> rows(JsonObject object, String name) {
    return object.array(name).orElse(JsonArray.of()).items().stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  static long number(JsonObject object, String name) {
    JsonValue value = object.find(name).orElseThrow();
    return ((JsonNumber) value).asLong().orElseThrow();
  }
}
