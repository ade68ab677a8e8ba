package dev.contexture.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.apiguardian.api.API;

/**
 * A point and the part it sits on.
 *
 * @param point which one; {@link Point#SYSTEM} is placed by the writer and not given
 * @param message index of the message
 * @param part index of the part in that message
 * @param tokens low estimate of everything up to and including the part, tools and system too;
 *     {@link #UNKNOWN_TOKENS} if nobody counted
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PointPlace(Point point, int message, int part, long tokens) {
  /** Nobody counted: the point is not dropped for being early. */
  public static final long UNKNOWN_TOKENS = -1;

  public PointPlace {
    if (message < 0 || part < 0 || point == Point.SYSTEM) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "point",
          point + " at " + message + ", " + part,
          "a part of a message; the system point is placed by the writer");
    }
  }

  public PointPlace(Point point, int message, int part) {
    this(point, message, part, UNKNOWN_TOKENS);
  }
}
