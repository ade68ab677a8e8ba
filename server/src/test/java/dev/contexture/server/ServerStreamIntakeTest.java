package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.TestServer.Got;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A provider's stream as the body of a call takes as long as a model does, within times of its own.
 */
@Timeout(300)
class ServerStreamIntakeTest {
  private static final String MODEL = "\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"";
  private static final String START =
      event(
              "{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":"
                  + "\"assistant\",\"model\":\"x\",\"content\":[],\"usage\":{\"input_tokens\":9}}}")
          + event(
              "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                  + "{\"type\":\"text\",\"text\":\"\"}}");
  private static final String END =
      event("{\"type\":\"content_block_stop\",\"index\":0}")
          + event(
              "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
                  + "\"usage\":{\"output_tokens\":8}}")
          + event("{\"type\":\"message_stop\"}");

  @TempDir Path directory;

  private static String event(String json) {
    return "data: " + json + "\n\n";
  }

  private static String said(String text) {
    return event(
        "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\","
            + "\"text\":\""
            + text
            + "\"}}");
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }

  private TestServer serve(ServerTimes times, Duration idle) {
    return new TestServer(
        directory,
        ServerOptions.local("test")
            .withIdle(idle)
            .withLimits(ServerLimits.DEFAULT.withTimes(times)));
  }

  /** Begins a turn and a stream that answers it. */
  private static void begin(TestServer served, Raw raw) throws Exception {
    Got asked =
        served.post(
            C + "/step",
            "{\"turn\":{\"prompt\":\"go\",\"turn_id\":\"t1\"},\"request\":{" + MODEL + "}}");
    assertThat(asked.status()).as(asked.text()).isEqualTo(200);
    raw.say(
        "POST "
            + C
            + "/responses?provider=anthropic&model=claude-opus-5&request_id="
            + asked.string("request_id")
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    raw.say(chunk(START));
  }

  /** Longer than a body may take, with pauses longer than a connection may do nothing. */
  @Test
  void aStreamThatTakesAsLongAsAModelDoesIsRecordedWhole() throws Exception {
    Duration idle = Duration.ofSeconds(1);
    try (TestServer served = serve(ServerTimes.DEFAULT.withBody(Duration.ofMillis(200)), idle);
        Raw raw = new Raw(served)) {
      begin(served, raw);
      for (String word : new String[] {"One ", "two ", "three ", "four."}) {
        raw.say(chunk(said(word)));
        Thread.sleep(1_500);
      }
      raw.say(chunk(END) + "0\r\n\r\n");
      assertThat(raw.rest())
          .startsWith("HTTP/1.1 201")
          .contains("\"text\":\"One two three four.\"")
          .doesNotContain("truncated");
    }
  }

  /** Silent for longer than any other connection may be. */
  @Test
  void aStreamThatFallsSilentIsTruncated() throws Exception {
    ServerTimes times = ServerTimes.DEFAULT.withIntakePause(Duration.ofMillis(1_500));
    try (TestServer served = serve(times, Duration.ofSeconds(1));
        Raw raw = new Raw(served)) {
      begin(served, raw);
      raw.say(chunk(said("Checking")));
      assertThat(raw.rest())
          .startsWith("HTTP/1.1 201")
          .contains("\"outcome\":\"truncated\"", "\"text\":\"Checking\"");
      assertThat(served.get(C + "/timeline").text()).contains("Checking");
    }
  }

  @Test
  void aStreamThatNeverEndsIsTruncated() throws Exception {
    ServerTimes times = ServerTimes.DEFAULT.withIntake(Duration.ofMillis(300));
    try (TestServer served = serve(times, Duration.ofMinutes(10));
        Raw raw = new Raw(served)) {
      begin(served, raw);
      raw.say(chunk(said("Checking")));
      while (!raw.isAnswered()) { // the test has a time limit
        raw.say(chunk(": goes on\n\n"));
        Thread.sleep(20);
      }
      assertThat(raw.until("\"truncated\""))
          .startsWith("HTTP/1.1 201")
          .contains("\"outcome\":\"truncated\"");
      assertThat(served.get(C + "/timeline").text()).contains("Checking");
    }
  }

  /** What had come is kept also if nobody is left to be told. */
  @Test
  void aStreamIsRecordedThoughItsSenderIsGone() throws Exception {
    try (TestServer served = serve(ServerTimes.DEFAULT, Duration.ofSeconds(30))) {
      try (Raw raw = new Raw(served)) {
        begin(served, raw);
        raw.say(chunk(said("Checking")));
      }
      while (!served.get(C + "/timeline").text().contains("Checking")) {
        Thread.sleep(5); // the test has a time limit
      }
    }
  }
}
