package dev.contexture.bench.support;

import dev.contexture.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** What figures were measured with: versions, system, cores, memory. */
public final class Circumstances {
  private Circumstances() {}

  static JsonObject toJson() {
    Runtime runtime = Runtime.getRuntime();
    return JsonObject.builder()
        .put("contexture", version("version"))
        .put("java", property("java.vendor") + " " + property("java.runtime.version"))
        .put("os", property("os.name") + " " + property("os.version") + " " + property("os.arch"))
        .put("cores", runtime.availableProcessors())
        .put("max_heap_mib", runtime.maxMemory() >> 20)
        .build();
  }

  /** A version as the build knows it, by its name in {@code version.properties}. */
  public static String version(String name) {
    Properties properties = new Properties();
    try (InputStream in = Circumstances.class.getResourceAsStream("version.properties")) {
      properties.load(Objects.requireNonNull(in, "version.properties is missing"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty(name, "unknown");
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
