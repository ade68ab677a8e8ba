package dev.contexture.cli;

import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes conversations and memory to a file. */
@Command(
    name = "export",
    description = {
      "Writes a conversation, a user or an agent to a file.",
      "An archive holds everything and is taken in by contexture import, into another store, too;"
          + " Markdown is for people."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture export --user u42 --output u42.jsonl",
      "  contexture export --user u42 --conversation c1 --format markdown",
      "  contexture export --agent atlas --output atlas.jsonl"
    })
final class ExportCommand implements Callable<Integer> {
  private static final String END = "{\"line\":{\"type\":\"end\"";

  /** A form of an export. */
  enum Form {
    ARCHIVE,
    MARKDOWN;

    String wireName() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(
      names = "--user",
      paramLabel = "ID",
      description = "Whose conversations, and what agents remember of them.")
  private @Nullable String user;

  @Option(
      names = "--conversation",
      paramLabel = "ID",
      description = "This conversation of the user alone.")
  private @Nullable String conversation;

  @Option(
      names = "--agent",
      paramLabel = "ID",
      description = "What this agent remembers, of all of its users.")
  private @Nullable String agent;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      defaultValue = "archive",
      description = "archive or markdown (default: ${DEFAULT-VALUE}).")
  private String format = "archive";

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Where to write it; it must not exist (default: standard output).")
  private @Nullable Path output;

  @Override
  public Integer call() {
    Form form = form();
    String path = path() + "/export?format=" + form.wireName();
    if (output != null && Files.exists(output)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--output", output.toString(), "a file that does not exist");
    }
    try (Api api = Api.open(store);
        InputStream in = api.stream(path)) {
      if (output == null) {
        print(in, form);
      } else {
        write(in, output, form);
        Printer.of(spec).note("wrote " + output + ", " + Files.size(output) + " bytes");
      }
    } catch (IOException failure) {
      throw failed(failure);
    }
    return Main.DONE;
  }

  private Form form() {
    for (Form form : Form.values()) {
      if (form.wireName().equals(format)) {
        return form;
      }
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT,
        "--format",
        format,
        dev.contexture.error.Choices.inWords(Form.values()));
  }

  private String path() {
    if ((user == null) == (agent == null) || (conversation != null && user == null)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--user",
          user,
          "either --user, perhaps with --conversation, or --agent");
    }
    if (agent != null) {
      return "/v1/agents/" + Api.id("--agent", agent);
    }
    String whose = String.valueOf(user);
    return conversation == null
        ? "/v1/users/" + Api.id("--user", whose)
        : Api.conversation(whose, conversation);
  }

  private void print(InputStream in, Form form) throws IOException {
    Printer printer = Printer.of(spec);
    String last = "";
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        printer.line(line);
        last = line;
      }
    }
    checkWhole(last, form);
  }

  /** Writes beside the file first, so that nobody takes a part for the whole. */
  private static void write(InputStream in, Path file, Form form) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (OutputStream out = Files.newOutputStream(part)) {
        in.transferTo(out);
      }
      checkWhole(lastLine(part), form);
      Files.move(part, file);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static String lastLine(Path file) throws IOException {
    String last = "";
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line;
      }
    }
    return last;
  }

  private static void checkWhole(String last, Form form) {
    if (form == Form.ARCHIVE && !last.startsWith(END)) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "the export broke off: the archive has no end; run it again",
          Map.of(),
          null);
    }
  }

  private static RuntimeException failed(IOException failure) {
    return new UncheckedIOException("cannot write the export: " + failure.getMessage(), failure);
  }
}
