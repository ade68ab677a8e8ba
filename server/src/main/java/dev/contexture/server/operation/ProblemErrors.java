package dev.contexture.server.operation;

import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.server.Problem;
import org.apiguardian.api.API;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers requests that no route ever sees, such as one whose path is not well-formed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProblemErrors extends ErrorPageErrorHandler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    JsonObject problem = Problem.of(code(status).wireName(), status, detail(request, status));
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
    Content.Sink.write(response, true, problem.toJson() + "\n", callback);
    return true;
  }

  private static ErrorCode code(int status) {
    return switch (status) {
      case HttpStatus.NOT_FOUND_404 -> ErrorCode.NOT_FOUND;
      case HttpStatus.METHOD_NOT_ALLOWED_405 -> ErrorCode.METHOD_NOT_ALLOWED;
      case HttpStatus.PAYLOAD_TOO_LARGE_413 -> ErrorCode.BODY_TOO_LARGE;
      default ->
          status >= HttpStatus.INTERNAL_SERVER_ERROR_500
              ? ErrorCode.INTERNAL
              : ErrorCode.INVALID_ARGUMENT;
    };
  }

  private static String detail(Request request, int status) {
    Object message = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
    String reason = HttpStatus.getMessage(status);
    boolean told = message != null && status < HttpStatus.INTERNAL_SERVER_ERROR_500;
    return "the request was not understood: " + (told ? reason + ", " + message : reason);
  }
}
