package dev.contexture.server.http;

import dev.contexture.block.Scope;
import dev.contexture.server.access.Caller;
import dev.contexture.server.load.LoadLimiter;
import dev.contexture.server.load.RunningRequest;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One request and what is known about it so far, for the log and the metrics: never its content.
 * Confined to the thread that handles it; only {@link #end} may be called by others, and again.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RequestTrace {
  /** The request attribute that holds it. */
  public static final String ATTRIBUTE = "exchange";

  private final String id;
  private final long startedNanos = System.nanoTime();
  private @Nullable Caller caller;
  private volatile LoadLimiter.@Nullable Admission admission;
  private @Nullable RunningRequest work;
  private @Nullable Route route;
  private @Nullable Scope scope;
  private Map<String, String> target = Map.of();
  private boolean administrative;
  private @Nullable String code;
  private @Nullable String failure;

  /**
   * @param id names the request in the log, and in the answer's header {@code X-Request-Id}
   */
  public RequestTrace(String id) {
    this.id = id;
  }

  public String id() {
    return id;
  }

  public long nanos() {
    return System.nanoTime() - startedNanos;
  }

  /** Who calls; nobody, where nobody has to be known. */
  public Caller caller() {
    return caller == null ? Caller.NOBODY : caller;
  }

  public void called(Caller by) {
    this.caller = by;
  }

  public void admitted(LoadLimiter.Admission as) {
    this.admission = as;
  }

  LoadLimiter.@Nullable Admission admission() {
    return admission;
  }

  public void watched(RunningRequest by) {
    this.work = by;
  }

  /** The watch over its times. */
  Optional<RunningRequest> work() {
    return Optional.ofNullable(work);
  }

  public void routed(Route to) {
    this.route = to;
  }

  /** The route that was found; null: none was. */
  public @Nullable Route route() {
    return route;
  }

  /** What the parameters of its path name. */
  public void aimed(Map<String, String> at) {
    this.target = Map.copyOf(at);
  }

  public Map<String, String> target() {
    return target;
  }

  /** The path as routes have it, so that nothing of the request itself gets into a log. */
  public String template() {
    return route == null ? "none" : route.path();
  }

  /** It is for administrators, though not all requests to its route are. */
  void administers() {
    administrative = true;
  }

  /** Whether it turned out to be for administrators. */
  public boolean isAdministrative() {
    return administrative;
  }

  void scoped(Scope to) {
    this.scope = to;
  }

  public @Nullable Scope scope() {
    return scope;
  }

  /** The key, if the request had one that was taken. */
  public @Nullable String key() {
    return caller == null || caller.key() == null || caller.key().isEmpty() ? null : caller.key();
  }

  /**
   * The request was refused.
   *
   * @param code the code of the problem
   * @param id the id of a failure that nobody foresaw; null: it is none
   */
  public void failed(String code, @Nullable String id) {
    this.code = code;
    this.failure = id;
  }

  public @Nullable String code() {
    return code;
  }

  public @Nullable String failure() {
    return failure;
  }

  /** Lets go of what it holds. */
  public void end() {
    LoadLimiter.Admission held = admission;
    if (held != null) {
      held.close();
    }
  }
}
