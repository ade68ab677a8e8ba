package dev.contexture.server.http;

import dev.contexture.error.Cancellation;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.Problem;
import dev.contexture.server.ServerTimes;
import dev.contexture.server.load.ClientConnection;
import dev.contexture.server.load.Connections;
import dev.contexture.server.load.RunningRequest;
import java.util.Set;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Checks every request before it is routed: only methods that routes may have, no header that
 * changes the method, and a watch over its times. What a request holds is given back when it ends,
 * however it ended. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RequestFilter extends Handler.Wrapper {
  /** The methods that are known; others never reach a route. */
  public static final Set<String> METHODS =
      Set.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE");

  private static final String ALLOWED = "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE";
  private static final String OVERRIDE = "X-HTTP-Method-Override";

  private final Connections connections;
  private final ServerTimes times;
  private final Supplier<RequestTrace> refusals;

  /**
   * @param refusals notes that a request was refused for its method
   */
  public RequestFilter(
      Connections connections, ServerTimes times, Supplier<RequestTrace> refusals) {
    this.connections = connections;
    this.times = times;
    this.refusals = refusals;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Cancellation cancellation = Cancellation.bind();
    Connection connection = request.getConnectionMetaData().getConnection();
    ClientConnection peer = connections.of(connection);
    RunningRequest work = new RunningRequest(connection, times, cancellation, !hasBody(request));
    peer.begin(work);
    request.setAttribute(RunningRequest.ATTRIBUTE, work);
    Request.addCompletionListener(request, unused -> end(request, peer, work));
    try {
      if (!METHODS.contains(request.getMethod())) {
        return refuse(response, callback);
      }
      return super.handle(new SameMethod(request), response, callback);
    } finally {
      Cancellation.unbind();
    }
  }

  private static boolean hasBody(Request request) {
    return request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
  }

  private void end(Request request, ClientConnection peer, RunningRequest work) {
    peer.end(work);
    if (request.getAttribute(RequestTrace.ATTRIBUTE) instanceof RequestTrace exchange) {
      exchange.end();
    }
  }

  private boolean refuse(Response response, Callback callback) {
    String code = ErrorCode.METHOD_NOT_ALLOWED.wireName();
    JsonObject problem =
        Problem.of(
                code,
                HttpStatus.METHOD_NOT_ALLOWED_405,
                "there is no method of this name; allowed: " + ALLOWED)
            .with("field", JsonValue.of("method"))
            .with("allowed", JsonValue.of(ALLOWED));
    response.setStatus(HttpStatus.METHOD_NOT_ALLOWED_405);
    response.getHeaders().put(HttpHeader.ALLOW, ALLOWED);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
    response.getHeaders().put("X-Request-Id", refusals.get().id());
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    Content.Sink.write(response, true, problem.toJson() + "\n", callback);
    return true;
  }

  /** A request whose method is the one that its first line says. */
  private static final class SameMethod extends Request.Wrapper {
    private final HttpFields headers;

    SameMethod(Request request) {
      super(request);
      HttpFields given = request.getHeaders();
      this.headers = given.contains(OVERRIDE) ? HttpFields.build(given).remove(OVERRIDE) : given;
    }

    @Override
    public HttpFields getHeaders() {
      return headers;
    }
  }
}
