package dev.contexture.server.conversation;

import dev.contexture.ContextBrowser;
import dev.contexture.StepAnswer;
import dev.contexture.TurnStep;
import dev.contexture.block.CallId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.Problem;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.turn.Reply;
import dev.contexture.turn.StepRecord;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One step of a loop: what happened since the last one, in one commit, and the next request. */
final class StepRoutes {
  private static final int MAX_ID = 128;

  private StepRoutes() {}

  static Response step(Call call) {
    RequestFields body = call.body("step_id", "turn", "response", "results", "finish", "request");
    String id = id(body.fields());
    return id == null
        ? step(call, body, null)
        : call.alone("step:" + id, () -> step(call, body, id));
  }

  private static Response step(Call call, RequestFields body, @Nullable String id) {
    JsonFields fields = body.fields();
    TurnStep step = new TurnStep();
    if (id != null) {
      step.id(id).content(call.text());
    }
    if (fields.object("turn").isPresent()) {
      step.turn(within("turn", () -> TurnRoutes.start(call, call.part("turn"))));
    }
    ModelRoutes.SentAnswer sent = null;
    if (fields.object("response").isPresent()) {
      sent = within("response", () -> ModelRoutes.response(call.part("response"), false));
      step.answer(sent.requestId(), sent.asked(), sent.answer(), sent.partial());
    }
    step.results(body.list("results", ModelRoutes::result));
    if (fields.object("finish").isPresent()) {
      step.finish(within("finish", () -> TurnRoutes.finishOf(call.part("finish"))));
    }
    RequestRoutes.Ask ask = null;
    if (fields.object("request").isPresent()) {
      ask = within("request", () -> RequestRoutes.read(call.part("request")));
      step.requestFollows().waiting(ask.waiting());
    }
    ContextBrowser browser =
        call.shown(fields.object("turn").isPresent() ? call.startable() : call.browser());
    StepAnswer done = browser.step(step);
    if (sent != null && !done.repeated()) {
      sent.count(call);
    }
    String answer = write(browser, done.step()).toJson();
    String next =
        ask == null || done.step().closure().isPresent() ? "" : next(call, browser, done, id, ask);
    return Response.json(200, answer.substring(0, answer.length() - 1) + next + "}");
  }

  private static @Nullable String id(JsonFields fields) {
    String id = fields.string("step_id").orElse(null);
    if (id != null && (id.isBlank() || id.length() > MAX_ID)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ID, "step_id", id, "1 to " + MAX_ID + " characters");
    }
    return id;
  }

  private static <T> T within(String name, Supplier<T> read) {
    try {
      return read.get();
    } catch (ContextureException refused) {
      throw refused.within(name);
    }
  }

  private static JsonObject write(ContextBrowser browser, StepRecord step) {
    JsonObject.Builder json =
        JsonObject.builder().put("turn_id", step.turn().value()).put("version", step.version());
    StepRecord.Begun begun = step.begun();
    if (begun != null) {
      json.put(
          "turn",
          TurnRoutes.begun(browser, step.turn(), begun.newConversation(), begun.omittedTurns()));
    }
    step.reply().map(Reply::write).ifPresent(reply -> json.put("reply", reply));
    if (!step.results().isEmpty()) {
      json.put(
          "results",
          ResponseForms.array(step.results().stream().map(ResponseForms::contributed).toList()));
    }
    step.closure()
        .ifPresent(
            closed -> {
              json.put("status", closed.status().wireName());
              if (!closed.cancelled().isEmpty()) {
                json.put(
                    "cancelled",
                    JsonArray.ofStrings(closed.cancelled().stream().map(CallId::value).toList()));
              }
            });
    return json.build();
  }

  /** The members of the next request; of a repeat those that the first one had. */
  private static String next(
      Call call,
      ContextBrowser browser,
      StepAnswer done,
      @Nullable String id,
      RequestRoutes.Ask ask) {
    if (id != null && done.repeated()) {
      Optional<String> first = browser.requests().ofStep(id);
      if (first.isPresent()) {
        return first.get();
      }
    }
    String built;
    try {
      built = ask.build(call).text();
    } catch (ContextureException problem) {
      if (problem.code().httpStatus() >= ErrorCode.INTERNAL.httpStatus()) {
        throw problem; // the step can be sent again
      }
      return ",\"request_problem\":" + Problem.of(problem).toJson();
    }
    String members = "," + built.strip().substring(1, built.strip().length() - 1);
    if (id != null) {
      JsonObject rest = ((JsonObject) JsonValue.parse(built)).without("request");
      browser.requests().keepStep(rest.string("request_id").orElse(""), id, rest);
    }
    return members;
  }
}
