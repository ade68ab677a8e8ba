package dev.contexture.engine.turn;

import dev.contexture.block.BlockPath;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.Precondition;
import dev.contexture.store.WriteSet;
import java.time.Instant;
import java.util.Optional;

/** Starts and ends the commits that change how a path is shown. */
final class PathCommits {
  private PathCommits() {}

  /** A write set on the version that is known, with the note of what is done. */
  static WriteSet.Builder start(Session session, Instant now, BlockPath path, String what) {
    return WriteSet.of(session.scope(), now)
        .expect(new Precondition.VersionIs(session.current().version()))
        .note(
            JsonObject.builder()
                .put("type", "visibility")
                .put("operation", what)
                .put("path", path.text())
                .build());
  }

  /** The result, or nothing if others wrote in between, so that it has to be tried again. */
  static <T> Optional<T> unlessOvertaken(Session session, Commit commit, T result) {
    if (Session.isOvertaken(commit)) {
      return Optional.empty();
    }
    if (commit instanceof Commit.Conflict conflict) {
      throw session.conflict(conflict);
    }
    return Optional.of(result);
  }
}
