package dev.contexture.server.operation;

import dev.contexture.engine.session.IdGenerator;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.server.Problem;
import dev.contexture.server.http.RequestTrace;
import dev.contexture.server.http.Response;
import io.javalin.http.HttpResponseException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Makes the answer of whatever was thrown. Where the store is and what the database says is for the
 * log, not for callers, who may be models. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ErrorMapper {
  private static final int UNAUTHENTICATED = 401;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final int MAX_CAUSES = 8;
  private static final long DAMAGE_TOLD_NANOS = Duration.ofMinutes(10).toNanos();

  private final IdGenerator ids;
  private final LogLines log;
  private volatile long damagedAtNanos;

  public ErrorMapper(IdGenerator ids, LogLines log) {
    this.ids = ids;
    this.log = log;
  }

  public Response of(Throwable thrown, String method, String path, RequestTrace exchange) {
    return switch (thrown) {
      case ContextureException refused -> refused(refused, method, exchange);
      case HttpResponseException refused -> routing(refused, method, path);
      default -> defect(thrown, method, exchange);
    };
  }

  private Response refused(ContextureException refused, String method, RequestTrace exchange) {
    boolean ours = refused.code().httpStatus() >= ErrorCode.INTERNAL.httpStatus();
    boolean busy = refused.retryable() && refused.getCause() == null;
    @Nullable String id = null;
    ContextureException told = refused;
    if (ours && !busy) {
      Optional<ErrorCode> store = storeFailure(refused);
      if (store.isPresent() && store.get() == ErrorCode.STORE_DAMAGED) {
        damagedAtNanos = System.nanoTime() | 1; // never 0, which stands for none
      }
      if (store.isPresent()) {
        id = ids.of("err");
        told = withoutFacts(refused, store.get(), id);
      }
      log.failure(exchange, method, id, refused);
    }
    exchange.failed(refused.code().wireName(), id);
    return refusal(told);
  }

  /** The failure of the store that this is, or that led to it. */
  private static Optional<ErrorCode> storeFailure(ContextureException refused) {
    Throwable cause = refused;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof ContextureException known
          && known.code().wireName().startsWith("store_")) {
        return Optional.of(known.code());
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /** The same without the name of the database file and the words of the database. */
  private static ContextureException withoutFacts(
      ContextureException refused, ErrorCode store, String id) {
    return new ContextureException(
        refused.code(),
        storeWords(store) + "; the log has more under " + id,
        Map.of("id", id),
        refused);
  }

  /** What anybody may know about a failure of the store. */
  static String storeWords(ErrorCode store) {
    return switch (store) {
      case STORE_READ_ONLY -> "the store may not be written";
      case STORE_FULL -> "the store has no room left";
      case STORE_DAMAGED -> "stored data cannot be read";
      case STORE_IN_USE -> "another process owns the store";
      case STORE_NEWER -> "a newer version wrote the store";
      case STORE_FOREIGN -> "the store is none of Contexture";
      default -> "the store cannot be used now; try again";
    };
  }

  /** Whether a caller met damaged data in the last minutes. */
  public boolean metDamage() {
    long at = damagedAtNanos;
    return at != 0 && System.nanoTime() - at < DAMAGE_TOLD_NANOS;
  }

  private static Response refusal(ContextureException refused) {
    int status = refused.code().httpStatus();
    Response answer = Response.problem(status, Problem.of(refused));
    return switch (status) {
      case UNAVAILABLE, TOO_MANY -> answer.with("Retry-After", "1");
      case UNAUTHENTICATED -> answer.with("WWW-Authenticate", "Bearer");
      default -> answer;
    };
  }

  /** What was refused before a route was found. */
  private static Response routing(HttpResponseException refused, String method, String path) {
    return switch (refused.getStatus()) {
      case NOT_FOUND ->
          refusal(
              ContextureException.invalid(
                  ErrorCode.NOT_FOUND, "route", method + " " + path, "a route of docs/http.md"));
      case NOT_ALLOWED -> notAllowed(refused, method, path);
      default ->
          Response.problem(
              refused.getStatus(),
              Problem.of(
                  ErrorCode.INVALID_ARGUMENT.wireName(),
                  refused.getStatus(),
                  String.valueOf(refused.getMessage())));
    };
  }

  private static Response notAllowed(HttpResponseException refused, String method, String path) {
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

  private Response defect(Throwable thrown, String method, RequestTrace exchange) {
    String id = ids.of("err");
    log.failure(exchange, method, id, thrown);
    exchange.failed(ErrorCode.INTERNAL.wireName(), id);
    return Response.problem(
        ErrorCode.INTERNAL.httpStatus(),
        Problem.internal("something failed that nobody foresaw; the log has more under " + id)
            .with("id", JsonValue.of(id)));
  }
}
