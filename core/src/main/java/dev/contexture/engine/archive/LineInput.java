package dev.contexture.engine.archive;

import dev.contexture.json.JsonLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads lines of UTF-8, none longer than JSON may be; blank ones are passed over. */
final class LineInput {
  private static final int MAX_LINE_BYTES = JsonLimits.DEFAULT.maxChars();
  private static final int BUFFER_BYTES = 64 << 10;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int end;
  private long number;

  LineInput(InputStream in) {
    this.in = in;
  }

  /** The next line; null: there is none. */
  @Nullable String next() throws IOException {
    String line;
    do {
      line = whole();
    } while (line != null && line.isBlank());
    number += line == null ? 0 : 1;
    return line;
  }

  private @Nullable String whole() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean begun = false;
    while (at < end || fill()) {
      begun = true;
      int stop = at;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      if (line.size() + stop - at > MAX_LINE_BYTES) {
        throw ArchiveLine.malformed(
            number + 1, "more than " + MAX_LINE_BYTES + " bytes, which no archive has", null);
      }
      line.write(buffer, at, stop - at);
      at = stop + 1;
      if (stop < end) {
        return line.toString(StandardCharsets.UTF_8);
      }
    }
    return begun ? line.toString(StandardCharsets.UTF_8) : null;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(in.read(buffer), 0);
    return end > 0;
  }
}
