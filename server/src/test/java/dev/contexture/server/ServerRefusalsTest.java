package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.server.TestServer.Got;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server refuses, conflicts, and repeats that are none. */
class ServerRefusalsTest {
  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  @Nested
  class Before {
    @Test
    void refusesUnknownRoutesAndMethods() {
      assertThat(served.get("/v1/nope").code()).isEqualTo("not_found");
      Got wrong = served.post("/healthz", "{}");
      assertThat(wrong.status()).isEqualTo(405);
      assertThat(wrong.code()).isEqualTo("method_not_allowed");
      assertThat(wrong.raw().headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @Test
    void saysThatAFieldIsUnknown() {
      assertThat(served.post(C + "/request", "{\"lmit\":5}").string("detail"))
          .startsWith("unknown field 'lmit'; allowed: adds, agent, ");
      assertThat(served.get(C + "/turns?lmit=5").string("detail"))
          .isEqualTo("unknown field 'lmit'; allowed: cursor, limit");
      assertThat(served.get("/readyz?x=5").string("detail"))
          .isEqualTo("unknown field 'x'; allowed: no query parameter");
    }

    @Test
    void refusesForeignPagesAndHosts() throws Exception {
      String body = "{\"prompt\":\"x\"}";
      Got foreign = served.send("POST", C + "/turns", body, "Origin", "http://evil.example");
      assertThat(foreign.status()).isEqualTo(403);
      assertThat(foreign.code()).isEqualTo("forbidden");
      assertThat(served.get(C).status()).isEqualTo(404);
      String own = served.server().address();
      assertThat(served.send("POST", C + "/turns", body, "Origin", own).status()).isEqualTo(201);
      assertThat(served.send("GET", C, null, "Origin", "http://evil.example").status())
          .isEqualTo(200);
      assertThat(raw("GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 403")
          .contains("\"code\":\"forbidden\"");
      assertThat(raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 200");
    }

    @Test
    void answersWhatIsNoRequestWithAProblem() throws Exception {
      assertThat(raw("GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 400")
          .contains("application/problem+json", "\"code\":\"invalid_argument\"");
    }

    private String raw(String request) throws Exception {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.server().port())) {
        OutputStream out = socket.getOutputStream();
        out.write(request.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      }
    }

    @Test
    void servesLoopbackOnly() {
      assertThatThrownBy(() -> ServerOptions.local("x").withHost("0.0.0.0"))
          .isInstanceOf(ContextureException.class)
          .hasMessageContaining("host is '0.0.0.0'")
          .hasMessageContaining("keys");
      assertThat(ServerOptions.local("x").withHost("::1").host()).isEqualTo("::1");
    }

    @Test
    void saysThatAPortIsTaken() {
      int port = served.server().port();
      assertThatThrownBy(
              () -> {
                try (var engine = dev.contexture.Contexture.open(directory.resolve("b"))) {
                  ContextureServer.start(engine, ServerOptions.local("x").withPort(port));
                }
              })
          .isInstanceOf(ContextureException.class)
          .hasMessageContaining("port " + port);
    }

    @Test
    void keepsTenantsAndProjectsApart() {
      served.send("POST", C + "/turns", "{\"prompt\":\"mine\"}", "X-Tenant", "acme");
      assertThat(served.get(C).status()).isEqualTo(404);
      assertThat(served.send("GET", C, null, "X-Tenant", "acme").status()).isEqualTo(200);
      assertThat(served.send("GET", C, null, "X-Tenant", "acme", "X-Project", "other").status())
          .isEqualTo(404);
      assertThat(served.send("GET", C, null, "X-Tenant", "a b").code()).isEqualTo("invalid_scope");
    }
  }

  @Nested
  class Bodies {
    @Test
    void refusesMoreThan64MiB() throws Exception {
      byte[] body = new byte[ServerLimits.DEFAULT.bodyBytes() + 1];
      java.util.Arrays.fill(body, (byte) ' ');
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(served.server().address() + C + "/turns"))
              .POST(
                  HttpRequest.BodyPublishers.ofInputStream(
                      () -> (InputStream) new ByteArrayInputStream(body)))
              .build();
      try (HttpClient client = HttpClient.newHttpClient()) {
        HttpResponse<String> got = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(got.statusCode()).isEqualTo(413);
        assertThat(got.body()).contains("\"code\":\"body_too_large\"", "\"limit\":67108864");
      }
    }

    @Test
    void refusesTimesOfFarAwayYears() {
      served.post(C + "/turns", "{\"turn_id\":\"t1\",\"prompt\":\"x\"}");
      Got got = served.post(C + "/turns/t1/finish", "{\"ts\":9223372036854775808}");
      assertThat(got.code()).isEqualTo("invalid_ts");
      assertThat(got.status()).isEqualTo(400);
    }

    @Test
    void namesThePlaceOfABadBlock() {
      served.post(C + "/turns", "{\"prompt\":\"x\"}");
      Got got =
          served.post(C + "/blocks", "{\"blocks\":[{\"text\":\"a\"},{\"path\":\"nonsense\"}]}");
      assertThat(got.code()).isEqualTo("invalid_path");
      assertThat(got.string("field")).isEqualTo("blocks[1].path");
      assertThat(served.get(C).number("blocks")).isEqualTo(2);
    }
  }

  @Nested
  class Conflicts {
    @Test
    void sayWhichVersionThereIs() {
      served.post(C + "/turns", "{\"prompt\":\"x\"}");
      Got got =
          served.post(C + "/blocks", "{\"blocks\":[{\"text\":\"a\"}],\"expected_version\":7}");
      assertThat(got.status()).isEqualTo(409);
      assertThat(got.code()).isEqualTo("version_conflict");
      assertThat(got.number("expected_version")).isEqualTo(7);
      assertThat(got.number("actual_version")).isEqualTo(1);
    }

    @Test
    void sayThatATurnIsOpenOrClosed() {
      served.post(C + "/turns", "{\"prompt\":\"x\",\"turn_id\":\"t1\"}");
      assertThat(served.post(C + "/turns", "{\"prompt\":\"y\"}").code())
          .isEqualTo("turn_in_progress");
      assertThat(served.post(C + "/turns", "{\"prompt\":\"y\",\"turn_id\":\"t1\"}").code())
          .isEqualTo("id_conflict");
      assertThat(served.send("DELETE", C + "/turns/t1", null).code()).isEqualTo("turn_in_progress");
      assertThat(served.post(C + "/turns", "{\"prompt\":\"y\",\"supersede\":\"no\"}").code())
          .isEqualTo("invalid_argument");
      Got next =
          served.post(
              C + "/turns", "{\"prompt\":\"y\",\"turn_id\":\"t2\",\"supersede\":\"interrupt\"}");
      assertThat(next.status()).isEqualTo(201);
      assertThat(served.get(C + "/turns/t1").string("status")).isEqualTo("interrupted");
      assertThat(served.post(C + "/turns", "{\"prompt\":\"x\",\"turn_id\":\"t1\"}").code())
          .isEqualTo("turn_closed");
      assertThat(served.post(C + "/turns/t1/finish", "{}").code()).isEqualTo("turn_closed");
    }
  }

  @Nested
  class Repeats {
    @Test
    void answerAsTheFirstTime() {
      String start = "{\"prompt\":\"x\",\"turn_id\":\"t1\"}";
      Got first = served.post(C + "/turns", start);
      String blocks = "{\"blocks\":[{\"id\":\"b1\",\"text\":\"a\"}]}";
      Got added = served.post(C + "/blocks", blocks);
      Got again = served.post(C + "/turns", start);
      assertThat(first.status()).isEqualTo(201);
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.text()).isEqualTo(first.text());
      assertThat(served.post(C + "/turns", "{\"turn_id\":\"t1\"}").text()).isEqualTo(first.text());
      assertThat(served.post(C + "/blocks", blocks).text()).isEqualTo(added.text());
      Got finished = served.post(C + "/turns/t1/finish", "{\"completion\":\"a\"}");
      assertThat(served.post(C + "/turns/t1/finish", "{\"completion\":\"a\"}").text())
          .isEqualTo(finished.text());
      assertThat(served.post(C + "/turns/t1/finish", "{\"completion\":\"b\"}").code())
          .isEqualTo("id_conflict");
      assertThat(served.post(C + "/blocks", blocks).text()).isEqualTo(added.text());
      assertThat(served.post(C + "/blocks", blocks.replace("\"a\"", "\"c\"")).code())
          .isEqualTo("id_conflict");
      assertThat(served.get(C).number("blocks")).isEqualTo(4);
    }
  }
}
