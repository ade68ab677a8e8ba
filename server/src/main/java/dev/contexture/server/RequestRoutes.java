package dev.contexture.server;

import dev.contexture.ContextBuilder;
import dev.contexture.ContextRequest;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.Repair;
import dev.contexture.model.WireFinding;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ContextConfigCodec;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.request.Effort;
import dev.contexture.request.Mark;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.ThinkingChoice;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.token.Estimate;
import dev.contexture.tool.ToolRuleCodec;
import dev.contexture.turn.WaitingPolicy;
import dev.contexture.view.Adds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** What a model is told: whole requests, an agent's prompt, and when it is written anew. */
final class RequestRoutes {
  private static final Set<String> LIMITS =
      Set.of("max_tokens", "memory_tokens", "history_tokens", "reserved_response_tokens");

  private RequestRoutes() {}

  static List<Route> ofAgents(String base) {
    return List.of(
        Route.get(
            base + "/prompt", RequestRoutes::prompt, "include_descriptions", "include_schemas"));
  }

  static Response request(Call call) {
    RequestFields body =
        call.body(
            "provider",
            "model",
            "agent",
            "base_instructions",
            "tools",
            "tool_rules",
            "batch_blocks",
            "max_output_tokens",
            "include_sources",
            "include_announce",
            "limit",
            "days",
            "adds",
            "config",
            "tool_choice",
            "thinking",
            "effort",
            "output_schema",
            "params",
            "api_version",
            "stream",
            "compat",
            "waiting",
            "force_compaction");
    String provider = body.requiredString("provider");
    String model = body.requiredString("model");
    Turn turn = call.shown(call.browser()).openTurn();
    RequestBuilder builder = turn.request(provider, model);
    if (body.fields().value("tools") != null) {
      builder.tools(body.list("tools", ToolDef::read));
    }
    builder.toolRules(ToolRuleCodec.read(body.fields().objects("tool_rules")));
    builder.blocks(body.fields().strings("batch_blocks"));
    builder.config(config(body.fields().object("config").orElse(JsonObject.EMPTY), turn));
    body.fields().object("adds").map(RequestRoutes::adds).ifPresent(builder::adds);
    limit(body).ifPresent(builder::turnLimit);
    body.fields().string("base_instructions").ifPresent(builder::instructions);
    body.fields().string("agent").map(call::agent).ifPresent(builder::agent);
    builder.activity(call.engine().activity(call.scope()));
    builder.includeSources(body.fields().flag("include_sources", false));
    builder.includeAnnounce(body.fields().flag("include_announce", false));
    builder.forceCompaction(body.fields().flag("force_compaction", false));
    body.fields().string("waiting").map(RequestRoutes::waiting).ifPresent(builder::waiting);
    OptionalLong most = body.fields().number("max_output_tokens");
    if (most.isPresent()) {
      builder.maxOutputTokens(outputTokens(most.getAsLong()));
    }
    builder.stream(body.fields().flag("stream", false));
    params(body.fields(), builder);
    ContextRequest built = builder.build();
    call.metrics().built(built);
    return Response.json(200, write(built));
  }

  /** What is asked of the model beside the conversation. */
  private static void params(JsonFields fields, RequestBuilder builder) {
    JsonValue choice = fields.value("tool_choice");
    if (choice != null) {
      builder.toolChoice(ToolChoice.read(choice));
    }
    JsonValue thinking = fields.value("thinking");
    if (thinking != null) {
      builder.thinking(ThinkingChoice.read(thinking));
    }
    fields.string("effort").map(Effort::named).ifPresent(builder::effort);
    fields.object("output_schema").map(OutputSchema::read).ifPresent(builder::outputSchema);
    fields.object("params").ifPresent(builder::params);
    fields.string("api_version").ifPresent(builder::apiVersion);
    builder.compat(fields.flag("compat", false));
  }

