package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
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
      assertThat(health.body()).contains("\"status\":\"ok\"", Version.text());
      assertThat(run("serve", "--port", "0", "--data", data.toString()))
          .contains("code: store_in_use", address);
      process.toHandle().destroy();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(out.readLine()).isNull();
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process serve(Path data) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "serve",
            "--port",
            "0",
            "--data",
            data.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @Test
  void refusesWhatItCannotServe() {
    String data = directory.resolve("unused").toString();
    assertThat(run("serve", "--data", data, "--host", "0.0.0.0"))
        .contains("host is '0.0.0.0'", "keys", "code: invalid_params");
    assertThat(run("serve", "--data", data, "--port", "70000")).contains("code: invalid_params");
    assertThat(run("serve", "--data", data, "--store", "postgres"))
        .contains("--store is 'postgres'", "not built in yet");
    assertThat(run("serve", "--data", data, "--keys", directory.resolve("none").toString()))
        .contains("there is no key file", "contexture keys add", "code: not_found");
    assertThat(run("serve", "--data", data, "--log", "loud")).contains("--log is 'loud'");
    assertThat(directory.resolve("unused")).doesNotExist();
  }

  private static String run(String... args) {
    return Run.of(args).err();
  }
}
