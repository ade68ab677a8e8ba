package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.engine.Contexture;
import dev.contexture.store.Store;
import dev.contexture.testkit.InMemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ServerStopTest {
  private static final long COMMIT_MILLIS = 1_500;

  private final CountDownLatch committing = new CountDownLatch(1);

  @Test
  void finishesWhatRuns() throws Exception {
    try (Contexture engine = Contexture.builder(slow(new InMemoryStore())).exclusive(true).build();
        HttpClient client = HttpClient.newHttpClient()) {
      ContextureServer server =
          ContextureServer.start(engine, ServerOptions.local("test").withPort(0));
      CompletableFuture<HttpResponse<String>> running =
          client.sendAsync(
              HttpRequest.newBuilder(URI.create(server.address() + C + "/turns"))
                  .POST(HttpRequest.BodyPublishers.ofString("{\"prompt\":\"x\"}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(committing.await(2, TimeUnit.MINUTES)).isTrue();
      server.close();
      assertThat(running.get(2, TimeUnit.MINUTES).statusCode()).isEqualTo(201);
    }
  }

  /** A store whose commits take their time. */
  private Store slow(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (unused, method, arguments) -> {
              if (method.getName().equals("commit")) {
                committing.countDown();
                Thread.sleep(COMMIT_MILLIS);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
              }
            });
  }
}
