package dev.contexture.server.keys;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Knows keys again. It looks at its file with every request and reads it when it has changed, so
 * that a revoked key is refused at once and a new one is taken without a restart. While the file
 * cannot be read no key of it is taken. Thread-safe.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class KeyRing {
  /** How the key of the host is called in logs. */
  public static final String ADMIN_ID = "admin";

  private static final byte[] NOBODY = new byte[32];
  private static final int MIN_ADMIN_CHARS = 32;
  private static final int MAX_KEY_CHARS = 512;

  private final @Nullable KeyFile file;
  private final byte @Nullable [] admin;
  private final ReentrantLock loading = new ReentrantLock();
  private volatile Loaded loaded = Loaded.NONE;

  private KeyRing(@Nullable KeyFile file, byte @Nullable [] admin) {
    this.file = file;
    this.admin = admin;
  }

  /**
   * The keys of a file, which must be there.
   *
   * @throws ContextureException {@code not_found} or {@code invalid_config}
   */
  public static KeyRing of(KeyFile file) {
    KeyRing ring = new KeyRing(file, null);
    ring.current(file);
    file.read();
    return ring;
  }

  /**
   * The key of the host, which may do everything everywhere, and the keys of a file.
   *
   * @param adminKey as it stands in {@code CONTEXTURE_ADMIN_KEY}
   * @param file it may be missing, and come later; null: there is none
   * @throws ContextureException {@code invalid_config} if the key has another form, or the file is
   *     no key file
   */
  public static KeyRing withAdmin(String adminKey, @Nullable KeyFile file) {
    boolean printable = adminKey.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (adminKey.length() < MIN_ADMIN_CHARS || adminKey.length() > MAX_KEY_CHARS || !printable) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          "CONTEXTURE_ADMIN_KEY has "
              + adminKey.length()
              + " characters; allowed: "
              + MIN_ADMIN_CHARS
              + " to "
              + MAX_KEY_CHARS
              + " visible ASCII characters without spaces; make one: openssl rand -hex 32",
          Map.of("field", "CONTEXTURE_ADMIN_KEY"),
          null);
    }
    KeyRing ring = new KeyRing(file, KeyFile.sha256(adminKey));
    if (file != null) {
      ring.current(file);
    }
    return ring;
  }

  /**
   * A key that is taken.
   *
   * @param id names it in logs
   * @param grant what it allows
   */
  public record Found(String id, Grant grant) {}

  /**
   * What a presented key allows; empty if it is unknown or revoked.
   *
   * <p>Hashes are compared, in a time that does not depend on where they differ.
   *
   * @throws ContextureException {@code store_unavailable} if the file cannot be read
   */
  public Optional<Found> find(String presented) {
    if (presented.length() > MAX_KEY_CHARS) {
      return Optional.empty();
    }
    byte[] hash = KeyFile.sha256(presented);
    if (admin != null && MessageDigest.isEqual(hash, admin)) {
      return Optional.of(new Found(ADMIN_ID, Grant.ALL));
    }
    if (file == null) {
      return Optional.empty();
    }
    Known known = usable(file).get(KeyFile.idOf(presented));
    boolean same = MessageDigest.isEqual(hash, known == null ? NOBODY : known.hash());
    return known != null && same
        ? Optional.of(new Found(known.key().id(), known.key().grant()))
        : Optional.empty();
  }

  /**
   * Whether a key that was found is still taken, and allows the same. It is not while the file
   * cannot be read.
   */
  public boolean isLive(Found found) {
    if (found.id().equals(ADMIN_ID)) {
      return admin != null;
    }
    try {
      Known known = file == null ? null : current(file).get(found.id());
      return known != null && known.key().grant().equals(found.grant());
    } catch (ContextureException unreadable) {
      return false; // as for a new request, which is told why
    }
  }

  /** Whether the keys of the file are taken now; true if there is none. */
  public boolean isUsable() {
    try {
      return file == null || current(file) != null;
    } catch (ContextureException refused) {
      return false; // callers are told so
    }
  }

  private Map<String, Known> usable(KeyFile from) {
    try {
      return current(from);
    } catch (ContextureException damaged) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "the key file cannot be read now, so that no key of it is taken; mend it",
          Map.of(),
          damaged);
    }
  }

  private Map<String, Known> current(KeyFile from) {
    Loaded last = loaded;
    if (!last.stamp().equals(stamp(from))) {
      last = reload(from);
    }
    ContextureException damage = last.damage();
    if (damage != null) {
      throw damage;
    }
    return last.keys();
  }

  /** One thread reads a changed file; the others wait for what it found, be it damage. */
  private Loaded reload(KeyFile from) {
    loading.lock();
    try {
      Stamp now = stamp(from);
      if (!loaded.stamp().equals(now)) {
        loaded = load(from, now);
      }
      return loaded;
    } finally {
      loading.unlock();
    }
  }

  /** A failure to read is not kept: it may pass while the file stays the same. */
  private static Loaded load(KeyFile from, Stamp now) {
    try {
      return new Loaded(now, now.exists() ? live(from.read()) : Map.of(), null);
    } catch (ContextureException refused) {
      boolean passing =
          refused.getCause() instanceof IOException failed
              && !(failed instanceof CharacterCodingException);
      if (passing) {
        throw refused;
      }
      return new Loaded(now, Map.of(), refused);
    }
  }

  private static Map<String, Known> live(List<StoredKey> keys) {
    Map<String, Known> live = new HashMap<>();
    for (StoredKey key : keys) {
      if (!key.revoked()) {
        live.put(key.id(), new Known(key, java.util.HexFormat.of().parseHex(key.sha256())));
      }
    }
    return Map.copyOf(live);
  }

  /** By what a changed file is known: a new one takes its place, so that its key differs too. */
  private record Stamp(boolean exists, FileTime changed, long size, String file, String mode) {
    private static final Stamp MISSING = new Stamp(false, FileTime.fromMillis(0), 0, "", "");
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Known(StoredKey key, byte[] hash) {}

  private record Loaded(
      Stamp stamp, Map<String, Known> keys, @Nullable ContextureException damage) {
    private static final Loaded NONE = new Loaded(Stamp.MISSING, Map.of(), null);
  }

  private static Stamp stamp(KeyFile file) {
    try {
      BasicFileAttributes facts = Files.readAttributes(file.path(), BasicFileAttributes.class);
      return new Stamp(
          true,
          facts.lastModifiedTime(),
          facts.size(),
          String.valueOf(facts.fileKey()),
          file.mode());
    } catch (NoSuchFileException missing) {
      return Stamp.MISSING;
    } catch (IOException failed) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          file.path() + " cannot be read: " + failed,
          Map.of(),
          failed);
    }
  }
}
