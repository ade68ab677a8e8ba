package dev.contexture.server;

import dev.contexture.block.Scope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request and what is known about it so far, for the log and the metrics: never its content.
 * Confined to the thread that handles it; only {@link #end} may be called by others, and again.
 */
final class RequestTrace {
  /** The request attribute that holds it. */
  static final String ATTRIBUTE = "exchange";

  private final String id;
  private final long startedNanos = System.nanoTime();
  private @Nullable Caller caller;
  private volatile LoadLimiter.@Nullable Admission admission;
  private @Nullable RunningRequest work;
  private @Nullable Route route;
  private @Nullable Scope scope;
  private @Nullable String code;
  private @Nullable String failure;

  /**
   * @param id names the request in the log, and in the answer's header {@code X-Request-Id}
   */
  RequestTrace(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }

  long nanos() {
    return System.nanoTime() - startedNanos;
  }

  /** Who calls; nobody, where nobody has to be known. */
  Caller caller() {
    return caller == null ? Caller.NOBODY : caller;
  }

  void called(Caller by) {
    this.caller = by;
  }

  void admitted(LoadLimiter.Admission as) {
    this.admission = as;
  }

  LoadLimiter.@Nullable Admission admission() {
    return admission;
  }

  void watched(RunningRequest by) {
    this.work = by;
  }

  /** The watch over its times. */
  Optional<RunningRequest> work() {
    return Optional.ofNullable(work);
  }

  void routed(Route to) {
    this.route = to;
  }

  /** The path as routes have it, so that nothing of the request itself gets into a log. */
  String template() {
    return route == null ? "none" : route.path();
  }

  void scoped(Scope to) {
    this.scope = to;
  }

  @Nullable Scope scope() {
    return scope;
  }

  /** The key, if the request had one that was taken. */
  @Nullable String key() {
    return caller == null || caller.key() == null || caller.key().isEmpty() ? null : caller.key();
  }

  /**
   * The request was refused.
   *
   * @param code the code of the problem
   * @param id the id of a failure that nobody foresaw; null: it is none
   */
  void failed(String code, @Nullable String id) {
    this.code = code;
    this.failure = id;
  }

  @Nullable String code() {
    return code;
  }

  @Nullable String failure() {
    return failure;
  }

  /** Lets go of what it holds. */
  void end() {
    LoadLimiter.Admission held = admission;
    if (held != null) {
      held.close();
    }
  }
}
