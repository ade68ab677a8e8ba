package dev.contexture.crdt;

import java.time.Instant;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A note on a commit: message, author and time. Immutable; it plays no part in merging.
 *
 * @param message what was done, empty if nothing is to be said
 * @param author who did it, as the caller writes it, empty if unknown
 * @param at when, kept in milliseconds
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CommitNote(String message, String author, @Nullable Instant at) {
  /** Says nothing and costs nothing. */
  public static final CommitNote NONE = new CommitNote("", "", null);

  public CommitNote {
    Objects.requireNonNull(message);
    Objects.requireNonNull(author);
    at = at == null ? null : Instant.ofEpochMilli(at.toEpochMilli());
  }

  public static CommitNote message(String message) {
    return new CommitNote(message, "", null);
  }

  public boolean isEmpty() {
    return message.isEmpty() && author.isEmpty() && at == null;
  }
}
