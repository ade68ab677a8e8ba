package dev.contexture.bench;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Peers that live in Node: loro-crdt and yjs, by the script in bench/peers. */
final class NodePeers {
  private static final long TIMEOUT_MINUTES = 10;

  /** Figures of the peers that could run, and a remark on those that could not. */
  record Outcome(List<JsonValue> figures, String remark) {
    Outcome {
      figures = List.copyOf(figures);
    }

    static Outcome skipped(String reason) {
      return new Outcome(List.of(), "loro-crdt and yjs skipped: " + reason);
    }
  }

  private NodePeers() {}

  static Outcome run(Path trace, int repetitions) throws IOException {
    Path script = folder().resolve("crdt.mjs");
    if (!Files.exists(script)) {
      return Outcome.skipped(script + " is not there; start from the repository's root");
    }
    if (!Files.isDirectory(folder().resolve("node_modules"))) {
      return Outcome.skipped("run `npm install` in " + folder());
    }
    Path output = Files.createTempFile("crdt-peers", ".json");
    try {
      Process process =
          new ProcessBuilder(
                  "node",
                  script.toString(),
                  trace.toAbsolutePath().toString(),
                  String.valueOf(repetitions))
              .redirectOutput(output.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return Outcome.skipped("no answer within " + TIMEOUT_MINUTES + " minutes");
      }
      return parse(Files.readString(output, StandardCharsets.UTF_8), process.exitValue());
    } catch (IOException e) {
      return Outcome.skipped("node cannot be started");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.skipped("interrupted");
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static Outcome parse(String text, int exitCode) {
    if (exitCode != 0) {
      return Outcome.skipped("the script ended with code " + exitCode);
    }
    JsonObject report = (JsonObject) JsonValue.parse(text);
    List<JsonValue> figures = report.array("figures").map(JsonArray::items).orElse(List.of());
    return new Outcome(figures, report.string("remark").orElse(""));
  }

  private static Path folder() {
    String root = System.getProperty("contexture.root", ".");
    return Path.of(root, "bench", "peers").toAbsolutePath().normalize();
  }
}
