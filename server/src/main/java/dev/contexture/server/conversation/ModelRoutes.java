package dev.contexture.server.conversation;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.TurnStep;
import dev.contexture.block.Binary;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestViolation;
import dev.contexture.model.Usage;
import dev.contexture.render.RenderCall;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestParams;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.RequestRow;
import dev.contexture.turn.CallName;
import dev.contexture.turn.CallResult;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.StepRecord;
import dev.contexture.turn.ToolAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** To the model and back: renders, requests, answers, results of tools. */
final class ModelRoutes {
  private static final int MAX_MESSAGES = 20_000;

  private ModelRoutes() {}

  static List<Route> routes(String base) {
    return List.of(
        Route.post("/v1/validate", ModelRoutes::validate).needing(KeyRole.READER),
        Route.post("/v1/simulate", CatalogueRoutes::simulate).needing(KeyRole.READER),
        Route.get("/v1/models", CatalogueRoutes::models),
        Route.get("/v1/choices", CatalogueRoutes::choices),
        Route.post(base + "/import", ImportRoute::importHistory),
        Route.post(base + "/render", ModelRoutes::render).needing(KeyRole.READER),
        Route.post(base + "/request", RequestRoutes::request),
        Route.post(base + "/epoch", RequestRoutes::epoch),
        Route.post(base + "/responses", ModelRoutes::record, "provider", "model", "request_id"),
        Route.post(base + "/results", ModelRoutes::answer),
        Route.post(base + "/step", StepRoutes::step));
  }

  private static Response render(Call call) {
    String text = call.text();
    JsonValue options = text.isBlank() ? JsonObject.EMPTY : RequestFields.parse(text);
    if (!(options instanceof JsonObject object)) {
      throw RequestFields.wrongType("body", options, "an object");
    }
    RenderCall render = RenderCall.read(object);
    if (!render.options().readOnly()) {
      call.caller().needs(KeyRole.WRITER);
    }
    Response answer = Response.ok(call.shown(call.known()).render(render).write());
    call.metrics().rendered();
    return answer;
  }

  private static Response validate(Call call) {
    RequestFields body = call.body("provider", "model", "request", "api_version", "compat");
    String provider = body.requiredString("provider");
    String model = body.requiredString("model");
    String request = body.exactObject("request");
    checkMessages(body.fields().object("request").orElse(JsonObject.EMPTY));
    Providers.Target target = call.engine().providers().resolve(provider, model);
    RequestParams params =
        body.fields()
            .string("api_version")
            .map(RequestParams.NONE::withApiVersion)
            .orElse(RequestParams.NONE)
            .withCompat(body.fields().flag("compat", false));
    List<RequestViolation> violations = target.format().check(target.model(), request, params);
    return Response.ok(
        JsonObject.builder()
            .put("valid", violations.stream().allMatch(RequestViolation::warning))
            .put(
                "violations",
                ResponseForms.array(violations.stream().map(ModelRoutes::violation).toList()))
            .build());
  }

  /** Each is judged beside those before it: their number is what judging costs. */
  private static void checkMessages(JsonObject request) {
    for (String name : List.of("messages", "input", "contents")) {
      if (request.find(name).orElse(null) instanceof JsonArray array
          && array.items().size() > MAX_MESSAGES) {
        throw ContextureException.limit(
            ErrorCode.LIMIT_EXCEEDED,
            "request." + name,
            MAX_MESSAGES,
            array.items().size(),
            "messages");
      }
    }
  }

  private static JsonObject violation(RequestViolation violation) {
    return JsonObject.builder()
        .put("code", violation.code())
        .put("where", violation.pointer())
        .put("message", violation.message())
        .put("warning", violation.warning())
        .build();
  }

  /**
   * An answer that came with a call.
   *
   * @param requestId the request that it answers; null: not known
   */
  record SentAnswer(
      @Nullable String requestId, ModelRef asked, ModelAnswer answer, boolean partial) {
    /** Counts what it cost. */
    void count(Call call) {
      Usage usage = answer.tokens();
      if (usage != null && !partial) {
        call.metrics().used(usage);
      }
    }
  }

  private static Response record(Call call) {
    SentAnswer sent = StreamIntake.isStream(call) ? streamed(call) : response(call, true);
    Turn turn = turnOf(call, sent.requestId);
    Response answer =
        Response.created(
            turn.record(sent.requestId, sent.asked, sent.answer, sent.partial).write());
    sent.count(call);
    return answer;
  }

