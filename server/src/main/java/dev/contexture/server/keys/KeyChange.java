package dev.contexture.server.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A key that a key file has since it was looked at last, has no more, or has otherwise.
 *
 * @param kind what happened to it
 * @param key as it is now; as it was, if it was removed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record KeyChange(Kind kind, StoredKey key) {
  /** The kind of a change to a key. */
  public enum Kind {
    ADDED,
    CHANGED,
    REVOKED,
    REMOVED;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What differs between two states of a file, by the ids of the keys. */
  static List<KeyChange> between(Map<String, StoredKey> before, Map<String, StoredKey> after) {
    TreeSet<String> ids = new TreeSet<>(before.keySet());
    ids.addAll(after.keySet());
    List<KeyChange> changes = new ArrayList<>();
    for (String id : ids) {
      StoredKey old = before.get(id);
      StoredKey now = after.get(id);
      if (now == null) {
        if (old != null) {
          changes.add(new KeyChange(Kind.REMOVED, old));
        }
      } else if (!now.equals(old)) {
        changes.add(new KeyChange(kind(old, now), now));
      }
    }
    return changes;
  }

  private static Kind kind(@Nullable StoredKey old, StoredKey now) {
    if (old == null) {
      return Kind.ADDED;
    }
    return now.revoked() && !old.revoked() ? Kind.REVOKED : Kind.CHANGED;
  }
}
