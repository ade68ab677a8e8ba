package dev.contexture.cli.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.Main;
import dev.contexture.cli.Run;
import dev.contexture.cli.support.BuildVersion;
import dev.contexture.cli.support.Environment;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ServeCommandTest {
  @TempDir Path directory;

  @Test
  void servesUntilItIsToldToEnd() throws Exception {
    Path data = directory.resolve("data");
    Process process = serve(data);
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        HttpClient client = HttpClient.newHttpClient()) {
      String ready = out.readLine();
      assertThat(ready)
          .matches(
              "contexture ready on http://127\\.0\\.0\\.1:[0-9]+ data=\\Q"
                  + data
                  + "\\E store=sqlite");
      String address = ready.split(" ", -1)[3];
      assertThat(Files.readString(data.resolve("contexture.lock"))).contains("server=" + address);
      HttpResponse<String> health =
          client.send(
              HttpRequest.newBuilder(URI.create(address + "/healthz")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(health.body()).contains("\"status\":\"ok\"", BuildVersion.text());
      assertThat(run("serve", "--port", "0", "--data", data.toString()))
          .contains("\"code\":\"store_in_use\"", address);
      process.toHandle().destroy();
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(out.readLine()).isNull();
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process serve(Path data) throws Exception {
    return command(data).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static ProcessBuilder command(Path data) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
        java,
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName(),
        "serve",
        "--port",
        "0",
        "--data",
        data.toString());
  }

  @Test
  void refusesWhatItCannotServe() {
    String data = directory.resolve("unused").toString();
    assertThat(run("serve", "--data", data, "--host", "0.0.0.0"))
        .contains("host is '0.0.0.0'", "keys", "\"code\":\"invalid_argument\"");
    assertThat(run("serve", "--data", data, "--port", "70000"))
        .contains("\"code\":\"invalid_argument\"");
    assertThat(run("serve", "--data", data, "--store", "oracle"))
        .contains("--store is 'oracle'", "sqlite or postgres");
    assertThat(run("serve", "--data", data, "--store", "postgres"))
        .contains("--jdbc-url is", "jdbc:postgresql://", "\"code\":\"invalid_argument\"");
    String url = "jdbc:postgresql://127.0.0.1:1/none?connectTimeout=1";
    assertThat(run("serve", "--data", data, "--jdbc-url", url))
        .contains("--store is 'sqlite'", "postgres with --jdbc-url");
    assertThat(run("serve", "--data", data, "--store", "postgres", "--jdbc-url", url, "--demo"))
        .contains("sqlite with --demo");
    assertThat(run("serve", "--data", data, "--index", "postgres"))
        .contains("--index is 'postgres'", "lucene with --store sqlite");
    assertThat(run("serve", "--data", data, "--index", "solr"))
        .contains("--index is 'solr'", "lucene or postgres");
    assertThat(run("serve", "--data", data, "--keys", directory.resolve("none").toString()))
        .contains("there is no key file", "contexture keys add", "\"code\":\"not_found\"");
    assertThat(run("serve", "--data", data, "--log", "loud")).contains("--log is 'loud'");
    assertThat(directory.resolve("unused")).doesNotExist();
  }

  @Test
  void leavesNothingBehindWhereItsPortIsTaken() throws Exception {
    Path data = directory.resolve("unused");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      assertThat(run("serve", "--data", data.toString(), "--port", port))
          .contains("port " + port + " of 127.0.0.1 cannot be taken; end what listens")
          .contains("\"code\":\"invalid_argument\"")
          .doesNotContain("avalin", "Exception");
      Run json = Run.of("serve", "--json", "--data", data.toString(), "--port", port);
      assertThat(json.json().string("code")).contains("invalid_argument");
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void aRefusalToStartIsOneLineOfJsonButAtATerminal() {
    String data = directory.resolve("unused").toString();
    Run logged = Run.of("serve", "--data", data, "--host", "0.0.0.0");
    assertThat(logged.exitCode()).isEqualTo(Main.FAILED);
    assertThat(logged.err().lines()).hasSize(1);
    JsonObject line = (JsonObject) JsonValue.parse(logged.err().strip());
    assertThat(line.string("event")).contains("start_refused");
    assertThat(line.string("code")).contains("invalid_argument");
    assertThat(line.string("message").orElseThrow()).contains("host is '0.0.0.0'");
    Run seen =
        Run.in(new Environment(Map.of(), true, true), "serve", "--data", data, "--host", "0.0.0.0");
    assertThat(seen.exitCode()).isEqualTo(Main.FAILED);
    assertThat(seen.err()).contains("error:").contains("code: invalid_argument");
  }

  /** Jetty, Lucene and the engine say things too; a collector of logs reads lines of JSON. */
  @Test
  void writesLinesOfJsonOnly() throws Exception {
    Path said = directory.resolve("said");
    Process process = command(directory.resolve("data")).redirectError(said.toFile()).start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        HttpClient client = HttpClient.newHttpClient()) {
      String address = out.readLine().split(" ", -1)[3];
      for (String path : List.of("/healthz", "/v1/nope", "/v1/users/%u0041/conversations")) {
        try (Socket raw =
            new Socket(InetAddress.getLoopbackAddress(), URI.create(address).getPort())) {
          raw.getOutputStream()
              .write(
                  ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                      .getBytes(StandardCharsets.US_ASCII));
          raw.getInputStream().readAllBytes();
        }
      }
      client.send(
          HttpRequest.newBuilder(URI.create(address + "/v1/search"))
              .POST(HttpRequest.BodyPublishers.ofString("{\"query\":\"storm\"}"))
              .build(),
          HttpResponse.BodyHandlers.ofString());
      process.toHandle().destroy();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readAllLines(said))
        .hasSizeGreaterThanOrEqualTo(3)
        .allSatisfy(line -> assertThat(JsonValue.parse(line)).isInstanceOf(JsonObject.class));
  }

  private static String run(String... args) {
    return Run.of(args).err();
  }
}
