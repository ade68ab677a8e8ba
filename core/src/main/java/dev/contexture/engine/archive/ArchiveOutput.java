package dev.contexture.engine.archive;

import dev.contexture.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes the lines of an archive, each with a hash of itself and of all before it. */
final class ArchiveOutput {
  private final OutputStream out;
  private final LineHash hash = new LineHash();
  private long lines;

  ArchiveOutput(OutputStream out) {
    this.out = out;
  }

  void line(String type, JsonObject members) {
    String line = JsonObject.builder().put(ArchiveLine.TYPE, type).putAll(members).build().toJson();
    String whole = "{\"line\":" + line + ",\"sha256\":\"" + hash.next(line) + "\"}\n";
    try {
      out.write(whole.getBytes(StandardCharsets.UTF_8));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the archive", failure);
    }
    lines++;
  }

  /** The last line, without which an archive is not complete. */
  void end() {
    line(ArchiveLine.END, JsonObject.builder().put("lines", lines).build());
  }
}
