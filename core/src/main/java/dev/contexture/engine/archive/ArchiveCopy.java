package dev.contexture.engine.archive;

import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One archive in a temporary file of this process: every hash is checked while it is copied, before
 * anybody gets a line, and then it is read part by part, so that no more of it is in memory than
 * one part. Confined to one thread.
 */
final class ArchiveCopy implements AutoCloseable {
  static final int FORMAT = 1;
  private static final Set<String> FIRST =
      Set.of(ArchiveLine.AGENT, ArchiveLine.ENTRY, ArchiveLine.MEMORY, ArchiveLine.CONVERSATION);

  private final FileChannel file;
  private final LineHash hash = new LineHash();
  private final List<Part> parts = new ArrayList<>();
  private final ArchiveBounds bounds;
  private final LongConsumer room;
  private long position;
  private long largest;
  private @Nullable ArchiveLine last;

  private ArchiveCopy(FileChannel file, ArchiveBounds bounds, LongConsumer room) {
    this.file = file;
    this.bounds = bounds;
    this.room = room;
  }

  /**
   * What is imported as a whole: a line, and those behind it that belong to it.
   *
   * @param type of the first line
   * @param number of the first line, from 1
   * @param from where it begins in the copy
   * @param lines how many it has
   * @param bytes how many it has
   */
  record Part(String type, long number, long from, long lines, long bytes) {
    private Part with(int more) {
      return new Part(type, number, from, lines + 1, bytes + more);
    }
  }

  /**
   * Copies an archive.
   *
   * @param room is asked for as many bytes as a part is larger than all before it
   * @throws ContextureException {@code import_malformed} for what is no archive, is not complete or
   *     was changed; {@code forbidden} for what is beyond the bounds
   */
  static ArchiveCopy of(InputStream in, ArchiveBounds bounds, LongConsumer room) {
    try {
      Path path = Files.createTempFile("contexture-archive", ".jsonl");
      FileChannel file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      ArchiveCopy copy = new ArchiveCopy(file, bounds, room);
      try {
        copy.take(in);
        return copy;
      } catch (IOException | RuntimeException failed) {
        copy.close();
        throw failed;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the archive", failure);
    }
  }

  private void take(InputStream in) throws IOException {
    LineInput lines = new LineInput(in);
    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(file));
    long number = 0;
    for (String text = lines.next(); text != null; text = lines.next()) {
      number++;
      byte[] bytes = (text.strip() + "\n").getBytes(StandardCharsets.UTF_8);
      take(line(number, text, hash), bytes.length);
      out.write(bytes);
    }
    out.flush();
    checkEnd();
  }

  private void take(ArchiveLine line, int bytes) {
    if (last == null) {
      checkHeader(line);
    } else if (last.type().equals(ArchiveLine.END)) {
      throw ArchiveLine.malformed(line.number(), "it stands behind the end", null);
    } else if (!line.type().equals(ArchiveLine.END)) {
      bounds.check(line.number(), line.type(), line.json());
      place(line, bytes);
    }
    position += bytes;
    last = line;
  }

  private void place(ArchiveLine line, int bytes) {
    if (FIRST.contains(line.type())) {
      parts.add(new Part(line.type(), line.number(), position, 1, bytes));
    } else if (parts.isEmpty()) {
      throw ArchiveLine.malformed(
          line.number(), "'" + line.type() + "' stands before what it belongs to", null);
    } else {
      parts.set(parts.size() - 1, parts.getLast().with(bytes));
    }
    long size = parts.getLast().bytes();
    if (size > largest) {
      room.accept(size - largest);
      largest = size;
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

  private void checkEnd() {
    ArchiveLine end = last;
    if (end == null) {
      checkHeader(null);
    } else if (!end.type().equals(ArchiveLine.END)) {
      throw ArchiveLine.malformed(
          end.number(), "it is the last one, but the archive has no end: a part is missing", null);
    }
  }

  /** What is in it, in order. */
  List<Part> parts() {
    return List.copyOf(parts);
  }

  /** Reads a part again, line by line. */
  void read(Part part, Consumer<ArchiveLine> each) {
    try {
      LineInput lines = new LineInput(Channels.newInputStream(file.position(part.from())));
      for (long i = 0; i < part.lines(); i++) {
        String text = String.valueOf(lines.next());
        JsonObject line = ((JsonObject) JsonValue.parse(text)).object("line").orElseThrow();
        each.accept(
            new ArchiveLine(part.number() + i, line.string(ArchiveLine.TYPE).orElse(""), line));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the copy of the archive", failure);
    }
  }

  /** Removes the copy. */
  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot remove the copy of the archive", failure);
    }
  }
}
