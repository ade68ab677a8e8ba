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
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Knows keys again. It looks at its file with every request and reads it when it has changed, so
 * that a revoked key is refused at once and a new one is taken without a restart. While the file
 * cannot be read no key of it is taken. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KeyRing {
  /** How the key of the host is called in logs. */
  public static final String ADMIN_ID = "admin";

  private static final byte[] NOBODY = new byte[32];
  private static final int MIN_ADMIN_CHARS = 32;
  private static final int MAX_KEY_CHARS = 512;

  private final @Nullable KeyFile file;
  private final byte @Nullable [] admin;
  private final InstantSource clock;
  private final @Nullable KeyUses uses;
  private volatile Consumer<KeyChange> changes = change -> {};
  private final ReentrantLock loading = new ReentrantLock();
  private volatile Loaded loaded = Loaded.NONE;
  private @Nullable Map<String, StoredKey> whole; // as last told of; only under the lock

  private KeyRing(@Nullable KeyFile file, byte @Nullable [] admin, InstantSource clock) {
    this.file = file;
    this.admin = admin;
    this.clock = clock;
    this.uses = file == null ? null : new KeyUses(file);
  }

  /**
   * The keys of a file, which must be there.
   *
   * @throws ContextureException {@code not_found} or {@code invalid_config}
   */
  public static KeyRing of(KeyFile file) {
    return of(file, InstantSource.system());
  }

  /** The same by another clock. */
  public static KeyRing of(KeyFile file, InstantSource clock) {
    KeyRing ring = new KeyRing(file, null, clock);
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
    KeyRing ring = new KeyRing(file, KeyFile.sha256(adminKey), InstantSource.system());
    if (file != null) {
      ring.current(file);
      ring.whole = ring.loaded.all(); // none, where the file comes later
    }
    return ring;
  }

  /**
   * A key that is taken.
   *
   * @param id names it in logs
   * @param grant what it allows
   * @param name what people call it; null: it has no name
   */
  public record Found(String id, Grant grant, @Nullable String name) {
    public Found(String id, Grant grant) {
      this(id, grant, null);
    }
  }

  /**
   * What a presented key allows; empty if it is unknown or revoked.
   *
   * <p>Hashes are compared, in a time that does not depend on where they differ.
   *
   * @throws ContextureException {@code store_unavailable} if the file cannot be read; {@code
   *     key_expired} if the key was right once and its time is over
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
    return known != null && same ? Optional.of(taken(known.key())) : Optional.empty();
  }

  private Found taken(StoredKey key) {
    Instant now = clock.instant();
    if (key.expired(now)) {
      throw new ContextureException(
          ErrorCode.KEY_EXPIRED,
          "the key "
              + key.id()
              + " expired at "
              + key.terms().expiresAt()
              + "; ask for another one, or make one: contexture keys add",
          Map.of("field", "Authorization", "expired_at", String.valueOf(key.terms().expiresAt())),
          null);
    }
    if (uses != null) {
      uses.note(key.id(), now);
    }
    return new Found(key.id(), key.grant(), key.terms().name());
  }

  /**
   * Writes when keys were last taken, if any was since the last time: {@link KeyUses}.
   *
   * @throws IOException if that cannot be written; it is tried again the next time
   */
  public void writeUses() throws IOException {
    if (file != null && uses != null && isUsable()) {
      Set<String> living = new HashSet<>();
      current(file).values().forEach(known -> living.add(known.key().id()));
      uses.write(living);
    }
  }

  /** Says who is told of keys that others add, revoke, remove or change in the file. */
  public void whenChanged(Consumer<KeyChange> told) {
    changes = told;
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
      return known != null
          && known.key().grant().equals(found.grant())
          && !known.key().expired(clock.instant());
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
        tell(loaded);
      }
      return loaded;
    } finally {
      loading.unlock();
    }
  }

  /** What is damaged tells nothing: what it is compared with stays the last one that was whole. */
  private void tell(Loaded after) {
    if (after.damage() != null) {
      return;
    }
    Map<String, StoredKey> known = whole;
    whole = after.all();
    if (known != null) {
      KeyChange.between(known, after.all()).forEach(changes);
    }
  }

  /** A failure to read is not kept: it may pass while the file stays the same. */
  private static Loaded load(KeyFile from, Stamp now) {
    try {
      List<StoredKey> keys = now.exists() ? from.read() : List.of();
      Map<String, StoredKey> all = new HashMap<>();
      keys.forEach(key -> all.put(key.id(), key));
      return new Loaded(now, live(keys), Map.copyOf(all), null);
    } catch (ContextureException refused) {
      boolean passing =
          refused.getCause() instanceof IOException failed
              && !(failed instanceof CharacterCodingException);
      if (passing) {
        throw refused;
      }
      return new Loaded(now, Map.of(), Map.of(), refused);
    }
  }

  private static Map<String, Known> live(List<StoredKey> keys) {
    Map<String, Known> live = new HashMap<>();
    for (StoredKey key : keys) {
      if (!key.revoked()) {
        live.put(key.id(), new Known(key, HexFormat.of().parseHex(key.sha256())));
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
      Stamp stamp,
      Map<String, Known> keys,
      Map<String, StoredKey> all,
      @Nullable ContextureException damage) {
    private static final Loaded NONE = new Loaded(Stamp.MISSING, Map.of(), Map.of(), null);
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
