package dev.contexture.cli.support;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lets a person change a text in the editor of their choice. */
public final class Editor {
  private final Environment environment;

  public Editor(Environment environment) {
    this.environment = environment;
  }

  /**
   * A text to be changed in an editor.
   *
   * @param name of the file, for people
   * @param ending by which the editor knows the kind of text
   */
  public record Draft(String name, String ending, String text) {}

  /**
   * Opens the editor, waits for it, and hands over what was written. What is refused then stays in
   * its file, which the refusal names.
   *
   * @throws ContextureException {@code invalid_argument} if no editor is named, or it failed; or
   *     what the taker refuses with
   */
  public <T> T edit(Draft draft, Function<String, T> taker) {
    List<String> command = new ArrayList<>(command());
    Path file = null;
    boolean keep = false;
    try {
      // Only its owner may read it, as Java makes temporary files.
      file =
          Files.createTempFile(
              draft.name().replaceAll("[^A-Za-z0-9_-]", "_") + "-", draft.ending());
      Files.writeString(file, draft.text());
      command.add(file.toString());
      int ended = start(command).waitFor();
      if (ended != 0) {
        throw failed("it ended with " + ended, null);
      }
      String edited = Files.readString(file);
      keep = true;
      T taken = handOver(edited, file, taker);
      keep = false;
      return taken;
    } catch (IOException broken) {
      throw failed("its file cannot be read or written", broken);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw failed("interrupted", early);
    } finally {
      if (!keep) {
        delete(file);
      }
    }
  }

  private static Process start(List<String> command) {
    try {
      return new ProcessBuilder(command).inheritIO().start();
    } catch (IOException missing) {
      String program = command.getFirst();
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          "the editor '"
              + program
              + "' cannot be started; name another one in EDITOR, or give --set"
              + " or --file",
          Map.of("field", "EDITOR", "actual", program),
          missing);
    }
  }

  private static <T> T handOver(String edited, Path file, Function<String, T> taker) {
    try {
      return taker.apply(edited);
    } catch (ContextureException refused) {
      Map<String, Object> details = new LinkedHashMap<>(refused.details());
      details.put("kept", file.toString());
      throw new ContextureException(
          refused.code(),
          refused.getMessage() + "; what was written is kept in " + file + ", for --file",
          details,
          refused);
    }
  }

  private List<String> command() {
    String visual = environment.variable("VISUAL");
    String editor = visual == null ? environment.variable("EDITOR") : visual;
    if (editor == null || editor.isBlank()) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          "no editor is set: set VISUAL or EDITOR, or give --set or --file",
          Map.of("field", "EDITOR"),
          null);
    }
    return List.of(editor.strip().split("\\s+", -1));
  }

  private static ContextureException failed(String why, @Nullable Exception cause) {
    return new ContextureException(
        ErrorCode.INVALID_ARGUMENT,
        "the editor failed, and nothing was changed: " + why,
        Map.of("field", "EDITOR"),
        cause);
  }

  private static void delete(@Nullable Path file) {
    if (file != null) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException left) {
        file.toFile().deleteOnExit();
      }
    }
  }
}
