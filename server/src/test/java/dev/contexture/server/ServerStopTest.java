package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  /** Holds a request for good, and asks nobody whether it should go on. */
  private static final class Stuck {
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch freed = new CountDownLatch(1);

    Response work(Call unused) {
      started.countDown();
      boolean interrupted = false;
      while (true) {
        try {
          freed.await();
          break;
        } catch (InterruptedException ignored) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return Response.STREAMED;
    }
  }

  @Test
  void endsWhateverItsClientsDo() throws Exception {
    Stuck stuck = new Stuck();
    List<Raw> clients = new ArrayList<>();
    try (Contexture engine = Contexture.builder(new InMemoryStore()).exclusive(true).build()) {
      ContextureServer server =
          ContextureServer.start(
              engine,
              ServerOptions.local("test").withPort(0).withStop(Duration.ofMillis(500)),
              List.of(Route.get("/v1/stuck", stuck::work)));
      try {
        for (String said :
            List.of(
                "",
                "GET /healthz HT",
                Raw.post(C + "/turns", 1_000) + "{",
                "POST "
                    + C
                    + "/turns HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 9\r\n\r\n",
                "GET /v1/agents/atlas/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /v1/stuck HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
          Raw client = new Raw(server.port());
          clients.add(client);
          client.say(said);
        }
        assertThat(clients.get(4).until("memory of")).startsWith("HTTP/1.1 200");
        assertThat(stuck.started.await(2, TimeUnit.MINUTES)).isTrue();
      } finally {
        server.close(); // and throws nothing
      }
      for (Raw client : clients) {
        assertClosed(client);
      }
    } finally {
      stuck.freed.countDown();
      for (Raw client : clients) {
        client.close();
      }
    }
  }

  private static void assertClosed(Raw client) {
    try {
      client.rest(); // comes to an end
    } catch (IOException reset) {
      assertThat(reset).isNotInstanceOf(SocketTimeoutException.class);
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
