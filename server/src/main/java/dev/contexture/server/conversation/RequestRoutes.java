package dev.contexture.server.conversation;

import dev.contexture.ContextBuilder;
import dev.contexture.ContextRequest;
import dev.contexture.RecentActivity;
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
import dev.contexture.server.http.Call;
import dev.contexture.server.http.MemoryView;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
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
import java.util.function.BiConsumer;

/**
 * Routes for the input of models: whole requests, an agent's prompt, and the end of an epoch, when
 * memory is written again.
 */
final class RequestRoutes {
  private static final Set<String> LIMITS =
      Set.of("max_tokens", "memory_tokens", "history_tokens", "reserved_response_tokens");

  private RequestRoutes() {}

  static List<Route> ofAgents(String base) {
    return List.of(
        Route.get(
            base + "/prompt",
            RequestRoutes::prompt,
            "include_descriptions",
            "include_schemas",
            MemoryView.USER));
  }

  /** The parameters of a request, read and checked before there has to be a turn. */
  static final class Ask {
    private final String provider;
    private final String model;
    private final WaitingPolicy waiting;
    private final List<BiConsumer<RequestBuilder, Turn>> settings = new ArrayList<>();

    private Ask(String provider, String model, WaitingPolicy waiting) {
      this.provider = provider;
      this.model = model;
      this.waiting = waiting;
    }

    /** What happens to calls that wait. */
    WaitingPolicy waiting() {
      return waiting;
    }

    private <T> void set(BiConsumer<RequestBuilder, T> setter, T value) {
      settings.add((builder, turn) -> setter.accept(builder, value));
    }

    /** Builds it for the open turn. */
    Response build(Call call) {
      Turn turn = call.shown(call.browser()).openTurn();
      RequestBuilder builder = turn.request(provider, model).waiting(waiting);
      settings.forEach(setting -> setting.accept(builder, turn));
      ContextRequest built = builder.build();
      call.metrics().built(built);
      return Response.json(200, write(built));
    }
  }

  static Response request(Call call) {
    return read(call).build(call);
  }

  /**
   * Reads what a request is to be made of.
   *
   * @throws ContextureException for what no turn could make right
   */
  static Ask read(Call call) {
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
    JsonFields fields = body.fields();
    String provider = body.requiredString("provider");
    String model = body.requiredString("model");
    call.engine().providers().resolve(provider, model);
    Ask ask =
        new Ask(
            provider,
            model,
            fields.string("waiting").map(RequestRoutes::waiting).orElse(WaitingPolicy.REFUSE));
    if (fields.value("tools") != null) {
      ask.set(RequestBuilder::tools, body.list("tools", ToolDef::read));
    }
    ask.set(RequestBuilder::toolRules, ToolRuleCodec.read(fields.objects("tool_rules")));
    ask.set(RequestBuilder::blocks, fields.strings("batch_blocks"));
    config(fields.object("config").orElse(JsonObject.EMPTY), ask);
    fields
        .object("adds")
        .map(RequestRoutes::adds)
        .ifPresent(it -> ask.set(RequestBuilder::adds, it));
    limit(body).ifPresent(it -> ask.set(RequestBuilder::turnLimit, it));
    fields.string("base_instructions").ifPresent(it -> ask.set(RequestBuilder::instructions, it));
    fields.string("agent").map(call::agent).ifPresent(it -> ask.set(RequestBuilder::agent, it));
    ask.set(RequestBuilder::activity, call.engine().activity(call.scope()));
    ask.set(RequestBuilder::includeSources, fields.flag("include_sources", false));
    ask.set(RequestBuilder::includeAnnounce, fields.flag("include_announce", false));
    ask.set(RequestBuilder::forceCompaction, fields.flag("force_compaction", false));
    OptionalLong most = fields.number("max_output_tokens");
    if (most.isPresent()) {
      ask.set(RequestBuilder::maxOutputTokens, outputTokens(most.getAsLong()));
    }
    ask.set(RequestBuilder::stream, fields.flag("stream", false));
    params(fields, ask);
    return ask;
  }

  /** What is asked of the model beside the conversation. */
  private static void params(JsonFields fields, Ask ask) {
    JsonValue choice = fields.value("tool_choice");
    if (choice != null) {
      ask.set(RequestBuilder::toolChoice, ToolChoice.read(choice));
    }
    JsonValue thinking = fields.value("thinking");
    if (thinking != null) {
      ask.set(RequestBuilder::thinking, ThinkingChoice.read(thinking));
    }
    fields.string("effort").map(Effort::named).ifPresent(it -> ask.set(RequestBuilder::effort, it));
    fields
        .object("output_schema")
        .map(OutputSchema::read)
        .ifPresent(it -> ask.set(RequestBuilder::outputSchema, it));
    fields.object("params").ifPresent(it -> ask.set(RequestBuilder::params, it));
    fields.string("api_version").ifPresent(it -> ask.set(RequestBuilder::apiVersion, it));
    ask.set(RequestBuilder::compat, fields.flag("compat", false));
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
    OptionalInt days = count(body, "days", 1);
    return turns.isEmpty() && days.isEmpty()
        ? Optional.empty()
        : Optional.of(new TurnLimit(turns, days));
  }

  private static OptionalInt count(RequestFields body, String name) {
    return count(body, name, 0);
  }

  private static OptionalInt count(RequestFields body, String name, int least) {
    OptionalLong number = body.fields().number(name);
    if (number.isEmpty()) {
      return OptionalInt.empty();
    }
    if (number.getAsLong() < least || number.getAsLong() > Integer.MAX_VALUE) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          name,
          number.getAsLong(),
          "a number from " + least + " to " + Integer.MAX_VALUE);
    }
    return OptionalInt.of((int) number.getAsLong());
  }

  /** The configuration of a call, with the budget of the turn if it names none. */
  private static void config(JsonObject json, Ask ask) {
    boolean given = LIMITS.stream().anyMatch(json::has);
    try {
      ContextConfig asked = ContextConfigCodec.read(json);
      ask.settings.add(
          (builder, turn) -> {
            Long budget = turn.settings().maxTokens();
            builder.config(
                given || budget == null
                    ? asked
                    : asked.withLimits(ModelContextLimits.ofMaxTokens(budget)));
          });
    } catch (ContextureException refused) {
      throw refused.within("config");
    }
  }

  private static int outputTokens(long tokens) {
    if (tokens < 1 || tokens > Integer.MAX_VALUE) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "max_output_tokens", tokens, "1 to " + Integer.MAX_VALUE);
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
    List<String> ended = call.loaded(call.known()).newEpoch(agent);
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
    String user = MemoryView.one(call);
    RecentActivity activity = call.engine().activity(call.scope());
    List<String> system =
        ContextBuilder.of(call.memory(), config)
            .forAgent(MemoryView.readableAgent(call))
            .withActivity(user == null ? activity : activity.forUser(user))
            .build()
            .system();
    return Response.ok(JsonObject.of("system", JsonArray.ofStrings(system)));
  }
}
