package dev.contexture.server;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
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
import dev.contexture.model.RequestViolation;
import dev.contexture.model.Usage;
import dev.contexture.render.RenderCall;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestParams;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.RequestRow;
import dev.contexture.turn.ResultPart;
import java.util.ArrayList;
import java.util.List;
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
        Route.post(base + "/import", ImportRoute::importHistory),
        Route.post(base + "/render", ModelRoutes::render).needing(KeyRole.READER),
        Route.post(base + "/request", RequestRoutes::request),
        Route.post(base + "/epoch", RequestRoutes::epoch),
        Route.post(base + "/responses", ModelRoutes::record),
        Route.post(base + "/results", ModelRoutes::answer));
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
    RequestFields body = call.body("provider", "model", "request", "api_version");
    String provider = body.requiredString("provider");
    String model = body.requiredString("model");
    String request = body.exactObject("request");
    checkMessages(body.fields().object("request").orElse(JsonObject.EMPTY));
    Providers.Target target = call.engine().providers().resolve(provider, model);
    RequestParams params =
        body.fields()
            .string("api_version")
            .map(RequestParams.NONE::withApiVersion)
            .orElse(RequestParams.NONE);
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

  private static Response record(Call call) {
    RequestFields body = call.body("provider", "model", "response", "request_id", "partial");
    String provider = body.requiredString("provider");
    String model = body.requiredString("model");
    String response = body.exactObject("response");
    String requestId = body.string("request_id");
    boolean partial = body.fields().flag("partial", false);
    Providers.Target target = call.engine().providers().resolve(provider, model);
    Turn turn = turnOf(call, requestId);
    ModelAnswer reply = target.format().readAnswer(response, target.model());
    Response answer =
        Response.created(turn.record(requestId, target.model(), reply, partial).write());
    Usage usage = reply.tokens();
    if (usage != null && !partial) {
      call.metrics().used(usage);
    }
    return answer;
  }

  /** The turn of the request, so that a repeat is known as one after the turn closed. */
  private static Turn turnOf(Call call, @Nullable String requestId) {
    ContextBrowser browser = call.browser();
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
    RequestFields body = call.body("tool_call_id", "content", "is_error");
    CallId id = CallId.of(body.requiredString("tool_call_id"));
    JsonValue content = body.fields().value("content");
    if (content == null) {
      throw RequestFields.required("content", "a text or an array of parts");
    }
    boolean error = body.fields().flag("is_error", false);
    Turn turn = call.browser().turnOf(id);
    return Response.created(ResponseForms.contributed(turn.answer(id, parts(content), error)));
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
