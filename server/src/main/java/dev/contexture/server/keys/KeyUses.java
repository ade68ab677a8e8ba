package dev.contexture.server.keys;

import dev.contexture.block.Timestamps;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * The times when each key of a key file was last taken, to the second. A request only notes it in
 * memory; the file {@code KEYS.used} beside the key file is written now and then, and when the
 * server ends. So a server that is killed forgets the last minute, and no request costs a write.
 *
 * <p>Servers that share a key file keep the latest time of all of them, except where two write in
 * the same moment: what one noted is then missing until the key is used again. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KeyUses {
  private static final String SUFFIX = ".used";
  private static final int VERSION = 1;

  private final KeyFile keys;
  private final Map<String, Instant> noted = new ConcurrentHashMap<>();

  KeyUses(KeyFile keys) {
    this.keys = keys;
  }

  /** A key was taken. */
  void note(String id, Instant at) {
    Instant second = at.truncatedTo(ChronoUnit.SECONDS);
    if (!second.equals(noted.get(id))) {
      noted.merge(id, second, KeyUses::later);
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /**
   * The times of a key file, by the ids of its keys; those that were never taken are absent.
   *
   * @throws ContextureException {@code invalid_config} if the file beside it is damaged
   */
  public static Map<String, Instant> of(KeyFile keys) {
    Path file = file(keys);
    try {
      JsonObject times =
          JsonFields.of(
                  JsonValue.parse(Files.readString(file)), "file", Set.of("version", "last_used"))
              .object("last_used")
              .orElse(JsonObject.EMPTY);
      Map<String, Instant> uses = new TreeMap<>();
      times.members().forEach((id, at) -> uses.put(id, Timestamps.read(at, id)));
      return uses;
    } catch (NoSuchFileException none) {
      return Map.of();
    } catch (IOException | ContextureException damaged) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          file + " cannot be read; it only holds when keys were last used, and may be deleted",
          Map.of("field", "keys", "actual", file.toString()),
          damaged);
    }
  }

  private static Path file(KeyFile keys) {
    return keys.path().resolveSibling(keys.path().getFileName() + SUFFIX);
  }

  /**
   * Writes what was noted since the last time, if anything was. Keys that the file has no more are
   * forgotten.
   *
   * @param living the ids of the keys that there are
   * @throws IOException if the file cannot be written; what was noted is kept for the next time
   */
  synchronized void write(Set<String> living) throws IOException {
    Map<String, Instant> fresh = Map.copyOf(noted);
    if (fresh.isEmpty()) {
      return;
    }
    Map<String, Instant> all = new TreeMap<>(readable());
    fresh.forEach((id, at) -> all.merge(id, at, KeyUses::later));
    all.keySet().retainAll(living);
    JsonObject.Builder times = JsonObject.builder();
    all.forEach((id, at) -> times.put(id, new JsonString(at.toString())));
    JsonObject json =
        JsonObject.builder().put("version", VERSION).put("last_used", times.build()).build();
    KeyFile.replace(file(keys), json.toPrettyJson() + "\n");
    fresh.forEach(noted::remove); // unless it was used meanwhile
  }

  /** A file that cannot be read is rewritten: it holds nothing that cannot be noted again. */
  private Map<String, Instant> readable() {
    try {
      return of(keys);
    } catch (ContextureException damaged) {
      System.getLogger(KeyUses.class.getName())
          .log(
              System.Logger.Level.WARNING, "the times at which keys were used begin anew", damaged);
      return Map.of();
    }
  }
}
