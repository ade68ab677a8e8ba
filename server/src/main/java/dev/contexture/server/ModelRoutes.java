package dev.contexture.server;

import dev.contexture.block.Binary;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.engine.conversation.ContextBrowser;
import dev.contexture.engine.conversation.ContextRequest;
import dev.contexture.engine.conversation.RequestBuilder;
import dev.contexture.engine.conversation.ResultPart;
import dev.contexture.engine.conversation.Turn;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.model.Finding;
import dev.contexture.model.Repair;
import dev.contexture.model.Reply;
import dev.contexture.model.Violation;
import dev.contexture.render.RenderCall;
import dev.contexture.render.RenderReport;
import dev.contexture.request.Mark;
import dev.contexture.request.Providers;
import dev.contexture.request.ToolDef;
import dev.contexture.store.RequestRow;
import dev.contexture.token.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** To the model and back: renders, requests, answers, results of tools. */
final class ModelRoutes {
  private ModelRoutes() {}

  static List<Route> routes(String base) {
    return List.of(
        Route.post("/v1/validate", ModelRoutes::validate),
        Route.post("/v1/simulate", CatalogueRoutes::simulate),
        Route.get("/v1/models", CatalogueRoutes::models),
        Route.post(base + "/import", ImportRoute::importHistory),
        Route.post(base + "/render", ModelRoutes::render),
        Route.post(base + "/request", ModelRoutes::request),
        Route.post(base + "/responses", ModelRoutes::record),
        Route.post(base + "/results", ModelRoutes::answer));
  }

  private static Answer render(Call call) {
    String text = call.text();
    JsonValue options = text.isBlank() ? JsonObject.EMPTY : JsonValue.parse(text);
    if (!(options instanceof JsonObject object)) {
      throw Body.wrongType("body", options, "an object");
    }
    RenderCall render = RenderCall.read(object);
    return Answer.ok(call.known().render(render).write());
  }

  private static Answer request(Call call) {
    Body body =
        call.body(
            "provider",
            "model",
            "agent",
            "base_instructions",
            "tools",
            "max_output_tokens",
            "include_sources",
            "include_announce");
    List<ToolDef> tools = body.list("tools", ModelRoutes::tool);
    String provider = body.requiredString("provider");
    String model = body.requiredString("model");
    RequestBuilder builder = call.browser().openTurn().request(provider, model).tools(tools);
    body.fields().string("base_instructions").ifPresent(builder::instructions);
    body.fields().string("agent").map(call::agent).ifPresent(builder::agent);
    builder.includeSources(body.fields().flag("include_sources", false));
    builder.includeAnnounce(body.fields().flag("include_announce", false));
    OptionalLong most = body.fields().number("max_output_tokens");
    if (most.isPresent()) {
      builder.maxOutputTokens(outputTokens(most.getAsLong()));
    }
    return Answer.json(200, write(builder.build()));
  }

  private static int outputTokens(long tokens) {
    if (tokens < 1 || tokens > Integer.MAX_VALUE) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "max_output_tokens", tokens, "a number from 1");
    }
    return (int) tokens;
  }

  private static ToolDef tool(JsonObject json) {
    JsonFields fields = JsonFields.of(json, Set.of("name", "description", "input_schema"));
    JsonObject schema =
        fields.object("input_schema").orElseThrow(() -> Body.required("input_schema", "an object"));
    return new ToolDef(
        fields.requiredString("name"), fields.string("description").orElse(""), schema.toJson());
  }

  /** The body is put in as it is: its bytes are what is to be sent. */
  private static String write(ContextRequest request) {
    return "{\"request_id\":"
        + JsonValue.of(request.id()).toJson()
        + ",\"request\":"
        + request.body()
        + ",\"metadata\":"
        + metadata(request).toJson()
        + "}";
  }

  private static JsonObject metadata(ContextRequest request) {
    RenderReport report = request.context().report();
    JsonObject tokens =
        JsonObject.builder()
            .put("system", report.systemTokens())
            .put("stable", report.stableTokens())
            .put("tail", report.tailTokens())
            .put("total", report.totalTokens())
            .put("estimate", estimate(request.estimate()))
            .build();
    JsonObject.Builder metadata = JsonObject.builder();
    metadata
        .put("tokens", tokens)
        .put(
            "cache_marks",
            Wire.array(request.request().marks().stream().map(ModelRoutes::mark).toList()))
        .put(
            "warnings",
            Wire.array(request.request().findings().stream().map(ModelRoutes::finding).toList()))
        .put(
            "repairs",
            Wire.array(request.request().repairs().stream().map(ModelRoutes::repair).toList()))
        .put("prefix", request.prefix().wireName());
    request.divergence().ifPresent(change -> metadata.put("divergence", change.write()));
    return metadata.build();
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

  private static JsonObject finding(Finding finding) {
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

  private static Answer validate(Call call) {
    Body body = call.body("provider", "model", "request");
    String provider = body.requiredString("provider");
    String model = body.requiredString("model");
    String request = body.exactObject("request");
    Providers.Target target = call.engine().providers().resolve(provider, model);
    List<Violation> violations = target.format().check(target.model(), request);
    return Answer.ok(
        JsonObject.builder()
            .put("valid", violations.stream().allMatch(Violation::warning))
            .put("violations", Wire.array(violations.stream().map(ModelRoutes::violation).toList()))
            .build());
  }

  private static JsonObject violation(Violation violation) {
    return JsonObject.builder()
        .put("code", violation.code())
        .put("where", violation.pointer())
        .put("message", violation.message())
        .put("warning", violation.warning())
        .build();
  }

  private static Answer record(Call call) {
    Body body = call.body("provider", "model", "response", "request_id", "partial");
    String provider = body.requiredString("provider");
    String model = body.requiredString("model");
    String response = body.exactObject("response");
    String requestId = body.string("request_id");
    boolean partial = body.fields().flag("partial", false);
    Providers.Target target = call.engine().providers().resolve(provider, model);
    Turn turn = turnOf(call, requestId);
    Reply reply = target.format().readAnswer(response, target.model());
    return Answer.created(turn.record(requestId, target.model(), reply, partial).write());
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

  private static Answer answer(Call call) {
    Body body = call.body("tool_call_id", "content", "is_error");
    CallId id = CallId.of(body.requiredString("tool_call_id"));
    JsonValue content = body.fields().value("content");
    if (content == null) {
      throw Body.required("content", "a text or an array of parts");
    }
    boolean error = body.fields().flag("is_error", false);
    Turn turn = call.browser().openTurn();
    return Answer.created(Wire.contributed(turn.answer(id, parts(content), error)));
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
              ErrorCode.INVALID_PARAMS, "type", type, "text, image or document");
    };
  }
}
