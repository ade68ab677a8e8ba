package dev.contexture.mcp;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One host that is connected: answers its messages, and collects what it is to be told. Messages
 * may come at the same time; each is answered on the thread that brings it. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class McpSession implements AutoCloseable {
  /** Versions of the protocol, the newest first. */
  public static final List<String> VERSIONS =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  private static final List<String> LEVELS =
      List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");
  private static final String RPC = "2.0";
  private static final int MAX_URI = 2_000;

  private final String version;
  private final AgentMemory memory;
  private final ResultLimit limit;
  private final Map<String, McpTool> tools = new LinkedHashMap<>();
  private final McpResources resources;
  private final McpPrompts prompts;
  private final McpNotifications notifications;
  private volatile @Nullable String level; // what the host wants to hear of; null: nothing

  private McpSession(AgentMemory memory, String version) {
    this.version = version;
    this.memory = memory;
    this.limit = new ResultLimit(memory.settings().resultBytes());
    this.resources = new McpResources(memory, limit);
    this.prompts = new McpPrompts(memory, resources);
    this.notifications = new McpNotifications(memory);
    offered().stream()
        .filter(tool -> !memory.settings().readOnly() || tool.effect() == McpTool.Effect.READS)
        .forEach(tool -> tools.put(tool.name(), tool));
  }

  /**
   * Begins a session.
   *
   * @param version of the program, which hosts show
   * @throws ContextureException {@code invalid_scope} if agent or user have no allowed form
   */
  public static McpSession open(
      Contexture engine, String version, Scope scope, McpSettings settings) {
    scope.agent(settings.agent());
    if (settings.user() != null) {
      scope.user(settings.user());
    }
    return new McpSession(new AgentMemory(engine, scope, settings), version);
  }

  private List<McpTool> offered() {
    List<McpTool> all = new ArrayList<>();
    for (McpProfile profile : McpProfile.values()) {
      if (memory.settings().profiles().contains(profile)) {
        all.addAll(
            switch (profile) {
              case MEMORY -> memoryTools();
              case GRAPH -> new GraphTools(memory, limit).all();
              case FILES -> new FileTools(memory, limit).all();
            });
      }
    }
    return all;
  }

  private List<McpTool> memoryTools() {
    List<McpTool> all = new ArrayList<>(new MemoryTools(memory, limit).all());
    if (memory.settings().user() != null) {
      all.addAll(new ConversationTools(memory, limit).all());
    }
    return all;
  }

  /** Answers a message; a notification and an answer of the host have none. */
  public Optional<JsonObject> handle(JsonObject message) {
    JsonValue id = message.find("id").orElse(null);
    if (id == null || !message.has("method")) {
      return Optional.empty();
    }
    JsonObject.Builder answer = JsonObject.builder().put("jsonrpc", RPC).put("id", id);
    try {
      return Optional.of(answer.put("result", result(message, id)).build());
    } catch (RpcException refused) {
      return Optional.of(error(answer, refused.code(), String.valueOf(refused.getMessage())));
    } catch (ContextureException refused) {
      boolean ours = refused.code().httpStatus() >= ErrorCode.INTERNAL.httpStatus();
      int code =
          ours
              ? RpcException.INTERNAL
              : refused.code() == ErrorCode.NOT_FOUND
                  ? RpcException.NO_RESOURCE
                  : RpcException.INVALID_PARAMS;
      return Optional.of(error(answer, code, Refusals.text(refused)));
    } catch (RuntimeException defect) {
      return Optional.of(
          error(answer, RpcException.INTERNAL, Refusals.text("the request", defect)));
    }
  }

  private static JsonObject error(JsonObject.Builder answer, int code, String message) {
    return answer
        .put("error", JsonObject.builder().put("code", code).put("message", message).build())
        .build();
  }

  private JsonObject result(JsonObject message, JsonValue id) {
    if (!message.string("jsonrpc").orElse("").equals(RPC)
        || !(id instanceof JsonString || id instanceof JsonNumber)) {
      throw new RpcException(
          RpcException.INVALID_MESSAGE,
          "a request has \"jsonrpc\":\"2.0\" and an id that is a string or a number");
    }
    JsonObject params = params(message);
    return switch (message.string("method").orElse("")) {
      case "initialize" -> initialize(params);
      case "ping" -> JsonObject.EMPTY;
      case "tools/list" -> listTools();
      case "tools/call" -> call(params).json();
      case "resources/list" -> resources.list(params.string("cursor"));
      case "resources/templates/list" -> resources.templates();
      case "resources/read" -> resources.read(required(params, "uri"));
      case "resources/subscribe" -> subscribe(required(params, "uri"));
      case "resources/unsubscribe" -> unsubscribe(required(params, "uri"));
      case "prompts/list" -> prompts.list();
      case "prompts/get" ->
          prompts.get(
              required(params, "name"), params.object("arguments").orElse(JsonObject.EMPTY));
      case "completion/complete" -> prompts.complete(params);
      case "logging/setLevel" -> setLevel(required(params, "level"));
      default ->
          throw new RpcException(
              RpcException.NO_METHOD, "there is no method " + message.string("method").orElse(""));
    };
  }

  private static JsonObject params(JsonObject message) {
    JsonValue given = message.find("params").orElse(JsonNull.NULL);
    return switch (given) {
      case JsonObject object -> object;
      case JsonNull _unused -> JsonObject.EMPTY;
      default -> throw new RpcException(RpcException.INVALID_PARAMS, "params must be an object");
    };
  }

  private static String required(JsonObject params, String name) {
    return params
        .string(name)
        .orElseThrow(
            () -> new RpcException(RpcException.INVALID_PARAMS, "params need a text " + name));
  }

  private JsonObject initialize(JsonObject params) {
    String wanted = required(params, "protocolVersion");
    JsonObject none = JsonObject.EMPTY;
    return JsonObject.builder()
        .put("protocolVersion", VERSIONS.contains(wanted) ? wanted : VERSIONS.getFirst())
        .put(
            "capabilities",
            JsonObject.builder()
                .put("tools", none)
                .put(
                    "resources",
                    JsonObject.builder().put("subscribe", true).put("listChanged", true).build())
                .put("prompts", none)
                .put("completions", none)
                .put("logging", none)
                .build())
        .put(
            "serverInfo",
            JsonObject.builder()
                .put("name", "contexture")
                .put("title", "Contexture")
                .put("version", version)
                .build())
        .put("instructions", instructions())
        .build();
  }

  private String instructions() {
    String whose =
        "Memory of agent "
            + memory.agent()
            + (memory.settings().user() == null ? "" : " for user " + memory.settings().user())
            + ", kept between conversations. ";
    return memory.settings().profiles().contains(McpProfile.MEMORY)
        ? whose
            + "Look at memory_list first; keep what will matter later with memory_append or"
            + " remember; find it with search. A result that was cut says how to get the rest."
        : whose + "A result that was cut says how to get the rest.";
  }

  private JsonObject listTools() {
    List<JsonValue> all = new ArrayList<>();
    tools.values().forEach(tool -> all.add(tool.json()));
    return JsonObject.of("tools", new JsonArray(all));
  }

  private ToolReply call(JsonObject params) {
    String name = required(params, "name");
    McpTool tool = tools.get(name);
    if (tool == null) {
      throw new RpcException(
          RpcException.INVALID_PARAMS,
          "there is no tool " + name + "; tools are " + String.join(", ", tools.keySet()));
    }
    ToolReply reply = limit.guard(run(tool, params));
    if (reply.error()) {
      log("warning", name + " was refused");
    }
    return reply;
  }

  private static ToolReply run(McpTool tool, JsonObject params) {
    try {
      JsonValue given = params.find("arguments").orElse(JsonObject.EMPTY);
      if (!(given instanceof JsonObject arguments)) {
        return ToolReply.failed("invalid_argument: arguments must be an object");
      }
      return tool.handler().call(ToolInput.of(tool.input(), arguments));
    } catch (ContextureException refused) {
      return ToolReply.failed(Refusals.text(refused));
    } catch (RpcException refused) {
      return ToolReply.failed(String.valueOf(refused.getMessage()));
    } catch (RuntimeException defect) {
      return ToolReply.failed(Refusals.text(tool.name(), defect));
    }
  }

  /** Also to what is not there yet: a host may wait for a block that an agent will make. */
  private JsonObject subscribe(String uri) {
    if (uri.length() > MAX_URI) {
      throw new RpcException(
          RpcException.INVALID_PARAMS, "uri has more than " + MAX_URI + " characters");
    }
    notifications.subscribe(uri);
    return JsonObject.EMPTY;
  }

  private JsonObject unsubscribe(String uri) {
    notifications.unsubscribe(uri);
    return JsonObject.EMPTY;
  }

  private JsonObject setLevel(String wanted) {
    if (!LEVELS.contains(wanted)) {
      throw new RpcException(
          RpcException.INVALID_PARAMS, "there is no level " + wanted + "; levels are " + LEVELS);
    }
    level = wanted;
    return JsonObject.EMPTY;
  }

  private void log(String at, String text) {
    String wanted = level;
    if (wanted != null && LEVELS.indexOf(at) >= LEVELS.indexOf(wanted)) {
      notifications.tell(
          "notifications/message",
          JsonObject.builder()
              .put("level", at)
              .put("logger", "contexture")
              .put("data", text)
              .build());
    }
  }

  /** What the host is to be told next, if something comes in time. */
  public Optional<JsonObject> nextNotification(Duration atMost) throws InterruptedException {
    return notifications.next(atMost);
  }

  /** Ends a wait for a notification early. */
  public void wakeUp() {
    notifications.wakeUp();
  }

  /** Ends the session; what it did stays. */
  @Override
  public void close() {
    notifications.close();
  }
}
