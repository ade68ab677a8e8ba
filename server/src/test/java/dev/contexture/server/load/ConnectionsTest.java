package dev.contexture.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.ServerTimes;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private final Set<Integer> closed = new HashSet<>();

  @Test
  void aBurstClosesAsManyAsAreTooManyThoughClosingTakesTime() {
    try (Connections connections = new Connections(3, ServerTimes.DEFAULT)) {
      for (int i = 0; i < 10; i++) {
        connections.onOpened(connection(i)); // and no onClosed: it comes later
      }
      assertThat(closed).hasSize(7);
      assertThat(connections.count()).isEqualTo(3);
    }
  }

  /** The watch is a thread of a pool, which would keep an error to itself and end. */
  @Test
  void anErrorOfTheWatchIsToldAndDoesNotEndIt() throws InterruptedException {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    CountDownLatch told = new CountDownLatch(3);
    OutOfMemoryError gone = new OutOfMemoryError("no heap left, says the test");
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          if (thrown == gone) {
            told.countDown();
          }
        });
    try (Connections connections =
        new Connections(3, ServerTimes.DEFAULT.withHeader(Duration.ofMillis(20)))) {
      connections.onOpened(
          proxy(
              Connection.class,
              method -> {
                if (method.equals("getBytesIn")) {
                  throw gone;
                }
                return method.equals("hashCode") ? 1 : null;
              }));
      assertThat(told.await(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  private Connection connection(int number) {
    EndPoint endPoint =
        proxy(
            EndPoint.class,
            method -> {
              if (method.equals("close")) {
                closed.add(number);
              }
              return null;
            });
    return proxy(
        Connection.class,
        method ->
            switch (method) {
              case "getEndPoint" -> endPoint;
              case "getBytesIn" -> 0L;
              case "hashCode" -> number;
              default -> null;
            });
  }

  private static <T> T proxy(Class<T> type, Function<String, @Nullable Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getName().equals("equals")
                    ? self == arguments[0]
                    : answer.apply(method.getName())));
  }
}
