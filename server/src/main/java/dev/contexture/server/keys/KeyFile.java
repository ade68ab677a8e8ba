package dev.contexture.server.keys;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * The file that holds the keys of a server, as hashes: {@code {"version":1,"keys":[…]}}.
 *
 * <p>A key is {@code cx_ID_SECRET}; the secret has 256 random bits. Nobody can try that many, so
 * one SHA-256 is as good as a slow hash, and does not make every request slow. A change writes a
 * new file and moves it into its place, so that a reader sees the old one or the new one; only its
 * owner may read it. Writers wait for each other by a lock on a file beside it. Thread-safe.
 *
 * @param path where it is
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record KeyFile(Path path) {
  /** The most keys in one file, revoked ones included. */
  public static final int MAX_KEYS = 10_000;

  private static final int VERSION = 1;
  private static final long MAX_BYTES = 8 << 20;
  private static final int ID_BYTES = 8;
  private static final int SECRET_BYTES = 32;
  private static final String PREFIX = "cx_";
  private static final int GROUP_WRITES = 4; // places in a mode such as rw-rw-rw-
  private static final int OTHERS_WRITE = 7;
  private static final int ID_END = PREFIX.length() + 2 * ID_BYTES;

  /**
   * A new key.
   *
   * @param key the key itself, which nothing keeps
   * @param stored what the file keeps
   */
  public record Made(String key, StoredKey stored) {
    /** Without the key, so that it gets into no log. */
    @Override
    public String toString() {
      return "Made[" + stored.id() + "]";
    }
  }

  /**
   * Reads all keys, oldest first.
   *
   * @throws ContextureException {@code not_found} if there is no file, {@code invalid_config} if it
   *     is no key file, or others than its owner may write it
   */
  public List<StoredKey> read() {
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw unreadable("it has more than " + MAX_BYTES + " bytes", null);
      }
      checkWriters();
      return parse(Files.readString(path));
    } catch (NoSuchFileException missing) {
      throw new ContextureException(
          ErrorCode.NOT_FOUND,
          "there is no key file "
              + path
              + "; make a key: contexture keys add --keys "
              + path
              + " --tenant T --project P --role admin",
          Map.of("field", "keys", "actual", path.toString()),
          missing);
    } catch (IOException failed) {
      throw unreadable(failed.toString(), failed);
    }
  }

  /** Whoever may write the file may give himself a key. */
  private void checkWriters() throws IOException {
    String mode = mode();
    boolean others =
        !mode.isEmpty() && (mode.charAt(GROUP_WRITES) == 'w' || mode.charAt(OTHERS_WRITE) == 'w');
    if (others) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          path
              + " is no safe key file: others than its owner may write it ("
              + mode
              + "); forbid it: chmod 600 "
              + path,
          Map.of("field", "keys", "actual", path.toString()),
          null);
    }
  }

  /** Who may do what with the file, as {@code rw-------}; empty where there are no modes. */
  String mode() throws IOException {
    return hasModes() ? PosixFilePermissions.toString(Files.getPosixFilePermissions(path)) : "";
  }

  private List<StoredKey> parse(String text) {
    try {
      JsonFields fields = JsonFields.of(JsonValue.parse(text), "file", Set.of("version", "keys"));
      if (fields.number("version").orElse(0) != VERSION) {
        throw unreadable("its version is not " + VERSION, null);
      }
      List<StoredKey> keys = fields.objects("keys").stream().map(StoredKey::read).toList();
      Set<String> ids = new HashSet<>();
      for (StoredKey key : keys) {
        if (!ids.add(key.id())) {
          throw unreadable("it has the id " + key.id() + " twice", null);
        }
      }
      return keys;
    } catch (ContextureException refused) {
      throw unreadable(String.valueOf(refused.getMessage()), refused);
    }
  }

  private ContextureException unreadable(
      String why, @org.jspecify.annotations.Nullable Exception cause) {
    return new ContextureException(
        ErrorCode.INVALID_CONFIG,
        path + " is no readable key file: " + why,
        Map.of("field", "keys", "actual", path.toString()),
        cause);
  }

  /** The same without a name, for ever. */
  public Made add(Grant grant, RandomGenerator random, Instant now) {
    return add(grant, KeyTerms.NONE, random, now);
  }

  /**
   * Makes a key and adds it; the file is made if it is missing.
   *
   * @param random where the secret comes from: one that nobody can guess
   * @throws ContextureException {@code limit_exceeded} or {@code invalid_config}; {@code
   *     invalid_argument} if its time is over already
   */
  public Made add(Grant grant, KeyTerms terms, RandomGenerator random, Instant now) {
    Instant end = terms.expiresAt();
    if (end != null && !end.isAfter(now)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "expires", end, "a time after now, " + now);
    }
    byte[] id = new byte[ID_BYTES];
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(id);
    random.nextBytes(secret);
    String key =
        PREFIX
            + HexFormat.of().formatHex(id)
            + "_"
            + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    StoredKey stored =
        new StoredKey(HexFormat.of().formatHex(id), hex(sha256(key)), grant, now, null, terms);
    change(
        keys -> {
          if (keys.size() >= MAX_KEYS) {
            throw ContextureException.limit(
                ErrorCode.LIMIT_EXCEEDED, "keys", MAX_KEYS, keys.size() + 1L, "keys");
          }
          List<StoredKey> more = new ArrayList<>(keys);
          more.add(stored);
          return more;
        });
    return new Made(key, stored);
  }

  /**
   * Revokes a key: it stays in the list, and is not taken any more. Again: nothing changes.
   *
   * @throws ContextureException {@code not_found} if there is none of this id
   */
  public StoredKey revoke(String id, Instant now) {
    List<StoredKey> changed =
        change(
            keys ->
                keys.stream()
                    .map(key -> key.id().equals(id) && !key.revoked() ? key.revoked(now) : key)
                    .toList());
    return named(changed, id);
  }

  /**
   * Removes a key from the file, revoked or not: it is refused from then on, and in no list.
   *
   * @return what was removed
   * @throws ContextureException {@code not_found} if there is none of this id
   */
  public StoredKey remove(String id) {
    List<StoredKey> removed = new ArrayList<>();
    change(
        keys -> {
          removed.add(named(keys, id));
          return keys.stream().filter(key -> !key.id().equals(id)).toList();
        });
    return removed.getLast();
  }

  private static StoredKey named(List<StoredKey> keys, String id) {
    return keys.stream()
        .filter(key -> key.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.NOT_FOUND, "id", id, "the id of a key: contexture keys list"));
  }

  private List<StoredKey> change(UnaryOperator<List<StoredKey>> change) {
    Path lock = path.resolveSibling(path.getFileName() + ".lock");
    synchronized (KeyFile.class) { // a file lock holds for the whole process
      try (FileChannel channel = open(lock);
          FileLock held = channel.lock()) {
        List<StoredKey> before = held.isValid() && Files.exists(path) ? read() : List.of();
        List<StoredKey> after = change.apply(before);
        if (!after.equals(before)) {
          write(after);
        }
        return after;
      } catch (IOException failed) {
        throw new ContextureException(
            ErrorCode.STORE_UNAVAILABLE,
            path + " cannot be written: " + failed,
            Map.of("field", "keys", "actual", path.toString()),
            failed);
      }
    }
  }

  private static FileChannel open(Path lock) throws IOException {
    return FileChannel.open(
        lock, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), ownerOnly());
  }

  private void write(List<StoredKey> keys) throws IOException {
    JsonObject json =
        JsonObject.builder()
            .put("version", VERSION)
            .put("keys", new JsonArray(List.copyOf(keys.stream().map(StoredKey::write).toList())))
            .build();
    replace(path, json.toPrettyJson() + "\n");
  }

  /** Puts a text in the place of a file that only its owner may read, as a whole or not at all. */
  static void replace(Path path, String text) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    Path fresh = Files.createTempFile(folder, ".keys", ".tmp", ownerOnly());
    try {
      try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Mode 600, where the file system knows modes. */
  private static FileAttribute<?>[] ownerOnly() {
    return hasModes()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean hasModes() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  /** The id in a key; empty if it has not the form of one. */
  static String idOf(String key) {
    boolean formed =
        key.startsWith(PREFIX) && key.length() > ID_END + 1 && key.charAt(ID_END) == '_';
    return formed ? key.substring(PREFIX.length(), ID_END) : "";
  }

  static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
