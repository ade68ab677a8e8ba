package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Time limits for each part of a request. A provider's stream that is the body of a request comes
 * as fast as a model answers, and has times of its own. Event streams last as long as they like; a
 * reader that takes nothing for a connection's idle time is dropped.
 *
 * @param header from the first byte of a request to the end of its headers
 * @param body until all of a body has come, with its chunk extensions and trailers, however
 *     steadily it does
 * @param work from then until the answer is there; then the work is stopped, and the answer is 503
 * @param answer until the reader has taken all of an answer
 * @param intake until all of a provider's stream has come; what had come by then is kept
 * @param intakePause between two bytes of it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ServerTimes(
    Duration header,
    Duration body,
    Duration work,
    Duration answer,
    Duration intake,
    Duration intakePause) {
  /**
   * 10 s for headers, 60 s for a body, 2 minutes of work, 15 minutes to read; 15 minutes for a
   * provider's stream, and 60 s for its pauses.
   */
  public static final ServerTimes DEFAULT =
      new ServerTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofMinutes(2),
          Duration.ofMinutes(15),
          Duration.ofMinutes(15),
          Duration.ofSeconds(60));

  public ServerTimes {
    List<Duration> all = List.of(header, body, work, answer, intake, intakePause);
    if (all.stream().anyMatch(time -> time.toMillis() < 1)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "server times", all, "positive durations");
    }
  }

  public ServerTimes withHeader(Duration time) {
    return new ServerTimes(time, body, work, answer, intake, intakePause);
  }

  public ServerTimes withBody(Duration time) {
    return new ServerTimes(header, time, work, answer, intake, intakePause);
  }

  public ServerTimes withWork(Duration time) {
    return new ServerTimes(header, body, time, answer, intake, intakePause);
  }

  public ServerTimes withAnswer(Duration time) {
    return new ServerTimes(header, body, work, time, intake, intakePause);
  }

  public ServerTimes withIntake(Duration time) {
    return new ServerTimes(header, body, work, answer, time, intakePause);
  }

  public ServerTimes withIntakePause(Duration time) {
    return new ServerTimes(header, body, work, answer, intake, time);
  }

  /** The shortest of them. */
  public Duration shortest() {
    return Stream.of(header, body, work, answer, intake, intakePause)
        .sorted()
        .findFirst()
        .orElseThrow();
  }
}