  /**
   * The answer of a body.
   *
   * @param alone whether it comes without a turn, which has to be there then
   */
  static SentAnswer response(Call call, boolean alone) {
    RequestFields body = call.body("provider", "model", "response", "request_id", "partial");
    String provider = body.requiredString("provider");
    String model = body.requiredString("model");
    String response = body.exactObject("response");
    boolean partial = body.fields().flag("partial", false);
    for (String name : List.of("provider", "model", "request_id")) {
      if (call.query(name).isPresent()) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, name, "in the query", "in the body, unless it is a stream");
      }
    }
    Providers.Target target = call.engine().providers().resolve(provider, model);
    String requestId = body.string("request_id");
    if (alone) {
      turnOf(call, requestId); // refuses before the answer is read
    }
    ModelAnswer answer = target.format().readAnswer(response, target.model());
    return new SentAnswer(requestId, target.model(), answer, partial);
  }

  /** The provider's own stream, as it comes; the query says what a body would. */
  private static SentAnswer streamed(Call call) {
    String provider = query(call, "provider");
    String model = query(call, "model");
    Providers.Target target = call.engine().providers().resolve(provider, model);
    String requestId = call.query("request_id").orElse(null);
    turnOf(call, requestId); // refuses before anything is read
    ModelAnswer answer = StreamIntake.read(call, target.format().openStream(target.model()));
    return new SentAnswer(requestId, target.model(), answer, answer.cut().isPresent());
  }

  private static String query(Call call, String name) {
    return call.query(name)
        .filter(value -> !value.isBlank())
        .orElseThrow(() -> RequestFields.required(name, "in the query of a stream"));
  }

  /** The turn of the request, so that a repeat is known as one after the turn closed. */
  private static Turn turnOf(Call call, @Nullable String requestId) {
    ContextBrowser browser = call.loaded(call.browser());
    TurnId asked =
        requestId == null
            ? null
            : call.engine()
                .store()
                .request(call.conversation(), requestId)
                .map(RequestRow::turn)
                .orElse(null);
    return asked == null ? browser.openTurn() : browser.turn(asked);
  }

  private static Response answer(Call call) {
    RequestFields body = call.body("tool_call_id", "content", "is_error", "turn_id", "results");
    if (body.fields().value("results") != null) {
      return answers(call, body);
    }
    CallId id = CallId.of(body.requiredString("tool_call_id"));
    ToolAnswer answer = content(body.fields());
    ContextBrowser browser = call.loaded(call.browser());
    String named = body.string("turn_id");
    Turn turn = named == null ? browser.turnOf(id) : browser.turn(TurnId.of(named));
    return Response.created(
        ResponseForms.contributed(turn.answer(id, answer.parts(), answer.error())));
  }

  /** Several results, all or none. */
  private static Response answers(Call call, RequestFields body) {
    for (String name : List.of("tool_call_id", "content", "is_error", "turn_id")) {
      if (body.fields().value(name) != null) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, name, "beside results", "in a result, or without results");
      }
    }
    List<CallResult> results = body.list("results", ModelRoutes::result);
    if (results.isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "results", "empty", "at least one result");
    }
    StepRecord step = call.loaded(call.browser()).step(new TurnStep().results(results)).step();
    return Response.created(
        ResponseForms.version(step.version())
            .with(
                "results",
                ResponseForms.array(
                    step.results().stream().map(ResponseForms::contributed).toList())));
  }

  static CallResult result(JsonObject json) {
    JsonFields fields =
        JsonFields.of(
            json,
            Set.of("tool_call_id", "provider_call_id", "index", "content", "is_error", "turn_id"));
    String provider = fields.string("provider_call_id").orElse(null);
    OptionalLong index = fields.number("index");
    CallName name;
    if (provider != null) {
      name = new CallName.ProviderId(provider);
    } else if (index.isPresent()) {
      name = new CallName.Index(Math.clamp(index.getAsLong(), -1, Integer.MAX_VALUE));
    } else {
      name = new CallName.Id(CallId.of(fields.requiredString("tool_call_id")));
    }
    return new CallResult(
        name, content(fields), fields.string("turn_id").map(TurnId::of).orElse(null));
  }

  private static ToolAnswer content(JsonFields fields) {
    JsonValue content = fields.value("content");
    if (content == null) {
      throw RequestFields.required("content", "a text or an array of parts");
    }
    return new ToolAnswer(parts(content), fields.flag("is_error", false));
  }

  private static List<ResultPart> parts(JsonValue content) {
    if (content instanceof JsonString text) {
      return List.of(new ResultPart.Text(text.value()));
    }
    if (!(content instanceof JsonArray array)) {
      return List.of(new ResultPart.Json(content));
    }
    List<ResultPart> parts = new ArrayList<>();
    for (JsonValue item : array.items()) {
      String field = "content[" + parts.size() + "]";
      try {
        parts.add(part(item, field));
      } catch (ContextureException refused) {
        throw field.equals(refused.field().orElse("")) ? refused : refused.within(field);
      }
    }
    return parts;
  }

  private static ResultPart part(JsonValue item, String field) {
    JsonFields fields = JsonFields.of(item, field, Set.of("type", "text", "data", "media_type"));
    String type = fields.requiredString("type");
    return switch (type) {
      case "text" -> new ResultPart.Text(fields.requiredString("text"));
      case "image", "document" ->
          new ResultPart.Data(
              fields.requiredString("media_type"), Binary.ofBase64(fields.requiredString("data")));
      default ->
          throw ContextureException.invalid(
              ErrorCode.INVALID_ARGUMENT, "type", type, "text, image or document");
    };
  }
}
