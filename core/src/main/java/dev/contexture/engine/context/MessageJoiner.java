package dev.contexture.engine.context;

import dev.contexture.engine.conversation.RenderResult;
import dev.contexture.render.Message;
import dev.contexture.render.RenderedContext;
import dev.contexture.request.AssembledContext;
import dev.contexture.request.ContextMetadata;
import dev.contexture.request.FittedMessages;
import dev.contexture.request.Omission;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.Providers;
import dev.contexture.view.CachePoint;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Joins the conversation with everything else of a request. Used once, by one thread. */
final class MessageJoiner {
  private final PromptParts composed;
  private final @Nullable RenderedContext context;
  private final ResolvedTools tools;
  private final List<Message> messages;
  private final List<String> tail; // behind what was rendered
  private final int renderedTail; // parts
  private final List<Omission> dropped = new ArrayList<>();
  private @Nullable List<Integer> moved; // by message: where it is now, or -1

  MessageJoiner(
      PromptParts composed,
      @Nullable RenderResult rendered,
      ResolvedTools tools,
      Providers.@Nullable Target target) {
    this.composed = composed;
    this.context = rendered == null ? null : rendered.context();
    this.tools = tools;
    BoundTail said = BoundTail.of(context);
    List<Message> rest = context == null ? List.of() : context.messages();
    List<Message> given = withoutRepeated(rest, context == null ? 0 : context.tailParts(), said);
    this.tail = said.left(composed.tail());
    int shown = context == null ? 0 : context.tailParts();
    this.renderedTail = shown == 0 ? 0 : shown - (parts(rest) - parts(given));
    this.messages =
        target == null
            ? given
            : target.format().fit(target.model(), given).map(f -> fitted(given, f)).orElse(given);
  }

  /** The end of the conversation without what it says already. */
  private static List<Message> withoutRepeated(List<Message> all, int parts, BoundTail said) {
    if (parts == 0 || said.said().isEmpty()) {
      return all;
    }
    List<Part> last = all.getLast().parts();
    int from = last.size() - parts;
    List<Part> kept = new ArrayList<>(last.subList(0, from));
    last.subList(from, last.size()).stream().filter(part -> !said.says(part)).forEach(kept::add);
    List<Message> left = new ArrayList<>(all.subList(0, all.size() - 1));
    if (!kept.isEmpty()) {
      left.add(new Message(all.getLast().role(), kept));
    }
    return left;
  }

  private static int parts(List<Message> messages) {
    return messages.isEmpty() ? 0 : messages.getLast().parts().size();
  }

  private List<Message> fitted(List<Message> given, FittedMessages fitted) {
    moved = fitted.places();
    for (int i = 0; i < given.size(); i++) {
      if (fitted.places().get(i) < 0) {
        dropped.add(
            new Omission(
                "message", String.valueOf(i), Omission.Reason.EMPTY_MESSAGE, "it says nothing"));
      }
    }
    return fitted.messages();
  }

  AssembledContext assembled(ContextMetadata metadata) {
    long atTheEnd = composed.epoch() == null ? 0 : composed.tokens().activity();
    long before = composed.tokens().parts() - atTheEnd + tools.tokens();
    return new AssembledContext(
        composed.system(),
        before,
        tools.specs(),
        withTail(),
        points(before),
        renderedTail + tail.size(),
        context,
        metadata.withDropped(dropped),
        composed.memory(),
        moved == null ? List.of() : moved);
  }

  /** The messages, and behind them, as the user's, what the next request will not repeat. */
  private List<Message> withTail() {
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

  private List<PointPlace> points(long before) {
    List<PointPlace> points = new ArrayList<>();
    if (context == null) {
      return points;
    }
    for (var place : context.points()) {
      int message = moved == null ? place.message() : moved.get(place.message());
      if (message >= 0) {
        long tokens = before + place.point().tokens();
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
}
