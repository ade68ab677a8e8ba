package dev.contexture.server.audit;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * A file of JSON lines that is only appended to, for its owner only. One that reached its size is
 * renamed to {@code FILE.1}, that before it to {@code FILE.2}, and so on; the oldest goes. Each
 * entry is on disk when {@link #append} returns. Thread-safe, also beside tools that rename the
 * file: it is opened for each entry.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AuditLog {
  /** The name of the file in a data directory. */
  public static final String FILE = "audit.jsonl";

  /** When a file is full, in bytes. */
  public static final long MAX_BYTES = 8 << 20;

  /** How many full files are kept beside the one that grows. */
  public static final int KEPT = 9;

  private final Path file;
  private final long maxBytes;
  private final int kept;

  public AuditLog(Path file) {
    this(file, MAX_BYTES, KEPT);
  }

  /**
   * @param maxBytes when a file is full
   * @param kept how many full ones are kept
   */
  public AuditLog(Path file, long maxBytes, int kept) {
    this.file = file;
    this.maxBytes = maxBytes;
    this.kept = kept;
  }

  /** Where the newest entries are. */
  public Path file() {
    return file;
  }

  /**
   * Refuses a file that could not be written, before a server relies on it.
   *
   * @throws ContextureException {@code invalid_config}
   */
  public void requireWritable() {
    try (FileChannel out = open()) {
      out.force(false);
    } catch (IOException failed) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          "the audit log " + file + " cannot be written: " + failed,
          Map.of("field", "audit", "actual", file.toString()),
          failed);
    }
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
        OwnerOnly.fileAttributes());
  }

  /**
   * Adds an entry.
   *
   * @throws IOException if it is not on disk
   */
  public synchronized void append(JsonObject entry) throws IOException {
    byte[] line = (entry.toJson() + "\n").getBytes(StandardCharsets.UTF_8);
    if (Files.exists(file) && Files.size(file) + line.length > maxBytes) {
      rotate();
    }
    boolean torn = endsInTheMiddle();
    try (FileChannel out = open()) {
      ByteBuffer bytes = ByteBuffer.allocate(line.length + 1);
      if (torn) {
        bytes.put((byte) '\n'); // what a process that died left stays, in a line of its own
      }
      bytes.put(line).flip();
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(false);
    }
  }

  private boolean endsInTheMiddle() throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return false;
    }
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return in.read(last, in.size() - 1) == 1 && last.get(0) != '\n';
    }
  }

  private void rotate() throws IOException {
    Files.deleteIfExists(numbered(kept));
    for (int i = kept - 1; i >= 1; i--) {
      if (Files.exists(numbered(i))) {
        Files.move(numbered(i), numbered(i + 1), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    if (kept > 0) {
      Files.move(file, numbered(1), StandardCopyOption.ATOMIC_MOVE);
    } else {
      Files.delete(file);
    }
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  /**
   * The newest entries that are wanted, newest first.
   *
   * @param limit the most
   * @throws ContextureException {@code store_unavailable} if a file cannot be read
   */
  public synchronized List<JsonObject> newest(Predicate<JsonObject> wanted, int limit) {
    List<JsonObject> found = new ArrayList<>();
    try {
      for (int i = 0; i <= kept && found.size() < limit; i++) {
        Path part = i == 0 ? file : numbered(i);
        if (Files.exists(part)) {
          collect(Files.readAllLines(part), wanted, limit, found);
        }
      }
    } catch (IOException | UncheckedIOException unreadable) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "the audit log cannot be read now",
          Map.of("field", "audit"),
          unreadable);
    }
    return found;
  }

  private static void collect(
      List<String> lines, Predicate<JsonObject> wanted, int limit, List<JsonObject> found) {
    for (int i = lines.size() - 1; i >= 0 && found.size() < limit; i--) {
      JsonObject entry = read(lines.get(i));
      if (wanted.test(entry)) {
        found.add(entry);
      }
    }
  }

  /** A line that is no entry is shown as what it is: it may be the trace of somebody. */
  private static JsonObject read(String line) {
    try {
      if (JsonValue.parse(line) instanceof JsonObject entry) {
        return entry;
      }
    } catch (ContextureException damaged) {
      return JsonObject.of("damaged", JsonValue.of(true));
    }
    return JsonObject.of("damaged", JsonValue.of(true));
  }
}
