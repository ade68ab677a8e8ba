package dev.contexture.simulator.replay;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A session of an agent as it was recorded: what was said, and where the model was called.
 *
 * @param system the system prompt
 * @param tools the tool definitions, as recorded
 * @param events in order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RecordedSession(JsonValue system, JsonValue tools, List<Event> events) {
  public RecordedSession {
    events = List.copyOf(events);
  }

  /** Something that happened. */
  public sealed interface Event {
    /** The model was called. */
    record Request() implements Event {}

    /**
     * Something was said.
     *
     * @param kind {@code text}, {@code tool_use} or {@code tool_result}
     * @param callId of calls and results
     */
    record Said(String role, String kind, String text, @Nullable String callId, long turn)
        implements Event {}
  }

  /**
   * Reads a file of JSON lines, which may be compressed.
   *
   * @throws ContextureException {@code not_found}; {@code invalid_argument} if it cannot be read or
   *     holds something else than events, {@code malformed_json}, {@code field_type}: these with
   *     the line
   */
  public static RecordedSession read(Path file) {
    JsonObject head = JsonObject.EMPTY;
    List<Event> events = new ArrayList<>();
    int number = 0;
    try (BufferedReader lines = open(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (line.isBlank()) {
          continue;
        }
        JsonObject event = object(line);
        String kind = event.string("ev").orElse("");
        switch (kind) {
          case "head" -> head = event;
          case "request" -> events.add(new Event.Request());
          case "block" -> events.add(said(event));
          default ->
              throw ContextureException.invalid(
                  ErrorCode.INVALID_ARGUMENT, "ev", kind, "head, block or request");
        }
      }
    } catch (ContextureException refused) {
      throw refused.within(file + " line " + number);
    } catch (NoSuchFileException missing) {
      throw new ContextureException(
          ErrorCode.NOT_FOUND, "there is no file " + file, Map.of(), missing);
    } catch (IOException unreadable) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          file + " cannot be read: " + unreadable,
          Map.of(),
          unreadable);
    }
    return new RecordedSession(
        head.find("system").orElse(JsonValue.of("")),
        head.find("tools").orElse(JsonArray.of()),
        events);
  }

  private static JsonObject object(String line) {
    JsonValue value = JsonValue.parse(line);
    if (value instanceof JsonObject object) {
      return object;
    }
    throw ContextureException.invalid(ErrorCode.FIELD_TYPE, "event", value.kind(), "a JSON object");
  }

  private static Event.Said said(JsonObject event) {
    OptionalLong turn = JsonFields.of(event, event.keys()).number("turn");
    return new Event.Said(
        event.string("role").orElse("user"),
        event.string("kind").orElse("text"),
        event.string("text").orElse(""),
        event.string("call_id").orElse(null),
        turn.orElse(1));
  }

  private static BufferedReader open(Path file) throws IOException {
    InputStream bytes = Files.newInputStream(file);
    InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
    return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
  }
}
