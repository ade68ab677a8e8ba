package dev.contexture.server;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a route answers.
 *
 * @param status the HTTP status; 0 if the route has written its answer itself
 * @param contentType the media type of the text; unused if that is empty
 * @param text the body
 * @param headers further headers
 */
record Response(int status, String contentType, String text, Map<String, String> headers) {
  /** Says that the route has written its answer itself. */
  static final Response STREAMED = new Response(0, "", "", Map.of());

  private static final String JSON = "application/json";
  private static final byte[] LINE_FEED = {'\n'};

  Response {
    headers = Map.copyOf(headers);
  }

  static Response ok(JsonValue body) {
    return json(200, body.toJson());
  }

  static Response created(JsonValue body) {
    return json(201, body.toJson());
  }

  static Response noContent() {
    return new Response(204, JSON, "", Map.of());
  }

  /** JSON whose text must stay as it is. */
  static Response json(int status, String text) {
    return new Response(status, JSON, text, Map.of());
  }

  /** A page for people, which may load nothing and be shown in no frame. */
  static Response page(String html) {
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

  static Response text(String mediaType, String text) {
    return new Response(200, mediaType, text, Map.of());
  }

  static Response problem(int status, JsonObject problem) {
    return new Response(status, Problem.MEDIA_TYPE, problem.toJson(), Map.of());
  }

  Response with(String header, String value) {
    Map<String, String> more = new java.util.HashMap<>(headers);
    more.put(header, value);
    return new Response(status, contentType, text, more);
  }

  boolean isStreamed() {
    return status == 0;
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What follows the text: JSON ends its line, so that terminals show one answer per line. */
  byte[] end() {
    return contentType.endsWith("json") ? LINE_FEED.clone() : new byte[0];
  }
}
