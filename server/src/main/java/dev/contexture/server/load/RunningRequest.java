package dev.contexture.server.load;

import dev.contexture.error.Cancellation;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.ServerTimes;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.apiguardian.api.API;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;

/**
 * One request that runs, as the watch over its times sees it. Each part of it has its own end; past
 * it the work is cancelled, and where that does not help its connection is closed. It is cancelled
 * too when the caller leaves. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunningRequest {
  /** The request attribute that holds it. */
  public static final String ATTRIBUTE = RunningRequest.class.getName();

  private static final Duration GRACE = Duration.ofSeconds(5); // to say what was wrong
  private static final Duration LOOK_AFTER = Duration.ofMillis(500);

  /** The part of its work that the request is at. */
  private enum Part {
    BODY,
    INTAKE,
    WORK,
    APPROVAL,
    TRANSFER,
    ANSWER,
    STREAM,
    ENDED
  }

  private final Connection connection;
  private final ServerTimes times;
  private final Cancellation cancellation;
  private Part part = Part.WORK;
  private boolean bodyTaken;
  private long since = System.nanoTime();
  private long cameAt = since;
  private long idleMillis;
  private volatile boolean keepsWhatCame;
  private boolean looks = true;

  /**
   * @param bodyTaken whether nothing of the request is still to come
   */
  public RunningRequest(
      Connection connection, ServerTimes times, Cancellation cancellation, boolean bodyTaken) {
    this.connection = connection;
    this.times = times;
    this.cancellation = cancellation;
    this.bodyTaken = bodyTaken;
  }

  /** The body is being read. */
  public synchronized void readsBody() {
    enter(Part.BODY);
  }

  /** All of the body has come. */
  public synchronized void hasBody() {
    bodyTaken = true;
    enter(Part.WORK);
  }

  /**
   * The body is the stream of a model, which pauses as long as the model thinks. What comes of it
   * is kept, also if its sender leaves.
   */
  public synchronized void takesStream() {
    keepsWhatCame = true;
    idleMillis = connection.getEndPoint().getIdleTimeout();
    connection.getEndPoint().setIdleTimeout(times.intakePause().toMillis());
    cameAt = System.nanoTime();
    enter(Part.INTAKE);
  }

  /** More of the stream came. */
  public synchronized void cameBytes() {
    cameAt = System.nanoTime();
  }

  /** Nothing more of the stream is waited for. */
  public synchronized void hasStream() {
    connection.getEndPoint().setIdleTimeout(idleMillis);
    hasBody();
  }

  /** It waits for the approval of a human, which has a time of its own. */
  public synchronized void waits() {
    enter(Part.APPROVAL);
  }

  /** It stores what may be more than a body, which takes as long as it takes. */
  public synchronized void transfers() {
    bodyTaken = true;
    enter(Part.TRANSFER);
  }

  /** It has waited. */
  public synchronized void goesOn() {
    enter(Part.WORK);
  }

  /** Whether it was told to end. */
  public boolean isCancelled() {
    return cancellation.isCancelled();
  }

  /** The answer is there and is being written. */
  public synchronized void answers() {
    enter(Part.ANSWER);
  }

  /** It became a stream of events. */
  public synchronized void streams() {
    enter(Part.STREAM);
  }

  /** It ended; nothing of it is looked at any more. */
  synchronized void end() {
    part = Part.ENDED;
  }

  private void enter(Part next) {
    if (part != Part.ENDED) {
      part = next;
      since = System.nanoTime();
    }
  }

  /** The connection is gone: nobody waits for the answer. */
  void left() { // without the lock: who watches may hold it, and be closing the connection
    if (keepsWhatCame) {
      return; // there is something to store, whoever waits for the answer
    }
    cancellation.cancel(
        new ContextureException(
            ErrorCode.TIMED_OUT, "the caller left before its answer was there; it was stopped"));
  }

  /** Looks at the clock and at the caller. */
  synchronized void watch(long now) {
    Duration taken = Duration.ofNanos(now - since);
    switch (part) {
      case BODY -> closeAfter(taken, times.body().plus(GRACE));
      case INTAKE -> {
        closeAfter(taken, times.intake().plus(GRACE));
        closeAfter(Duration.ofNanos(now - cameAt), times.intakePause().plus(GRACE));
      }
      case ANSWER -> closeAfter(taken, times.answer());
      case WORK -> watchWork(taken);
      case APPROVAL, TRANSFER -> lookAfter(taken);
      case STREAM, ENDED -> {}
    }
  }

  private void watchWork(Duration taken) {
    if (taken.compareTo(times.work()) > 0) {
      cancellation.cancel(
          new ContextureException(
              ErrorCode.TIMED_OUT,
              "the request took more than "
                  + times.work().toMillis()
                  + " ms and was stopped; ask for less at once, or try again later",
              Map.of("field", "request", "limit", times.work().toMillis()),
              null));
      closeAfter(taken, times.work().plus(GRACE));
    } else {
      lookAfter(taken);
    }
  }

  private void lookAfter(Duration taken) {
    if (looks && bodyTaken && taken.compareTo(LOOK_AFTER) > 0) {
      look();
    }
  }

  private void closeAfter(Duration taken, Duration most) {
    if (taken.compareTo(most) > 0) {
      connection.getEndPoint().close();
    }
  }

  /**
   * Finds out whether the caller is still there. Nobody else reads the connection now: the request
   * has come, and the next one is not asked for before this one has ended. A byte that comes
   * belongs to the next one and is given to it.
   */
  private void look() {
    EndPoint endPoint = connection.getEndPoint();
    ByteBuffer early = BufferUtil.allocate(1);
    try {
      int read = endPoint.fill(early);
      if (read < 0) {
        left();
      }
      looks = read == 0;
      if (read > 0 && connection instanceof Connection.UpgradeTo next) {
        next.onUpgradeTo(early);
      }
    } catch (IOException | BufferOverflowException broken) {
      endPoint.close(broken);
    }
  }
}
