package dev.contexture.server;

import dev.contexture.json.JsonObject;
import dev.contexture.server.operation.LogLines;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Makes lines of JSON of what would go to standard error otherwise: what libraries and the engine
 * say through {@code java.util.logging}, and exceptions that end a thread. The words of libraries
 * and of exceptions are left out, because they may hold what users said; the engine's own are kept.
 * For a process that only serves: it takes the place of all handlers of the root logger until it is
 * closed. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LibraryLog implements AutoCloseable {
  private static final String OWN = "dev.contexture.";
  private static final Logger ROOT = Logger.getLogger("");

  private final Consumer<String> lines;
  private final InstantSource clock;
  private final Handler[] handlersBefore = ROOT.getHandlers();
  private final Thread.@Nullable UncaughtExceptionHandler uncaughtBefore =
      Thread.getDefaultUncaughtExceptionHandler();
  private final Handler handler = new Lines();

  private LibraryLog(Consumer<String> lines, InstantSource clock) {
    this.lines = lines;
    this.clock = clock;
  }

  /**
   * Starts to write lines.
   *
   * @param lines gets each line, from many threads
   */
  public static LibraryLog install(Consumer<String> lines, InstantSource clock) {
    LibraryLog log = new LibraryLog(lines, clock);
    for (Handler before : log.handlersBefore) {
      ROOT.removeHandler(before);
    }
    ROOT.addHandler(log.handler);
    Thread.setDefaultUncaughtExceptionHandler(log::died);
    return log;
  }

  /** Memory that is gone is more than a line: who looked after it before still does. */
  private void died(Thread thread, Throwable thrown) {
    try {
      lines.accept(
          start("thread_died")
              .put("thread", thread.getName())
              .put("trace", LogLines.trace(thrown))
              .build()
              .toJson());
    } finally {
      if (uncaughtBefore != null && OutOfMemoryExit.isOutOfMemory(thrown)) {
        uncaughtBefore.uncaughtException(thread, thrown);
      }
    }
  }

  private JsonObject.Builder start(String event) {
    return JsonObject.builder().put("ts", clock.instant().toString()).put("event", event);
  }

  private String line(LogRecord said) {
    String logger = said.getLoggerName() == null ? "" : said.getLoggerName();
    JsonObject.Builder line =
        start("log")
            .put("level", said.getLevel().getName().toLowerCase(Locale.ROOT))
            .put("logger", logger);
    if (logger.startsWith(OWN)) {
      line.put("message", new SimpleFormatter().formatMessage(said));
    }
    Throwable thrown = said.getThrown();
    if (thrown != null) {
      line.put("trace", LogLines.trace(thrown));
    }
    return line.build().toJson();
  }

  /** Gives back what stood there before. */
  @Override
  public void close() {
    ROOT.removeHandler(handler);
    for (Handler before : handlersBefore) {
      ROOT.addHandler(before);
    }
    Thread.setDefaultUncaughtExceptionHandler(uncaughtBefore);
  }

  private final class Lines extends Handler {
    Lines() {
      setLevel(Level.INFO);
    }

    @Override
    public void publish(LogRecord said) {
      if (isLoggable(said)) {
        lines.accept(line(said));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
