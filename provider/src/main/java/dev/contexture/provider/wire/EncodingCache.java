package dev.contexture.provider.wire;

import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The encodings of one request, for the next one. Immutable.
 *
 * <p>How it is searched: requests of a conversation mostly repeat the parts of the one before, in
 * order, and add some. So 1. a cursor walks along the remembered parts, and a hit at the cursor
 * costs one comparison; 2. after a change the next few are looked at; 3. if that fails and parts
 * are left, an index by identity is built, once, and the cursor goes on behind its hit. A result is
 * put together again for each render, so for it step 3 is left out and its content is looked up.
 * Only what the request used is remembered, so memory is bounded by one request.
 *
 * @param head what stands before the messages
 * @param parts in the order of the request
 * @param encodings of these parts
 * @param written the messages
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record EncodingCache(
    HeadEncodings head, List<Part> parts, List<EncodedPart> encodings, PreviousBody written) {
  public static final EncodingCache EMPTY =
      new EncodingCache(HeadEncodings.EMPTY, List.of(), List.of(), PreviousBody.NOTHING);
  private static final int LOOK_AHEAD = 8;

  /** Starts the next request. */
  public Search search() {
    return new Search(this);
  }

  /** Finds encodings for one request and collects them for the next. Confined to one thread. */
  public static final class Search {
    private final EncodingCache before;
    private final List<Part> parts;
    private final List<EncodedPart> encodings;
    private int cursor;
    private @Nullable IdentityHashMap<Part, Integer> index;

    private Search(EncodingCache before) {
      this.before = before;
      parts = new ArrayList<>(before.parts.size() + LOOK_AHEAD);
      encodings = new ArrayList<>(before.parts.size() + LOOK_AHEAD);
    }

    /** The part's encoding, remembered or made. */
    public EncodedPart get(Part part, Function<Part, EncodedPart> encoder) {
      int place = place(part);
      EncodedPart encoded;
      if (place >= 0) {
        cursor = place + 1;
        encoded = before.encodings.get(place);
      } else {
        encoded = encoder.apply(part);
      }
      parts.add(part);
      encodings.add(encoded);
      return encoded;
    }

    /** How many parts were looked up. */
    public int size() {
      return parts.size();
    }

    /** Begins with the first parts of the request before. */
    public void begin(int count) {
      parts.addAll(before.parts.subList(0, count));
      encodings.addAll(before.encodings.subList(0, count));
      cursor = count;
    }

    /** What this request used. */
    public EncodingCache memory(HeadEncodings head, PreviousBody written) {
      return new EncodingCache(head, parts, encodings, written);
    }

    private int place(Part part) {
      int size = before.parts.size();
      for (int i = cursor; i < Math.min(size, cursor + LOOK_AHEAD); i++) {
        if (isSame(before.parts.get(i), part)) {
          return i;
        }
      }
      return cursor + LOOK_AHEAD >= size || part instanceof Part.ToolResult
          ? -1
          : index().getOrDefault(part, -1);
    }

    private IdentityHashMap<Part, Integer> index() {
      IdentityHashMap<Part, Integer> places = index;
      if (places == null) {
        places = new IdentityHashMap<>();
        for (int i = 0; i < before.parts.size(); i++) {
          places.put(before.parts.get(i), i);
        }
        index = places;
      }
      return places;
    }

    @SuppressWarnings("ReferenceEquality") // parts do not change, and comparing texts costs time
    private static boolean isSame(Part one, Part other) {
      return one == other;
    }
  }
}
