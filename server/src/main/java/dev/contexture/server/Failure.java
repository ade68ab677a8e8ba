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
  private static final int UNAUTHENTICATED = 401;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;

  private final Ids ids;
  private final LogLines log;

  Failure(Ids ids, LogLines log) {
    this.ids = ids;
    this.log = log;
  }

  Answer of(Throwable thrown, String method, String path, Exchange exchange) {
    return switch (thrown) {
      case ContextureException refused -> {
        boolean ours = refused.code().httpStatus() >= ErrorCode.INTERNAL.httpStatus();
        boolean busy = refused.code() == ErrorCode.STORE_UNAVAILABLE && refused.getCause() == null;
        if (ours && !busy) {
          log.failure(exchange, method, null, refused);
        }
        exchange.failed(refused.code().wireName(), null);
        yield refusal(refused);
      }
      case HttpResponseException refused -> routing(refused, method, path);
      default -> defect(thrown, method, exchange);
    };
  }

  private static Answer refusal(ContextureException refused) {
    int status = refused.code().httpStatus();
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

  private Answer defect(Throwable thrown, String method, Exchange exchange) {
    String id = ids.of("err");
    log.failure(exchange, method, id, thrown);
    exchange.failed(ErrorCode.INTERNAL.wireName(), id);
    return Answer.problem(
        ErrorCode.INTERNAL.httpStatus(),
        Problem.internal("something failed that nobody foresaw; the log has more under " + id)
            .with("id", JsonValue.of(id)));
  }
}
