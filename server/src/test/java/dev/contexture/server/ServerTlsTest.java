package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.error.ContextureException;
import dev.contexture.seeds.TestCertificate;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.tls.TlsFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS with files that change. */
class ServerTlsTest {
  private static final String HOST = "the-key-of-the-host-0123456789abcdef";

  @TempDir static Path made;
  private static TestCertificate first;
  private static TestCertificate second;
  @TempDir Path directory;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private Path certificate;
  private Path key;
  private Contexture engine;
  private ContextureServer server;

  @BeforeAll
  static void makeCertificates() {
    first = TestCertificate.make(made, "first", "RSA");
    second = TestCertificate.make(made, "second", "EC");
  }

  @BeforeEach
  void start() throws Exception {
    certificate = directory.resolve("chain.pem");
    key = directory.resolve("key.pem");
    first.write(certificate, key);
    engine = Contexture.open(directory.resolve("data"));
    server = ContextureServer.start(engine, options(Duration.ofMinutes(2)));
  }

  /** Starts it anew with a time that whoever is slow uses up, and others do not. */
  private void restartImpatient() {
    server.close();
    server = ContextureServer.start(engine, options(Duration.ofSeconds(5)));
  }

  private ServerOptions options(Duration header) {
    ServerLimits limits = ServerLimits.DEFAULT.withTimes(ServerTimes.DEFAULT.withHeader(header));
    return ServerOptions.local("test")
        .withKeys(KeyRing.withAdmin(HOST, null))
        .withPort(0)
        .withIdle(Duration.ofMinutes(10))
        .withLimits(limits)
        .withLog(log::add, false)
        .withDuties(ServerDuties.NONE.withTls(new TlsFiles(certificate, key)));
  }

  @AfterEach
  void stop() {
    server.close();
    engine.close();
  }

  private int get(TestCertificate trusted, String path) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().sslContext(trusted.trusting()).build()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.address() + path))
              .header("Authorization", "Bearer " + HOST)
              .timeout(Duration.ofMinutes(2))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }
  }

  private SSLSocket connect(TestCertificate trusted) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            trusted
                .trusting()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout((int) Duration.ofMinutes(2).toMillis());
    return socket;
  }

  /** Asks on an open connection, and reads the answer. */
  private static String ask(SSLSocket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    String status = in.readLine();
    int length = 0;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      if (line.startsWith("Content-Length: ")) {
        length = Integer.parseInt(line.substring("Content-Length: ".length()));
      }
    }
    for (int i = 0; i < length; i++) {
      in.read();
    }
    return status;
  }

  private Certificate shown() throws IOException {
    TestCertificate either = first;
    try (SSLSocket socket = connect(either)) {
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0];
    } catch (SSLHandshakeException untrusted) {
      try (SSLSocket socket = connect(second)) {
        socket.startHandshake();
        return socket.getSession().getPeerCertificates()[0];
      }
    }
  }

  private static void await(BooleanSupplier met) {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!met.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in two minutes").isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  @Test
  void answersOverTlsOnly() throws Exception {
    assertThat(server.address()).startsWith("https://127.0.0.1:");
    assertThat(get(first, "/v1/models")).isEqualTo(200);
    assertThatThrownBy(() -> get(second, "/v1/models"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("certificate");
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      plain.setSoTimeout((int) Duration.ofMinutes(2).toMillis());
      plain
          .getOutputStream()
          .write("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      String answer =
          new String(plain.getInputStream().readNBytes(64), StandardCharsets.ISO_8859_1);
      assertThat(answer).doesNotContain("HTTP/1.1 200");
    }
  }

  @Test
  void showsANewCertificateAndKeepsConnections() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    server.announce(told::add);
    try (SSLSocket open = connect(first)) {
      assertThat(ask(open)).contains("200");
      second.write(certificate, key);
      await(() -> log.stream().anyMatch(line -> line.contains("\"event\":\"tls_reloaded\"")));
      assertThat(shown()).isEqualTo(second.certificate());
      assertThat(ask(open)).as("the connection of before").contains("200");
    }
    assertThat(get(second, "/v1/models")).isEqualTo(200);
    assertThat(told).hasSize(2).allMatch(address -> address.contains("#sha256="));
    assertThat(told.get(1)).isNotEqualTo(told.get(0));
  }

  @Test
  void keepsTheOldOneWhereTheNewOneCannotBeUsedAndSaysSo() throws Exception {
    TestCertificate.put(certificate, "nonsense");
    await(() -> refusals().contains("is no certificate in PEM"));
    assertThat(get(first, "/v1/models")).isEqualTo(200);
    TestCertificate.put(certificate, second.certificatePem());
    await(() -> refusals().contains("it holds no EC key"));
    assertThat(get(first, "/v1/models")).isEqualTo(200);
    Files.delete(key);
    await(() -> refusals().contains("it cannot be read"));
    assertThat(get(first, "/v1/models")).isEqualTo(200);
    TestCertificate.put(key, second.keyPem());
    await(() -> log.stream().anyMatch(line -> line.contains("\"event\":\"tls_reloaded\"")));
    assertThat(get(second, "/v1/models")).as("whole again").isEqualTo(200);
    assertThat(String.join("\n", log)).doesNotContain("PRIVATE KEY-----\\n");
  }

  private String refusals() {
    return log.stream()
        .filter(line -> line.contains("\"event\":\"tls_refused\""))
        .reduce("", String::concat);
  }

  @Test
  void refusesToStartWithFilesThatDoNotFit() throws Exception {
    TestCertificate expired =
        TestCertificate.make(
            directory, "expired", "RSA", "-startdate", "2020/01/01", "-validity", "30");
    expired.write(certificate, key);
    refused("it expired at 2020-01-31");
    TestCertificate.put(certificate, first.certificatePem());
    refused("it is not the key of the certificate");
    TestCertificate.put(key, first.keyPem().replace("PRIVATE KEY", "RSA PRIVATE KEY"));
    refused("it holds an RSA PRIVATE KEY");
    TestCertificate.put(certificate, "");
    refused("it holds no certificate");
    Files.delete(certificate);
    refused("it cannot be read");
  }

  private void refused(String why) {
    assertThatThrownBy(() -> ContextureServer.start(engine, options(Duration.ofMinutes(2))).close())
        .isInstanceOf(ContextureException.class)
        .hasMessageContaining("TLS cannot use")
        .hasMessageContaining(why);
  }

  @Test
  void dropsWhoeverDoesNotFinishAHandshakeOrAHeader() throws Exception {
    restartImpatient();
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      slow.setSoTimeout((int) Duration.ofMinutes(2).toMillis());
      slow.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1}); // the begin of a hello
      byte[] last = slow.getInputStream().readAllBytes(); // ends when the server closes
      assertThat(last).as("an alert at most").hasSizeLessThan(64);
    }
    try (SSLSocket slow = connect(first)) {
      slow.startHandshake();
      slow.getOutputStream().write('G');
      assertThat(slow.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void leavesAConnectionAloneThatHasShakenHandsAndWaits() throws Exception {
    restartImpatient();
    try (SSLSocket idle = connect(first);
        SSLSocket slow = connect(first)) {
      idle.startHandshake();
      slow.startHandshake();
      slow.getOutputStream().write('G');
      assertThat(slow.getInputStream().read()).as("its header took too long").isEqualTo(-1);
      assertThat(ask(idle)).as("this one began none").contains("200");
    }
  }
}
