package dev.contexture.cli.demo;

import dev.contexture.Contexture;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The conversation that {@code serve --demo} shows. It is played into a new directory once, with a
 * clock and ids of its own, so that everybody sees the same; a directory that holds it is left as
 * it is, and one that holds anything else is refused.
 */
public final class Demo {
  /** Where it is kept if nothing else is said. */
  public static final Path DIRECTORY = Path.of("contexture-demo");

  private static final String SCRIPT = "demo.json";
  private static final long SEED = 20_418;

  private Demo() {}

  /**
   * Puts the demo into a directory that is missing or empty. It appears there whole or not at all.
   *
   * @throws ContextureException {@code store_unavailable} if it cannot be written
   */
  public static void load(Path directory) {
    try {
      if (isEmpty(directory)) {
        Path target = directory.toAbsolutePath();
        Path parent = Objects.requireNonNull(target.getParent(), "the root is not empty");
        Files.createDirectories(parent);
        Path made = Files.createTempDirectory(parent, "contexture-demo-");
        try {
          play(made);
          Files.deleteIfExists(target);
          Files.move(made, target);
        } finally {
          delete(made);
        }
      }
    } catch (IOException failed) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "the demo cannot be written to " + directory + ": " + failed.getMessage(),
          java.util.Map.of(),
          failed);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return true;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  private static void play(Path directory) {
    JsonObject script = script();
    DemoPlayer.Clock clock = new DemoPlayer.Clock();
    try (Contexture engine =
        Contexture.open(
            directory,
            settings -> settings.clock(clock).ids(new IdGenerator(new SplittableRandom(SEED))))) {
      new DemoPlayer(engine, clock, script).play();
    }
  }

  /**
   * Checks that an open engine holds the demo.
   *
   * @throws ContextureException {@code invalid_argument} if it holds something else
   */
  public static void check(Contexture engine, Path directory) {
    if (engine.browser(DemoPlayer.conversation(script())).head().isEmpty()) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          directory + " holds other data; give --data a directory that is new or empty",
          Map.of("field", "--data"),
          null);
    }
  }

  private static JsonObject script() {
    try (InputStream in = Demo.class.getResourceAsStream(SCRIPT)) {
      byte[] bytes = Objects.requireNonNull(in, SCRIPT + " is missing").readAllBytes();
      return (JsonObject) JsonValue.parse(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
