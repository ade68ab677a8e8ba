package dev.contexture.cli;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lets a person change a text in the editor of their choice. */
final class Editor {
  private final Environment environment;

  Editor(Environment environment) {
    this.environment = environment;
  }

  /**
   * Opens the editor and waits for it.
   *
   * @param name of the file, for people
   * @param ending by which the editor knows the kind of text
   * @throws ContextureException {@code invalid_params} if no editor is named, or it failed
   */
  String edit(String name, String ending, String text) {
    List<String> command = new ArrayList<>(command());
    Path file = null;
    try {
      // Only its owner may read it, as Java makes temporary files.
      file = Files.createTempFile(name.replaceAll("[^A-Za-z0-9_-]", "_") + "-", ending);
      Files.writeString(file, text);
      command.add(file.toString());
      int ended = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (ended != 0) {
        throw failed("it ended with " + ended, null);
      }
      return Files.readString(file);
    } catch (IOException broken) {
      throw failed(broken.toString(), broken);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw failed("interrupted", early);
    } finally {
      delete(file);
    }
  }

  private List<String> command() {
    String visual = environment.variable("VISUAL");
    String editor = visual == null ? environment.variable("EDITOR") : visual;
    if (editor == null || editor.isBlank()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_PARAMS, "EDITOR", "not set", "an editor; or give --set or --file");
    }
    return List.of(editor.strip().split("\\s+", -1));
  }

  private static ContextureException failed(String why, @Nullable Exception cause) {
    return new ContextureException(
        ErrorCode.INVALID_PARAMS,
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
