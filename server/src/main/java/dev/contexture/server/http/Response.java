package dev.contexture.server.http;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The response of a route.
 *
 * @param status the HTTP status; 0 if the route has written its answer itself
 * @param contentType the media type of the text; unused if that is empty
 * @param text the body
 * @param headers further headers
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Response(int status, String contentType, String text, Map<String, String> headers) {
  /** Says that the route has written its answer itself. */
  public static final Response STREAMED = new Response(0, "", "", Map.of());

  private static final String JSON = "application/json";
  private static final byte[] LINE_FEED = {'\n'};

  public Response {
    headers = Map.copyOf(headers);
  }

  public static Response ok(JsonValue body) {
    return json(200, body.toJson());
  }

  public static Response created(JsonValue body) {
    return json(201, body.toJson());
  }

  public static Response noContent() {
    return new Response(204, JSON, "", Map.of());
  }

  /** JSON whose text must stay as it is. */
  public static Response json(int status, String text) {
    return new Response(status, JSON, text, Map.of());
  }

  /** A page for people, which may load nothing and be shown in no frame. */
  public static Response page(String html) {
    return new Response(
        200,
        "text/html; charset=utf-8",
        html,
        Map.of(
            "Content-Security-Policy",
            Html.POLICY,
            "Referrer-Policy",
            "no-referrer",
            "Cache-Control",
            "no-store"));
  }

  public static Response text(String mediaType, String text) {
    return new Response(200, mediaType, text, Map.of());
  }

  public static Response problem(int status, JsonObject problem) {
    return new Response(status, Problem.MEDIA_TYPE, problem.toJson(), Map.of());
  }

  public Response with(String header, String value) {
    Map<String, String> more = new java.util.HashMap<>(headers);
    more.put(header, value);
    return new Response(status, contentType, text, more);
  }

  public boolean isStreamed() {
    return status == 0;
  }

  public byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What follows the text: JSON ends its line, so that terminals show one answer per line. */
  public byte[] end() {
    return contentType.endsWith("json") ? LINE_FEED.clone() : new byte[0];
  }
}
