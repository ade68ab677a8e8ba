package dev.contexture.cli.support;

import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Opens the keys that may call a server: those of a file, the admin key of the environment, or
 * both.
 */
public final class KeysOption {
  /** Where the key of the host comes from; it may do everything. */
  public static final String ADMIN_KEY = "CONTEXTURE_ADMIN_KEY";

  private KeysOption() {}

  /**
   * The keys of a server; null: it has none, and serves this machine only.
   *
   * @param file as given with {@code --keys}
   * @param adminKey as it stands in the environment
   */
  static @Nullable public KeyRing open(@Nullable Path file, @Nullable String adminKey) {
    if (adminKey != null && !adminKey.isEmpty()) {
      return KeyRing.withAdmin(adminKey, file == null ? null : new KeyFile(file));
    }
    return file == null ? null : KeyRing.of(new KeyFile(file));
  }
}
