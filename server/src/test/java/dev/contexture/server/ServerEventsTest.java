package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stream of events: replay, live, resume, end. */
@Timeout(300)
class ServerEventsTest {
  @TempDir Path directory;

  /** One event. */
  private record Event(long id, String name, JsonObject data) {
    long version() {
      return ((dev.contexture.json.JsonNumber) data.find("version").orElseThrow())
          .asLong()
          .orElseThrow();
    }
  }

  /** A reader of events. */
  private static final class Reader implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final Stream<String> lines;
    private final Iterator<String> next;

    Reader(TestServer served, String path, String... headers) throws Exception {
      this(served.server(), path, headers);
    }

    Reader(ContextureServer server, String path, String... headers) throws Exception {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.address() + path));
      if (headers.length > 0) {
        request.headers(headers);
      }
      HttpResponse<Stream<String>> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofLines());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      lines = response.body();
      next = lines.iterator();
    }

    List<Event> take(int count) {
      List<Event> events = new ArrayList<>();
      long id = -1;
      String name = "";
      while (events.size() < count) {
        String line = next.next();
        if (line.startsWith("id: ")) {
          id = Long.parseLong(line.substring(4));
        } else if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          events.add(new Event(id, name, (JsonObject) JsonValue.parse(line.substring(6))));
        }
      }
      return events;
    }

    boolean ended() {
      while (next.hasNext()) {
        if (next.next().startsWith("data: ")) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void close() {
      lines.close();
      client.shutdownNow();
      client.close();
    }
  }

  /** A request has no version of its own: it is told to who listens, and listed afterwards. */
  @Test
  void saysThatACompactionBeginsBeforeItIsDone() throws Exception {
    try (TestServer served = new TestServer(directory)) {
      for (int i = 0; i < 8; i++) {
        String turn = "{\"turn_id\":\"t" + i + "\",\"prompt\":\"" + "word ".repeat(300) + "\"}";
        served.post(C + "/turns", turn);
        served.post(C + "/turns/t" + i + "/finish", "{\"completion\":\"ok\"}");
      }
      served.post(C + "/turns", "{\"turn_id\":\"t8\",\"prompt\":\"last\"}");
      long version = served.get(C).number("version");
      try (Reader reader = new Reader(served, C + "/events?after=" + (version - 1))) {
        reader.take(3); // the stream is open: header, prompt and turn
        served.post(
            C + "/request",
            "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"force_compaction\":true}");
        List<Event> events = reader.take(2);
        assertThat(events).extracting(Event::name).containsExactly("compacting", "compaction");
        assertThat(events.getFirst().data().keys())
            .contains("version", "reason", "tokens_before", "tokens_after", "compacted_blocks");
      }
    }
  }

  @Test
  void tellsOfRequests() throws Exception {
    try (TestServer served = new TestServer(directory)) {
      served.post(C + "/turns", "{\"prompt\":\"Hi\",\"turn_id\":\"t1\"}");
      String ask = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}";
      served.post(C + "/request", ask);
      try (Reader reader = new Reader(served, C + "/events?after=1")) {
        served.post(C + "/blocks", "{\"blocks\":[{\"text\":\"a\"}]}");
        assertThat(reader.take(1).getFirst().name()).isEqualTo("block");
        String id = served.post(C + "/request", ask).string("request_id");
        Event event = reader.take(1).getFirst();
        assertThat(event.name()).isEqualTo("request");
        assertThat(event.id()).isEqualTo(2);
        assertThat(event.data().string("request_id")).contains(id);
        assertThat(event.data().string("prefix")).contains("extends");
      }
    }
  }

  /** One commit may have more blocks than a page of the store. */
  @Test
  void sendsAllBlocksOfALargeCommit() throws Exception {
    int calls = 600;
    try (TestServer served = new TestServer(directory)) {
      String asked =
          IntStream.range(0, calls)
              .mapToObj(
                  i ->
                      "{\"type\":\"tool_use\",\"id\":\"c%d\",\"name\":\"f\",\"input\":{}}"
                          .formatted(i))
              .collect(Collectors.joining(","));
      String answered =
          IntStream.range(0, calls)
              .mapToObj(
                  i ->
                      "{\"type\":\"tool_result\",\"tool_use_id\":\"c%d\",\"content\":\"r\"}"
                          .formatted(i))
              .collect(Collectors.joining(","));
      TestServer.Got imported =
          served.post(
              C + "/import",
              "{\"format\":\"anthropic\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"},"
                  + "{\"role\":\"assistant\",\"content\":["
                  + asked
                  + "]},{\"role\":\"user\",\"content\":["
                  + answered
                  + "]}]}");
      assertThat(imported.status()).as(imported.text()).isEqualTo(201);
      int blocks = (int) imported.number("blocks");
      assertThat(blocks).isGreaterThan(2 * calls);
      try (Reader reader = new Reader(served, C + "/events?after=0")) {
        List<Event> events = reader.take(blocks + 1);
        assertThat(events.stream().limit(blocks).map(Event::name)).containsOnly("block");
        assertThat(events.getLast().name()).isNotEqualTo("block");
        assertThat(events.stream().map(Event::version)).containsOnly(1L);
        assertThat(events.stream().limit(blocks).map(Event::id)).containsOnly(0L);
        assertThat(events.getLast().id()).as("only the last one is resumed from").isEqualTo(1);
      }
    }
  }

  /** What was requested before does not count, however much that is. */
  @Test
  void looksOnlyAtTheNewestRequests() throws Exception {
    List<Object> cursors = new CopyOnWriteArrayList<>();
    Store store = listening(new InMemoryStore(), cursors);
    try (Contexture engine =
            Contexture.builder(store)
                .exclusive(true)
                .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
                .build();
        ContextureServer server =
            ContextureServer.start(engine, ServerOptions.local("test").withPort(0))) {
      post(server, C + "/turns", "{\"prompt\":\"Hi\",\"turn_id\":\"t1\"}");
      String ask = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}";
      for (int i = 0; i < 40; i++) {
        post(server, C + "/request", ask);
      }
      cursors.clear();
      try (Reader reader = new Reader(server, C + "/events?after=1")) {
        post(server, C + "/blocks", "{\"blocks\":[{\"text\":\"a\"}]}");
        assertThat(reader.take(1).getFirst().name()).isEqualTo("block");
        post(server, C + "/request", ask);
        assertThat(reader.take(1).getFirst().name()).isEqualTo("request");
        post(server, C + "/blocks", "{\"blocks\":[{\"text\":\"b\"}]}");
        assertThat(reader.take(1).getFirst().name()).as("only the new one").isEqualTo("block");
      }
      assertThat(cursors).as("first pages only").isNotEmpty().containsOnly("first");
    }
  }

  private static void post(ContextureServer server, String path, String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.address() + path))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      HttpResponse<String> got = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(got.statusCode()).as(got.body()).isBetween(200, 201);
    }
  }

  /** A store that says behind which request each page of them started. */
  private static Store listening(Store store, List<Object> cursors) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (unused, method, arguments) -> {
              if (method.getName().equals("requests")) {
                cursors.add(Objects.requireNonNullElse(arguments[1], "first"));
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
              }
            });
  }

  @Test
  void replaysThenGoesOnLive() throws Exception {
    try (TestServer served = new TestServer(directory)) {
      served.post(C + "/turns", "{\"prompt\":\"Hi\",\"turn_id\":\"t1\"}");
      try (Reader reader = new Reader(served, C + "/events?after=0")) {
        List<Event> past = reader.take(3);
        assertThat(past.stream().map(Event::name)).containsExactly("block", "block", "turn");
        assertThat(past.stream().map(Event::id)).containsExactly(0L, 0L, 1L);
        assertThat(past.get(1).data().object("block").orElseThrow().string("text")).contains("Hi");
        served.post(C + "/blocks", "{\"blocks\":[{\"text\":\"a\"},{\"text\":\"b\"}]}");
        served.send("PUT", C + "/announce", "{\"blocks\":[{\"text\":\"x\"}]}");
        served.send("PUT", C + "/sources", "{\"sources\":[]}");
        served.post(C + "/turns/t1/finish", "{\"completion\":\"Done.\"}");
        List<Event> live = reader.take(7);
        assertThat(live.stream().map(Event::name))
            .containsExactly("block", "block", "announce", "sources", "block", "block", "turn");
        assertThat(live.stream().map(Event::version)).containsExactly(2L, 2L, 3L, 4L, 5L, 5L, 5L);
        assertThat(live.getLast().data().string("status")).contains("complete");
      }
    }
  }

  @Test
  void resumesWhereAReaderWas() throws Exception {
    try (TestServer served = new TestServer(directory)) {
      served.post(C + "/turns", "{\"prompt\":\"Hi\",\"turn_id\":\"t1\"}");
      long last;
      try (Reader reader = new Reader(served, C + "/events")) {
        last = reader.take(2).getLast().id();
      }
      served.post(C + "/blocks", "{\"blocks\":[{\"text\":\"a\"}]}");
      served.restart();
      try (Reader reader = new Reader(served, C + "/events", "Last-Event-ID", "" + last)) {
        assertThat(reader.take(4).stream().map(Event::version)).containsExactly(1L, 1L, 1L, 2L);
      }
      try (Reader reader = new Reader(served, C + "/events?after=1")) {
        assertThat(reader.take(1).getFirst().version()).isEqualTo(2);
      }
      assertThat(served.get(C + "/events?after=x").code()).isEqualTo("invalid_argument");
    }
  }

  @Test
  void tellsAboutErasedTurnsAndEndsWithTheConversation() throws Exception {
    try (TestServer served = new TestServer(directory, Duration.ofMillis(1_500))) {
      served.post(C + "/turns", "{\"prompt\":\"Hi\",\"turn_id\":\"t1\"}");
      served.post(C + "/turns/t1/abort", "{\"reason\":\"r\"}");
      try (Reader reader = new Reader(served, C + "/events?after=2")) {
        served.send("DELETE", C + "/turns/t1", null);
        assertThat(reader.take(1).getFirst().name()).isEqualTo("erase");
        served.send("DELETE", C, null);
        assertThat(reader.take(1).getFirst().name()).isEqualTo("erase");
        assertThat(reader.ended()).isTrue();
      }
    }
  }

  @Test
  void endsWhenTheServerStops() throws Exception {
    TestServer served = new TestServer(directory);
    served.post(C + "/turns", "{\"prompt\":\"Hi\"}");
    try (Reader reader = new Reader(served, C + "/events?after=1")) {
      served.close();
      assertThat(reader.ended()).isTrue();
    }
  }

  @Test
  void dropsAReaderThatDoesNotReadAndNeverBlocksAWriter() throws Exception {
    try (TestServer served = new TestServer(directory, Duration.ofSeconds(2));
        Socket socket = new Socket()) {
      served.post(C + "/turns", "{\"prompt\":\"Hi\",\"turn_id\":\"t1\"}");
      socket.setReceiveBufferSize(4_096);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), served.server().port()), 5_000);
      socket
          .getOutputStream()
          .write(
              ("GET " + C + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      until(() -> openStreams(served) == 1);
      String large = "{\"blocks\":[{\"text\":\"" + "x".repeat(1_000_000) + "\"}]}";
      for (int i = 0; i < 12; i++) {
        assertThat(served.post(C + "/blocks", large).status()).isEqualTo(201);
      }
      assertThat(served.post(C + "/turns/t1/finish", "{}").status()).isEqualTo(200);
      until(() -> openStreams(served) == 0);
      assertThat(readToTheEnd(socket)).isLessThan(12_000_000);
    }
  }

  private static double openStreams(TestServer served) {
    return served
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("contexture_event_streams "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }

  private static void until(BooleanSupplier holds) throws InterruptedException {
    while (!holds.getAsBoolean()) { // the test has a time limit
      Thread.sleep(20);
    }
  }

  /** How much a dropped reader still gets: what was in the buffers between. */
  private static long readToTheEnd(Socket socket) throws IOException {
    socket.setSoTimeout(120_000);
    long bytes = 0;
    byte[] buffer = new byte[65_536];
    InputStream in = socket.getInputStream();
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        bytes += read;
      }
    } catch (SocketException reset) {
      return bytes;
    }
    return bytes;
  }
}
