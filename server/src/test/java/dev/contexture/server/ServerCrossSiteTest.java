package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.TestServer.Got;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes that a browser sends for a page, to a server without keys. */
class ServerCrossSiteTest {
  private static final String BODY = "{\"prompt\":\"x\"}";

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

  private Got write(String... headers) {
    return served.send("POST", C + "/turns", BODY, headers);
  }

  @Test
  void refusesWritesThatABrowserCallsCrossSite() {
    for (String site : List.of("cross-site", "CROSS-SITE")) {
      Got got = write("Sec-Fetch-Site", site, "Content-Type", "application/json");
      assertThat(got.status()).as(site).isEqualTo(403);
      assertThat(got.code()).isEqualTo("forbidden");
      assertThat(got.string("field")).isEqualTo("Sec-Fetch-Site");
    }
    assertThat(served.send("DELETE", C, null, "Sec-Fetch-Site", "cross-site").status())
        .isEqualTo(403);
    assertThat(served.get(C).status()).as("nothing was written").isEqualTo(404);
    assertThat(served.send("GET", "/healthz", null, "Sec-Fetch-Site", "cross-site").status())
        .as("reads go on: there are no CORS headers")
        .isEqualTo(200);
    assertThat(write("Sec-Fetch-Site", "same-origin").status()).isEqualTo(201);
  }

  @Test
  void refusesWhatAFormOfAPageCanSend() {
    String own = served.server().address();
    for (String type :
        List.of(
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "text/json",
            "application/jsonx",
            "application/x; y=application/json")) {
      Got got = write("Origin", own, "Content-Type", type);
      assertThat(got.status()).as(type).isEqualTo(415);
      assertThat(got.code()).isEqualTo("unsupported_type");
    }
    assertThat(served.get(C).status()).as("nothing was written").isEqualTo(404);
    for (String type : List.of("application/json", "Application/JSON; charset=utf-8")) {
      assertThat(write("Origin", own, "Content-Type", type).status()).as(type).isIn(200, 201, 409);
    }
  }

  @Test
  void takesPlainCurl() {
    assertThat(write("Content-Type", "application/x-www-form-urlencoded").status()).isEqualTo(201);
  }
}
