package dev.contexture.provider.rules;

import dev.contexture.render.Message;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.view.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says of the blocks of a request that was repaired which part of the given messages they were made
 * from: repairs put parts in, take some out and join messages.
 *
 * <p>1. A part that is the same object stands where it was given; of one that was given several
 * times, in order. 2. A call or result that was made again is the next one with its id. 3. What was
 * put in belongs to the next part of its message that was given, else to the one before it.
 */
final class GivenPlaces {
  private final IdentityHashMap<Part, Deque<Place>> same = new IdentityHashMap<>();
  private final Map<Object, Deque<Place>> byId = new HashMap<>();

  /** A part of a message. */
  private record Place(int message, int part) {}

  /** A call, or a result, of an id. */
  private record Id(Class<?> kind, Object id) {}

  private GivenPlaces(List<Message> given) {
    for (int i = 0; i < given.size(); i++) {
      List<Part> parts = given.get(i).parts();
      for (int j = 0; j < parts.size(); j++) {
        Place place = new Place(i, j);
        same.computeIfAbsent(parts.get(j), unused -> new ArrayDeque<>()).add(place);
        Id id = id(parts.get(j));
        if (id != null) {
          byId.computeIfAbsent(id, unused -> new ArrayDeque<>()).add(place);
        }
      }
    }
  }

  static ProviderRequest restored(
      ProviderRequest request, List<Message> given, List<Message> sent) {
    return new GivenPlaces(given).restored(request, sent);
  }

  private ProviderRequest restored(ProviderRequest request, List<Message> sent) {
    List<List<Place>> places = new ArrayList<>();
    Place last = new Place(0, 0);
    for (Message message : sent) {
      List<Place> ofMessage = places(message.parts(), last);
      places.add(ofMessage);
      last = ofMessage.isEmpty() ? last : ofMessage.getLast();
    }
    List<RequestBlock> blocks = new ArrayList<>(request.blocks().size());
    for (RequestBlock block : request.blocks()) {
      blocks.add(
          block.message() < 0 ? block : at(block, places.get(block.message()).get(block.part())));
    }
    return request.withBlocks(blocks);
  }

  private List<Place> places(List<Part> parts, Place before) {
    List<@Nullable Place> found = new ArrayList<>();
    parts.forEach(part -> found.add(place(part)));
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      Place place = found.get(i);
      for (int next = i + 1; place == null && next < found.size(); next++) {
        place = found.get(next);
      }
      places.add(place != null ? place : places.isEmpty() ? before : places.getLast());
    }
    return places;
  }

  private @Nullable Place place(Part part) {
    Deque<Place> given = same.get(part);
    Id id = id(part);
    Deque<Place> known = id == null ? null : byId.get(id);
    if (given != null && !given.isEmpty()) {
      Place place = given.removeFirst();
      if (known != null && known.size() > 1) {
        known.remove(place);
      }
      return place;
    }
    if (known == null) {
      return null;
    }
    return known.size() > 1 ? known.removeFirst() : known.getFirst();
  }

  private static @Nullable Id id(Part part) {
    return switch (part) {
      case Part.ToolCall call -> new Id(Part.ToolCall.class, call.id());
      case Part.ToolResult result -> new Id(Part.ToolResult.class, result.id());
      case Part.Text _unused -> null;
      case Part.Image _unused -> null;
      case Part.Document _unused -> null;
      case Part.Opaque _unused -> null;
    };
  }

  private static RequestBlock at(RequestBlock block, Place place) {
    return new RequestBlock(
        block.tier(),
        block.kind(),
        block.role(),
        block.fingerprint(),
        place.message,
        place.part,
        block.span(),
        block.volatileTail(),
        block.opaque(),
        block.ttl());
  }
}
