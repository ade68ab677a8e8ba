package dev.contexture.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.ServerTimes;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Set;
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
