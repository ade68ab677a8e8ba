package dev.contexture.engine.turn;

import dev.contexture.block.Binary;
import dev.contexture.block.BlockPath;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderOptions;
import dev.contexture.timeline.Artifact;
import dev.contexture.token.TokenMeter;
import dev.contexture.turn.PathRead;
import dev.contexture.turn.PathRead.Status;
import dev.contexture.turn.ResultPart;
import dev.contexture.view.ReadPolicy;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads paths for an agent. What they hold is found inside the session's lock; what it costs is
 * counted outside, since that takes time.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PathReader {
  private static final RenderOptions OPTIONS = RenderOptions.defaults();

  private final Session session;
  private final PathResolver resolving;
  private final TokenMeter meter = OPTIONS.meter();
  private final long maxTokens;
  private long capTokens; // of one path
  private long allowance; // of all paths that are still to be read

  /**
   * @param maxTokens the budget of the context, if neither the settings of the turn nor a render of
   *     it says less
   */
  public PathReader(Session session, long maxTokens) {
    this.session = session;
    this.maxTokens = maxTokens;
    this.resolving =
        new PathResolver(
            session.services().store(), session.scope(), () -> session.current().timeline());
  }

  public List<PathRead> read(List<PathRead.Wish> wishes) {
    List<Found> found = session.locked(() -> find(wishes));
    List<PathRead> reads = new ArrayList<>();
    for (Found one : found) {
      PathRead read = read(one);
      allowance = Math.max(0, allowance - read.tokens());
      reads.add(read);
    }
    return reads;
  }

  /**
   * The content of a path.
   *
   * @param artifact null: nothing
   * @param visible whether the context shows it already
   */
  private record Found(
      PathRead.Wish wish,
      @Nullable Artifact artifact,
      @Nullable String text,
      @Nullable Binary data,
      boolean visible) {
    long chars() {
      return text == null ? 0 : text.codePointCount(0, text.length());
    }
  }

  private List<Found> find(List<PathRead.Wish> wishes) {
    ReadAllowance allowed = ReadAllowance.of(session, maxTokens);
    capTokens = allowed.one();
    allowance = allowed.all();
    View view = session.seenView(OPTIONS);
    List<Found> found = new ArrayList<>();
    Set<BlockPath> whole = new HashSet<>();
    for (PathRead.Wish wish : wishes) {
      boolean again = !wish.ranged() && !whole.add(wish.path());
      found.add(find(wish, view, again));
    }
    return found;
  }

  private Found find(PathRead.Wish wish, View view, boolean again) {
    Artifact artifact = resolving.resolve(wish.path(), false).orElse(null);
    if (artifact == null) {
      return new Found(wish, null, null, null, false);
    }
    Binary data = artifact.data().filter(unused -> isShown(artifact)).orElse(null);
    String text = text(artifact);
    boolean visible =
        !wish.ranged()
            && (again || ReadPolicy.isVisible(view, wish.path(), artifact.mime(), text, data));
    return new Found(wish, artifact, text, data, visible);
  }

  private PathRead read(Found found) {
    BlockPath path = found.wish.path();
    Artifact artifact = found.artifact;
    if (artifact == null) {
      return new PathRead(path, Status.MISSING, 0, 0, null, null);
    }
    return found.visible
        ? new PathRead(path, Status.EXISTS, 0, found.chars(), null, null)
        : shown(found, artifact.mime());
  }

  /** Images and PDFs are shown; of other binaries only what is known about them. */
  private static boolean isShown(Artifact artifact) {
    return !artifact.kind().equals("binary");
  }

  private @Nullable String text(Artifact found) {
    BlockPath path = found.path();
    boolean ofCall =
        path.kind() == BlockPath.Kind.CALL
            || path.kind() == BlockPath.Kind.RESULT
            || path.kind() == BlockPath.Kind.NOTICE;
    if (ofCall) {
      List<String> texts = resolving.texts(path);
      return texts.isEmpty() ? null : String.join("\n\n", texts);
    }
    Optional<Binary> hidden = found.data().filter(unused -> !isShown(found));
    return found.text().or(() -> hidden.map(data -> about(found, data).toJson())).orElse(null);
  }

  private static JsonObject about(Artifact found, Binary data) {
    return JsonObject.builder()
        .put("path", found.path().text())
        .put("mime", found.mime())
        .put("size_bytes", data.sizeBytes())
        .put("sha256", data.sha256())
        .put("meta", found.meta())
        .build();
  }

  private PathRead shown(Found found, String mime) {
    PathRead.Wish wish = found.wish;
    String text = found.text;
    long chars = found.chars();
    long offset = Math.min(chars, wish.offset() == null ? 0 : wish.offset());
    long left = chars - offset;
    long wished = Math.min(left, wish.limit() == null ? left : wish.limit());
    String part = text == null ? null : part(text, offset, Math.min(wished, ReadPolicy.MAX_CHARS));
    long most = Math.min(capTokens, allowance);
    if (part != null && meter.texts(List.of(part)) > most) {
      part = withinTokens(part, most);
    }
    long given = part == null ? 0 : part.codePointCount(0, part.length());
    long end = offset + given;
    JsonObject meta =
        JsonObject.of(
            Artifact.COPY,
            JsonObject.builder()
                .put("offset", offset)
                .put("chars", given)
                .put("total_chars", chars)
                .build());
    return new PathRead(
        wish.path(),
        given < wished ? Status.TRUNCATED : Status.OK,
        cost(part, found.data, mime),
        chars,
        end < chars ? end : null,
        new ResultPart.Artifact(wish.path(), mime, part, found.data, meta));
  }

  private static String part(String text, long offset, long chars) {
    int from = text.offsetByCodePoints(0, Math.toIntExact(offset));
    return text.substring(from, text.offsetByCodePoints(from, Math.toIntExact(chars)));
  }

  /** The longest beginning that costs no more than is allowed, found by halving. */
  private String withinTokens(String text, long most) {
    int fits = 0;
    int tooMany = text.codePointCount(0, text.length());
    while (tooMany - fits > 1) {
      int middle = (fits + tooMany) >>> 1;
      if (meter.texts(List.of(part(text, 0, middle))) <= most) {
        fits = middle;
      } else {
        tooMany = middle;
      }
    }
    return part(text, 0, fits);
  }

  private long cost(@Nullable String text, @Nullable Binary data, String mime) {
    long tokens = text == null ? 0 : meter.texts(List.of(text));
    if (data == null) {
      return tokens;
    }
    return tokens + (mime.startsWith("image/") ? meter.image(data) : meter.document(data));
  }
}
