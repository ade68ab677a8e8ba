package dev.contexture.cli.support;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a store, a tenant and project in it, and the caller. */
public final class StoreFlags {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "contexture-data",
      description = "Directory of the store (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("contexture-data");

  @Option(names = "--tenant", paramLabel = "ID", description = "The tenant (default: local).")
  private @Nullable String tenant;

  @Option(names = "--project", paramLabel = "ID", description = "The project (default: local).")
  private @Nullable String project;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The key for a server that has keys (better: CONTEXTURE_KEY).")
  private @Nullable String key;

  /** Where the store is. */
  public Path data() {
    return data;
  }

  /** What a server is told: what is not given, a key or the server's default decides. */
  Map<String, String> headers() {
    return headers(key);
  }

  /** The same with the key that was given, or else with one that the server announced. */
  public Map<String, String> headersFor(@Nullable String announced) {
    return headers(key == null ? announced : key);
  }

  /** The same with the key of this process's own server. */
  public Map<String, String> headersWith(String own) {
    return headers(own);
  }

  /** Whether a key was given. */
  public boolean hasKey() {
    return key != null;
  }

  /** The same with another key. */
  Map<String, String> headers(@Nullable String key) {
    Map<String, String> headers = new TreeMap<>();
    if (tenant != null) {
      headers.put("X-Tenant", tenant);
    }
    if (project != null) {
      headers.put("X-Project", project);
    }
    if (key != null) {
      headers.put("Authorization", "Bearer " + key);
    }
    return headers;
  }
}
