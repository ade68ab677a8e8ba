package dev.contexture.engine.request;

import dev.contexture.prompt.Omission;
import dev.contexture.prompt.SystemPart;
import dev.contexture.render.Message;
import dev.contexture.render.RenderedContext;
import dev.contexture.request.FittedMessages;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.Providers;
import dev.contexture.view.CachePoint;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts everything in its place: system parts first, then the conversation, then what the next
 * request will not repeat.
 */
final class ComposeStep implements RequestStep {
  @Override
  public void run(RequestState state) {
    RenderedContext context = state.rendered == null ? null : state.rendered.context();
    List<Message> given = context == null ? List.of() : context.messages();
    state.system = system(state);
    state.systemTokens = state.costs.parts() + state.toolTokens;
    state.messages = withTail(forModel(state, given), state.tail);
    state.points = points(state, context);
    state.volatileParts = (context == null ? 0 : context.tailParts()) + state.tail.size();
    state.shownMemory = shownMemory(state);
  }

  /** In an epoch, activity stands behind the conversation. */
  private static List<SystemPart> system(RequestState state) {
    List<SystemPart> parts = new ArrayList<>();
    EpochStep.instructions(state).forEach(text -> add(parts, text, true));
    add(parts, state.shown().core(), true);
    add(parts, state.shown().working(), true);
    boolean changes = state.epoch == null && !state.activity.isEmpty();
    if (changes) {
      add(parts, state.activity, false);
    }
    add(parts, EpochStep.rules(state), !changes);
    return List.copyOf(parts);
  }

  private static void add(List<SystemPart> parts, String text, boolean stays) {
    if (!text.isBlank()) {
      parts.add(new SystemPart(text, stays));
    }
  }

  /** The messages in the order that the format wants, and where each of them is then. */
  private static List<Message> forModel(RequestState state, List<Message> given) {
    Providers.Target target = state.options.target;
    FittedMessages fitted =
        target == null ? null : target.format().fit(target.model(), given).orElse(null);
    if (fitted == null) {
      return given;
    }
    state.places = List.copyOf(fitted.places());
    for (int i = 0; i < given.size(); i++) {
      if (fitted.places().get(i) < 0) {
        state.emptyMessages.add(
            new Omission(
                "message", String.valueOf(i), Omission.Reason.EMPTY_MESSAGE, "it says nothing"));
      }
    }
    return fitted.messages();
  }

  /** The messages, and behind them, as the user's, what the next request will not repeat. */
  private static List<Message> withTail(List<Message> messages, List<String> tail) {
    if (tail.isEmpty()) {
      return messages;
    }
    List<Part> end = tail.stream().map(text -> (Part) new Part.Text(text)).toList();
    List<Message> all = new ArrayList<>(messages);
    if (!all.isEmpty() && all.getLast().role() == MessageRole.USER) {
      List<Part> parts = new ArrayList<>(all.removeLast().parts());
      parts.addAll(end);
      all.add(new Message(MessageRole.USER, parts));
    } else {
      all.add(new Message(MessageRole.USER, end));
    }
    return all;
  }

  private static List<PointPlace> points(RequestState state, @Nullable RenderedContext context) {
    List<PointPlace> points = new ArrayList<>();
    if (context == null) {
      return points;
    }
    for (var place : context.points()) {
      int message = state.places.isEmpty() ? place.message() : state.places.get(place.message());
      if (message >= 0) {
        long tokens = state.systemTokens + place.point().tokens();
        points.add(new PointPlace(point(place.point().kind()), message, place.part(), tokens));
      }
    }
    return points;
  }

  private static Point point(CachePoint.Kind kind) {
    return switch (kind) {
      case PREV_TURN -> Point.PREV_TURN;
      case PRE_TAIL -> Point.PRE_TAIL;
      case TAIL -> Point.TAIL;
    };
  }

  /**
   * Ids of the blocks that it shows, or whose name the activity may tell. What an update names as
   * no longer shown is shown by the epoch.
   */
  private static Set<String> shownMemory(RequestState state) {
    Set<String> memory = new HashSet<>(state.shown().shownIds());
    memory.addAll(state.update.ids());
    state.reach.forEach(
        (id, label) -> {
          if (state.activity.contains(label)) {
            memory.add(id);
          }
        });
    return Set.copyOf(memory);
  }
}
