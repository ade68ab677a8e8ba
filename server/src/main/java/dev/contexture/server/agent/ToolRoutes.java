package dev.contexture.server.agent;

import dev.contexture.ContextBrowser;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.agent.TurnCalls;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.MemoryView;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.RequestRow;
import dev.contexture.tool.RuleCall;
import dev.contexture.tool.RuleEngine;
import dev.contexture.tool.RuleState;
import dev.contexture.tool.RuleViolation;
import dev.contexture.tool.ToolRuleCodec;
import dev.contexture.tool.ToolSpec;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnLog;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The built-in tools of agents, and the rules for calls of any tool. */
final class ToolRoutes {
  private static final IdGenerator IDS = new IdGenerator(new SecureRandom());

  private ToolRoutes() {}

  static List<Route> ofConversation(String base) {
    return List.of(
        Route.post(base + "/tools/{tool}", ToolRoutes::inConversation),
        Route.post(base + "/rules/check", ToolRoutes::check).needing(KeyRole.READER));
  }

  static List<Route> ofAgent(String base) {
    return List.of(
        Route.get(base + "/tools", ToolRoutes::list),
        Route.post(base + "/tools/{tool}", ToolRoutes::run));
  }

  /** Runs a tool in the open turn, as the agent of the turn. */
  private static Response inConversation(Call call) {
    RequestFields body = call.body("tool_call_id", "params");
    JsonObject params = body.fields().object("params").orElse(JsonObject.EMPTY);
    ContextBrowser chat = call.shown(call.known());
    TurnLog turn = chat.turnLog(chat.openTurn().id());
    AgentTools tools =
        Optional.ofNullable(turn.turn().row().agent())
            .map(agent -> call.engine().agentTools(chat, agent))
            .orElseGet(() -> call.engine().agentTools(chat));
    return Response.ok(
        JsonObject.of(
            "blocks",
            ResponseForms.array(
                call
                    .tools(tools)
                    .perform(call.path("tool"), params, body.string("tool_call_id"))
                    .stream()
                    .map(ResponseForms::block)
                    .toList())));
  }

  /** What a model is told about the tools of an agent in a conversation. */
  private static Response list(Call call) {
    call.agent(); // checks its form
    return Response.ok(
        JsonObject.of(
            "tools",
            ResponseForms.array(AgentTools.all().stream().map(ToolRoutes::definition).toList())));
  }

  private static JsonObject definition(ToolSpec tool) {
    return JsonObject.builder()
        .put("name", tool.name())
        .put("description", tool.description())
        .put("input_schema", tool.parameters())
        .build();
  }

  /** Runs a tool of an agent's memory; what it refuses is its result. */
  private static Response run(Call call) {
    RequestFields body = call.body("params", "user");
    JsonObject params = body.fields().object("params").orElse(JsonObject.EMPTY);
    AgentTools all =
        call.tools(call.engine().agentTools(call.scope().agent(MemoryView.readableAgent(call))));
    String asked = body.string("user");
    if (asked != null) {
      call.caller().mayReachUser(asked);
    }
    String bound = call.caller().grant().user();
    String user = bound == null ? asked : bound;
    AgentTools tools =
        user == null
            ? all.withoutMessages()
            : all.withUser(MemoryView.checked(call, MemoryView.USER, user));
    String name = call.path("tool");
    if (!tools.has(name)) {
      List<String> names = tools.specs().stream().map(ToolSpec::name).toList();
      throw ContextureException.invalid(
          ErrorCode.NOT_FOUND, "tool", name, String.join(", ", names));
    }
    return Response.ok(tools.run(new ToolCall(IDS.call(), null, name, params.toJson())).json());
  }

  /** The names that the last request gave tools, where they are other ones, by tool. */
  private static Map<String, String> givenNames(ContextBrowser chat) {
    Map<String, String> given = new HashMap<>();
    for (RequestRow request : chat.requests().list(null, 1)) {
      JsonObject aliases = request.record().object("aliases").orElse(JsonObject.EMPTY);
      aliases.keys().forEach(name -> aliases.string(name).ifPresent(tool -> given.put(tool, name)));
    }
    return given;
  }

  /** Decides about a call, after the calls that the open turn holds. */
  private static Response check(Call call) {
    RequestFields body = call.body("tool_rules", "call");
    if (body.fields().value("tool_rules") == null) {
      throw RequestFields.required("tool_rules", "an array of rules");
    }
    RuleEngine rules = new RuleEngine(ToolRuleCodec.read(body.fields().objects("tool_rules")));
    JsonFields asked =
        JsonFields.of(
            body.fields()
                .object("call")
                .orElseThrow(() -> RequestFields.required("call", "an object")),
            Set.of("tool", "arguments"));
    String arguments = asked.object("arguments").orElse(JsonObject.EMPTY).toJson();
    ContextBrowser chat = call.loaded(call.browser());
    Map<String, String> given = givenNames(chat);
    String named = asked.requiredString("tool");
    String tool =
        given.entrySet().stream()
            .filter(name -> name.getValue().equals(named))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(named);
    RuleCall wanted = RuleCall.of(tool, arguments);
    RuleState state = TurnCalls.state(rules, chat.turnLog(chat.openTurn().id()));
    RuleViolation violation = rules.check(state, wanted).orElse(null);
    JsonObject.Builder answer =
        JsonObject.builder().put("decision", violation == null ? "allowed" : "violated");
    if (violation != null) {
      String told = violation.renamed(name -> given.getOrDefault(name, name)).message();
      answer.put("violation", ToolRuleCodec.write(violation).with("message", JsonValue.of(told)));
    }
    return Response.ok(
        answer.put("next", rules.next(state).name().toLowerCase(Locale.ROOT)).build());
  }
}
