package dev.contexture.server;

import dev.contexture.engine.conversation.Ids;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import io.javalin.http.HttpResponseException;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the answer of whatever was thrown (H-3). Thread-safe. */
final class Failure {
  private static final System.Logger LOG = System.getLogger(Failure.class.getName());
  private static final int UNAUTHENTICATED = 401;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;

  private final Ids ids;

  Failure(Ids ids) {
    this.ids = ids;
  }

  Answer of(Throwable thrown, String method, String path) {
    return switch (thrown) {
      case ContextureException refused -> refusal(refused);
      case HttpResponseException refused -> routing(refused, method, path);
      default -> defect(thrown, method, path);
    };
  }

  private static Answer refusal(ContextureException refused) {
    int status = refused.code().httpStatus();
    if (status >= ErrorCode.INTERNAL.httpStatus()) {
      LOG.log(System.Logger.Level.WARNING, "the engine failed", refused);
    }
    Answer answer = Answer.problem(status, Problem.of(refused));
    return switch (status) {
      case UNAVAILABLE -> answer.with("Retry-After", "1");
      case UNAUTHENTICATED -> answer.with("WWW-Authenticate", "Bearer");
      default -> answer;
    };
  }

  /** What was refused before a route was found. */
  private static Answer routing(HttpResponseException refused, String method, String path) {
    return switch (refused.getStatus()) {
      case NOT_FOUND ->
          refusal(
              ContextureException.invalid(
                  ErrorCode.NOT_FOUND, "route", method + " " + path, "a route of docs/http.md"));
      case NOT_ALLOWED -> notAllowed(refused, method, path);
      default ->
          Answer.problem(
              refused.getStatus(),
              Problem.of(
                  ErrorCode.INVALID_PARAMS.wireName(),
                  refused.getStatus(),
                  String.valueOf(refused.getMessage())));
    };
  }

  private static Answer notAllowed(HttpResponseException refused, String method, String path) {
    String allowed =
        refused.getDetails().values().stream().sorted().collect(Collectors.joining(", "));
    return refusal(
            new ContextureException(
                ErrorCode.METHOD_NOT_ALLOWED,
                path + " has no " + method + "; allowed: " + allowed,
                Map.of("field", "method", "actual", method, "allowed", allowed),
                null))
        .with("Allow", allowed);
  }

  private Answer defect(Throwable thrown, String method, String path) {
    String id = ids.of("err");
    LOG.log(System.Logger.Level.ERROR, method + " " + path + " failed, " + id, thrown);
    return Answer.problem(
        ErrorCode.INTERNAL.httpStatus(),
        Problem.internal("something failed that nobody foresaw; the log has more under " + id)
            .with("id", JsonValue.of(id)));
  }
}
