package dev.contexture.simulator;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelProfile;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Bodies of requests in the order in which they were sent, with their times. Immutable.
 *
 * @param bodies as they were sent
 * @param starts when, in seconds from any fixed point; as many as there are bodies
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Trace(List<JsonObject> bodies, List<Double> starts) {
  private static final String REQUEST = "request";
  private static final String TIME = "t";

  public Trace {
    bodies = List.copyOf(bodies);
    starts = List.copyOf(starts);
    if (bodies.size() != starts.size()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "starts", starts.size(), "one for each of " + bodies.size());
    }
  }

  /**
   * Requests that follow each other after these gaps.
   *
   * @param gaps in seconds; one less than there are bodies, or none: then they follow at once
   */
  public static Trace ofGaps(List<JsonObject> bodies, List<Double> gaps) {
    if (!gaps.isEmpty() && gaps.size() != bodies.size() - 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "gaps_seconds",
          gaps.size() + " gaps",
          Math.max(0, bodies.size() - 1) + ": one between each two requests");
    }
    List<Double> starts = new ArrayList<>();
    double at = 0;
    for (int i = 0; i < bodies.size(); i++) {
      at += i == 0 || gaps.isEmpty() ? 0 : gap(gaps.get(i - 1));
      starts.add(at);
    }
    return new Trace(bodies, starts);
  }

  private static double gap(double seconds) {
    if (!(seconds >= 0) || Double.isInfinite(seconds)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "gaps_seconds", seconds, "seconds from 0");
    }
    return seconds;
  }

  /**
   * Reads JSON lines: each one a body, or {@code {"t": seconds, "request": body}}.
   *
   * @throws ContextureException {@code malformed_json} or {@code field_type} with the line
   */
  public static Trace read(List<String> lines) {
    List<JsonObject> bodies = new ArrayList<>();
    List<Double> starts = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      JsonObject line = object(lines.get(i), "line " + (i + 1));
      bodies.add(line.object(REQUEST).orElse(line));
      double before = starts.isEmpty() ? 0 : starts.getLast();
      starts.add(
          line.find(TIME).orElse(null) instanceof JsonNumber time
              ? time.decimal().doubleValue()
              : before);
    }
    return new Trace(bodies, starts);
  }

  private static JsonObject object(String text, String field) {
    try {
      if (JsonValue.parse(text) instanceof JsonObject object) {
        return object;
      }
    } catch (ContextureException malformed) {
      throw malformed.within(field);
    }
    throw ContextureException.invalid(ErrorCode.FIELD_TYPE, field, text, "a JSON object");
  }

  /** Simulates the requests with the cache of a model. */
  public CacheReport on(ModelProfile profile) {
    return CacheSimulator.simulate(CacheModel.of(profile.cache()), requests(profile))
        .at(profile.newestPrice().orElse(null));
  }

  /** The requests as the cache of a model sees them. */
  public List<SentRequest> requests(ModelProfile profile) {
    TokenMeter meter = new TokenMeter(TokenCounter.O200K_BASE, profile.tokenizer().ratio());
    TraceReader reader = new TraceReader(meter);
    List<SentRequest> requests = new ArrayList<>();
    for (int i = 0; i < bodies.size(); i++) {
      JsonObject body = bodies.get(i);
      String scope = body.string("model").orElse(profile.id());
      requests.add(reader.read(scope, starts.get(i), body));
    }
    return requests;
  }
}
