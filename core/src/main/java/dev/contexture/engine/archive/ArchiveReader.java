package dev.contexture.engine.archive;

import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads an archive whole and checks every hash before anybody gets a line. */
final class ArchiveReader {
  static final int FORMAT = 1;

  private ArchiveReader() {}

  /**
   * The lines between header and end.
   *
   * @throws ContextureException {@code import_malformed} for what is no archive, is not complete or
   *     was changed
   */
  static List<ArchiveLine> read(InputStream in) {
    List<ArchiveLine> lines = new ArrayList<>();
    LineHash hash = new LineHash();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      each(reader, text -> lines.add(line(lines.size() + 1, text, hash)));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the archive", failure);
    }
    ArchiveLine first = lines.isEmpty() ? null : lines.getFirst();
    checkHeader(first);
    ArchiveLine last = lines.getLast();
    if (!last.type().equals(ArchiveLine.END)) {
      throw ArchiveLine.malformed(
          last.number(), "it is the last one, but the archive has no end: a part is missing", null);
    }
    return lines.subList(1, lines.size() - 1);
  }

  private static void each(BufferedReader reader, Consumer<String> to) throws IOException {
    for (String text = reader.readLine(); text != null; text = reader.readLine()) {
      if (!text.isBlank()) {
        to.accept(text);
      }
    }
  }

  private static ArchiveLine line(long number, String text, LineHash hash) {
    JsonObject line;
    String said;
    try {
      JsonFields whole = JsonFields.of(JsonValue.parse(text), "line", Set.of("line", "sha256"));
      line = whole.object("line").orElse(JsonObject.EMPTY);
      said = whole.requiredString("sha256");
    } catch (ContextureException refused) {
      throw ArchiveLine.malformed(
          number, "not a line of an archive: " + refused.getMessage(), refused);
    }
    if (!said.equals(hash.next(line.toJson()))) {
      throw ArchiveLine.malformed(
          number, "its hash does not fit: it was changed, or a line before it is missing", null);
    }
    return new ArchiveLine(number, line.string(ArchiveLine.TYPE).orElse(""), line);
  }

  private static void checkHeader(@Nullable ArchiveLine first) {
    if (first == null || !first.type().equals(ArchiveLine.HEADER)) {
      throw ArchiveLine.malformed(1, "no header of a Contexture archive", null);
    }
    String format = first.json().find("format").map(JsonValue::toJson).orElse("none");
    if (!format.equals(Integer.toString(FORMAT))) {
      throw ArchiveLine.malformed(1, "format " + format + "; allowed: " + FORMAT, null);
    }
  }
}
