package dev.contexture.engine.turn;

import dev.contexture.block.BlockPath;
import dev.contexture.block.Limits;
import dev.contexture.engine.session.PinLoader;
import dev.contexture.engine.session.Session;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.PinRow;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Pin;
import dev.contexture.timeline.Timeline;
import dev.contexture.turn.PinnedPath;
import dev.contexture.view.Emitter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** Pins paths of a conversation and lets them go. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.2")
public final class PinEditor {
  private final Session session;

  public PinEditor(Session session) {
    this.session = session;
  }

  /** In the order in which they were pinned. */
  public List<PinnedPath> pins() {
    Timeline timeline = session.current().timeline();
    return timeline.pins().all().stream()
        .filter(pin -> !timeline.isExcluded(pin.turn()))
        .map(this::described)
        .toList();
  }

  private PinnedPath described(Pin pin) {
    Emitter emitter = session.renderer().emitter(RenderOptions.defaults());
    return new PinnedPath(pin.path(), emitter.own(pin.shown(), null).cost(), pin.at());
  }

  /**
   * Pins a path; one that is pinned stays as it is.
   *
   * @param maxTokens the budget of which all pins together may take a quarter
   */
  public PinnedPath pin(BlockPath path, long maxTokens) {
    check(path);
    return session.untilDone(
        () -> {
          Timeline timeline = session.current().timeline();
          Optional<PinnedPath> known =
              pins().stream().filter(pin -> pin.path().equals(path)).findFirst();
          return known.isPresent() ? known : add(path, timeline.nextSeq(), maxTokens);
        });
  }

  private static void check(BlockPath path) {
    if (path.turn().isEmpty() || path.kind() == BlockPath.Kind.SUMMARY) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "path",
          path,
          "the path of a block; sources and summaries stay by themselves");
    }
  }

  private Optional<PinnedPath> add(BlockPath path, long asOf, long maxTokens) {
    Instant now = session.services().now();
    PinRow row = new PinRow(path, now, asOf);
    Pin pin =
        new PinLoader(session.services().store(), session.scope())
            .load(row)
            .orElseThrow(
                () ->
                    ContextureException.invalid(
                        ErrorCode.NOT_FOUND, "path", path, "a path of the conversation with text"));
    PinnedPath described = described(pin);
    List<PinnedPath> known = pins();
    if (known.size() >= Limits.MAX_PINS) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED, "pins", Limits.MAX_PINS, known.size() + 1L, "pins");
    }
    long tokens = known.stream().mapToLong(PinnedPath::tokens).sum() + described.tokens();
    if (tokens > maxTokens / 4) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED,
          "pins",
          maxTokens / 4,
          tokens,
          "tokens, a quarter of max_tokens; remove a pin, or raise max_tokens");
    }
    WriteSet set = PathCommits.start(session, now, path, "pin").add(new Row.PutPin(row)).build();
    return PathCommits.unlessOvertaken(
        session,
        session.commit(set, before -> before.withPins(before.pins().with(pin))),
        described);
  }

  /** Lets a path go; whether it was pinned. */
  public boolean unpin(BlockPath path) {
    return session.untilDone(
        () -> {
          if (pins().stream().noneMatch(pin -> pin.path().equals(path))) {
            return Optional.of(false);
          }
          WriteSet set =
              PathCommits.start(session, session.services().now(), path, "unpin")
                  .add(new Row.DropPin(path))
                  .build();
          return PathCommits.unlessOvertaken(
              session,
              session.commit(set, before -> before.withPins(before.pins().without(path))),
              true);
        });
  }
}
