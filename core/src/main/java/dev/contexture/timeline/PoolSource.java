package dev.contexture.timeline;

import dev.contexture.block.BlockPath;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One row of the sources pool. Immutable.
 *
 * @param sid its number in the conversation; 0 while it has none
 * @param fields title, url, text, mime, physical_path, published_at, relevance, and whatever else
 *     came with it
 */
@API(status = API.Status.STABLE, since = "0.1")
public record PoolSource(long sid, JsonObject fields) {
  private static final List<String> TEXTS =
      List.of("title", "url", "text", "mime", "physical_path", "published_at");

  public PoolSource {
    fields = SendableText.of(fields);
    if (sid < 0) {
      throw ContextureException.invalid(ErrorCode.FIELD_TYPE, "sid", sid, "a number from 1");
    }
    for (String name : TEXTS) {
      JsonValue value = fields.find(name).orElse(JsonNull.NULL);
      if (!(value instanceof JsonString) && value != JsonNull.NULL) {
        throw ContextureException.invalid(ErrorCode.FIELD_TYPE, name, value.toJson(), "a string");
      }
    }
  }

  /** Reads a row of the wire form; {@code sid} may be missing. */
  public static PoolSource read(JsonObject row) {
    JsonValue sid = row.find("sid").orElse(JsonNull.NULL);
    if (sid == JsonNull.NULL) {
      return new PoolSource(0, row.without("sid"));
    }
    long number = sid instanceof JsonNumber value ? value.asLong().orElse(0) : 0;
    if (number < 1) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_TYPE, "sid", sid.toJson(), "a whole number from 1");
    }
    return new PoolSource(number, row.without("sid"));
  }

  /** The wire form, its number first. */
  public JsonObject write() {
    return JsonObject.builder().put("sid", sid).putAll(fields).build();
  }

  public String title() {
    return fields.string("title").orElse("");
  }

  public String text() {
    return fields.string("text").orElse("");
  }

  public Optional<String> mime() {
    return fields.string("mime").filter(mime -> !mime.isBlank());
  }

  public Optional<String> url() {
    return fields.string("url").filter(url -> !url.isBlank());
  }

  public Optional<String> physicalPath() {
    return fields.string("physical_path").filter(path -> !path.isBlank());
  }

  /** Where it comes from, for people: the host of its URL, or the path of its file. */
  public Optional<String> origin() {
    return url()
        .flatMap(PoolSource::host)
        .or(
            () ->
                physicalPath()
                    .filter(PoolSource::isPhysical)
                    .map(p -> BlockPath.ofPhysical(p).text()));
  }

  /** What makes two rows the same source; a row without file and URL equals no other. */
  public Optional<String> key() {
    return physicalPath().map(path -> "local:" + path).or(() -> url().map(PoolSource::normalised));
  }

  PoolSource withSid(long number) {
    return new PoolSource(number, fields);
  }

  /** This row, filled up with what another row of the same source knows better. */
  PoolSource mergedWith(PoolSource other) {
    JsonObject merged = fields;
    for (String key : other.fields.keys()) {
      JsonValue theirs = other.fields.find(key).orElse(JsonNull.NULL);
      JsonValue ours = merged.find(key).orElse(JsonNull.NULL);
      if (isMissing(ours) ? !isMissing(theirs) || !merged.has(key) : isBetter(key, ours, theirs)) {
        merged = merged.with(key, theirs);
      }
    }
    return new PoolSource(sid, merged);
  }

  private static boolean isMissing(JsonValue value) {
    return value == JsonNull.NULL || (value instanceof JsonString text && text.value().isBlank());
  }

  private static boolean isBetter(String key, JsonValue ours, JsonValue theirs) {
    if (key.equals("title") || key.equals("text")) {
      return ours instanceof JsonString a
          && theirs instanceof JsonString b
          && length(b.value()) > length(a.value());
    }
    return key.equals("relevance")
        && ours instanceof JsonNumber a
        && theirs instanceof JsonNumber b
        && decimal(b).compareTo(decimal(a)) > 0;
  }

  private static BigDecimal decimal(JsonNumber number) {
    return number.decimal();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static boolean isPhysical(String path) {
    try {
      BlockPath.ofPhysical(path);
      return true;
    } catch (ContextureException foreign) {
      return false;
    }
  }

  private static Optional<String> host(String url) {
    try {
      return Optional.ofNullable(new URI(url).getHost()).map(h -> h.toLowerCase(Locale.ROOT));
    } catch (URISyntaxException notAUrl) {
      return Optional.empty();
    }
  }

  /** Lower-case scheme and host, no default port, no fragment, no trailing slash. */
  private static String normalised(String url) {
    try {
      URI uri = new URI(url);
      if (uri.getScheme() == null || uri.getHost() == null) {
        return withoutTail(url);
      }
      String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
      boolean defaultPort =
          (scheme.equals("http") && uri.getPort() == 80)
              || (scheme.equals("https") && uri.getPort() == 443);
      String port = uri.getPort() < 0 || defaultPort ? "" : ":" + uri.getPort();
      String user = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
      String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      return withoutTail(
          scheme
              + "://"
              + user
              + uri.getHost().toLowerCase(Locale.ROOT)
              + port
              + uri.getRawPath()
              + query);
    } catch (URISyntaxException notAUrl) {
      return withoutTail(url);
    }
  }

  private static String withoutTail(String url) {
    int fragment = url.indexOf('#');
    String text = fragment < 0 ? url : url.substring(0, fragment);
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }
}