  private static WaitingPolicy waiting(String name) {
    return WaitingPolicy.named(name)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT, "waiting", name, "cancel or omit"));
  }

  private static Adds adds(JsonObject json) {
    try {
      return Adds.read(json);
    } catch (ContextureException refused) {
      throw refused.within("adds");
    }
  }

  /** How many turns are shown; empty: as the turn says. */
  private static Optional<TurnLimit> limit(RequestFields body) {
    OptionalInt turns = count(body, "limit");
    OptionalInt days = count(body, "days");
    return turns.isEmpty() && days.isEmpty()
        ? Optional.empty()
        : Optional.of(new TurnLimit(turns, days));
  }

  private static OptionalInt count(RequestFields body, String name) {
    OptionalLong number = body.fields().number(name);
    if (number.isEmpty()) {
      return OptionalInt.empty();
    }
    if (number.getAsLong() < 0 || number.getAsLong() > Integer.MAX_VALUE) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, name, number.getAsLong(), "a number from 0 to 2147483647");
    }
    return OptionalInt.of((int) number.getAsLong());
  }

  /** The configuration of a call, with the budget of the turn if it names none. */
  private static ContextConfig config(JsonObject json, Turn turn) {
    Long budget = turn.settings().maxTokens();
    boolean given = LIMITS.stream().anyMatch(json::has);
    try {
      ContextConfig asked = ContextConfigCodec.read(json);
      return given || budget == null
          ? asked
          : asked.withLimits(ModelContextLimits.ofMaxTokens(budget));
    } catch (ContextureException refused) {
      throw refused.within("config");
    }
  }

  private static int outputTokens(long tokens) {
    if (tokens < 1 || tokens > Integer.MAX_VALUE) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "max_output_tokens", tokens, "a number from 1");
    }
    return (int) tokens;
  }

  /** The body is put in as it is: its bytes are what is to be sent. */
  private static String write(ContextRequest request) {
    return "{\"request_id\":"
        + JsonValue.of(request.id()).toJson()
        + ",\"request\":"
        + request.body()
        + ",\"metadata\":"
        + metadata(request).toJson()
        + ",\"path\":"
        + JsonValue.of(request.path()).toJson()
        + ",\"headers\":"
        + headers(request).toJson()
        + "}";
  }

  private static JsonObject headers(ContextRequest request) {
    JsonObject.Builder headers = JsonObject.builder();
    request.headers().forEach(headers::put);
    return headers.build();
  }

  private static JsonObject metadata(ContextRequest request) {
    JsonObject known = request.metadata().toJson();
    JsonObject tokens =
        known
            .object("tokens")
            .orElse(JsonObject.EMPTY)
            .with("estimate", estimate(request.estimate()));
    List<JsonValue> warnings =
        new ArrayList<>(known.array("warnings").map(JsonArray::items).orElse(List.of()));
    request.request().findings().forEach(finding -> warnings.add(finding(finding)));
    JsonObject metadata =
        known
            .with("tokens", tokens)
            .with("warnings", new JsonArray(warnings))
            .with(
                "cache_marks",
                ResponseForms.array(
                    request.request().marks().stream().map(RequestRoutes::mark).toList()))
            .with(
                "repairs",
                ResponseForms.array(
                    request.request().repairs().stream().map(RequestRoutes::repair).toList()))
            .with("prefix", JsonValue.of(request.prefix().wireName()));
    JsonObject compared =
        request
            .prefix()
            .rebasedBy()
            .map(why -> metadata.with("rebased_by", JsonValue.of(why)))
            .orElse(metadata);
    return request
        .divergence()
        .map(change -> compared.with("divergence", change.write()))
        .orElse(compared);
  }

  private static JsonObject estimate(Estimate estimate) {
    return JsonObject.builder()
        .put("tokens", estimate.tokens())
        .put("low", estimate.low())
        .put("high", estimate.high())
        .put("method", estimate.method().wireName())
        .put("samples", estimate.samples())
        .build();
  }

  private static JsonObject mark(Mark mark) {
    return JsonObject.builder()
        .put("point", mark.point().name().toLowerCase(Locale.ROOT))
        .put("where", mark.pointer())
        .build();
  }

  private static JsonObject finding(WireFinding finding) {
    return JsonObject.builder()
        .put("code", finding.code())
        .put("where", finding.pointer())
        .put("message", finding.message())
        .build();
  }

  private static JsonObject repair(Repair repair) {
    return JsonObject.builder()
        .put("code", repair.code())
        .put("where", repair.pointer())
        .put("reason", repair.reason())
        .build();
  }

  static Response epoch(Call call) {
    RequestFields body = call.body("agent");
    String bound = call.caller().grant().agent();
    String agent = body.fields().string("agent").map(call::agent).orElse(bound);
    List<String> ended = call.known().newEpoch(agent);
    return Response.ok(
        JsonObject.builder()
            .put("agents", JsonArray.ofStrings(ended))
            .put("version", call.browser().version())
            .build());
  }

  private static Response prompt(Call call) {
    ContextConfig absent = ContextConfig.DEFAULT;
    ContextConfig config =
        absent
            .withDescriptions(call.queryFlag("include_descriptions", absent.includeDescriptions()))
            .withSchemas(call.queryFlag("include_schemas", absent.includeSchemas()));
    List<String> system =
        ContextBuilder.of(call.memory(), config)
            .forAgent(call.readableAgent())
            .withActivity(call.engine().activity(call.scope()))
            .build()
            .system();
    return Response.ok(JsonObject.of("system", JsonArray.ofStrings(system)));
  }
}
