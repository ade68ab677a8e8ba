package dev.contexture.bench;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A session of an agent as it was recorded: what was said, and where the model was called.
 *
 * @param system the system prompt
 * @param tools the tool definitions, as recorded
 * @param events in order
 */
record RecordedSession(JsonValue system, JsonValue tools, List<Event> events) {
  RecordedSession {
    events = List.copyOf(events);
  }

  /** Something that happened. */
  sealed interface Event {
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

  /** Reads a file of JSON lines, which may be compressed. */
  static RecordedSession read(Path file) {
    JsonObject head = JsonObject.EMPTY;
    List<Event> events = new ArrayList<>();
    try (BufferedReader lines = open(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.isBlank() || !(JsonValue.parse(line) instanceof JsonObject event)) {
          continue;
        }
        switch (event.string("ev").orElse("")) {
          case "head" -> head = event;
          case "request" -> events.add(new Event.Request());
          case "block" -> events.add(said(event));
          default -> throw new UsageException("'" + file + "' has an unknown event: " + line);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return new RecordedSession(
        head.find("system").orElse(JsonValue.of("")),
        head.find("tools").orElse(JsonArray.of()),
        events);
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
