package dev.contexture.search;

import dev.contexture.block.Timestamps;
import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Search options and results in their wire form. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SearchCodec {
  /** The fields of a search, with the query itself. */
  public static final Set<String> FIELDS =
      Set.of(
          "query",
          "mode",
          "content_types",
          "limit",
          "from",
          "to",
          "roles",
          "user",
          "conversation",
          "raw",
          "metadata",
          "min_similarity",
          "content");

  private SearchCodec() {}

  /**
   * Reads options; what is absent has its default, which is excerpts for the content.
   *
   * @throws ContextureException {@code invalid_argument}, {@code limit_exceeded}, {@code
   *     field_type} or {@code invalid_ts}
   */
  public static SearchOptions read(JsonFields fields) {
    Set<SearchContentType> types = EnumSet.noneOf(SearchContentType.class);
    fields.strings("content_types").forEach(name -> types.add(type(name)));
    SearchOptions.Builder options =
        SearchOptions.builder()
            .content(content(fields.string("content").orElse(SearchContent.EXCERPT.wireName())))
            .metadata(new MetadataFilter(fields.object("metadata").orElse(JsonObject.EMPTY)))
            .contentTypes(types)
            .user(fields.string("user").orElse(null))
            .conversation(fields.string("conversation").orElse(null))
            .roles(new HashSet<>(fields.strings("roles")))
            .times(time(fields, "from"), time(fields, "to"))
            .raw(fields.flag("raw", false));
    fields.string("mode").map(SearchCodec::mode).ifPresent(options::mode);
    fields
        .number("limit")
        .ifPresent(limit -> options.limit(Math.clamp(limit, Integer.MIN_VALUE, Integer.MAX_VALUE)));
    fields.decimal("min_similarity").ifPresent(options::minSimilarity);
    return options.build();
  }

  /**
   * The mode of a wire name.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  public static SearchMode mode(String name) {
    return SearchMode.of(name)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "mode",
                    name,
                    Choices.inWords(SearchMode.values())));
  }

  /**
   * The content type of a wire name.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  public static SearchContentType type(String name) {
    return SearchContentType.of(name)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "content_types",
                    name,
                    "messages, blocks and archival"));
  }

  /**
   * How much content is meant by a wire name.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  public static SearchContent content(String name) {
    return SearchContent.of(name)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "content",
                    name,
                    Choices.inWords(SearchContent.values())));
  }

  private static @Nullable Instant time(JsonFields fields, String name) {
    JsonValue value = fields.value(name);
    return value == null ? null : Timestamps.read(value, name);
  }

  /**
   * Writes results.
   *
   * @param content whether all of the content is written, or the excerpt alone
   */
  public static JsonObject write(SearchResults results, SearchContent content) {
    List<JsonValue> notes = new ArrayList<>();
    for (SearchFallback fallback : results.fallbacks()) {
      notes.add(
          JsonObject.builder()
              .put("code", fallback.code().wireName())
              .put("detail", fallback.detail())
              .put("count", fallback.count())
              .build());
    }
    List<JsonValue> hits = new ArrayList<>();
    results.forEach(hit -> hits.add(write(hit, content)));
    return JsonObject.builder()
        .put("mode_used", results.usedMode().wireName())
        .put("notes", new JsonArray(notes))
        .put("hits", new JsonArray(hits))
        .build();
  }

  private static JsonObject write(MemorySearchResult hit, SearchContent content) {
    Instant at = hit.at();
    return JsonObject.builder()
        .put("id", hit.id())
        .put("type", hit.type().hitName())
        .putIfPresent("agent", hit.agent())
        .putIfPresent("user", hit.user())
        .putIfPresent("conversation", hit.conversation())
        .putIfPresent("role", hit.role())
        .putIfPresent("path", hit.path())
        .putIfPresent("label", hit.label())
        .putIfPresent("content", content == SearchContent.FULL ? hit.content() : null)
        .put("excerpt", hit.excerpt())
        .put("content_chars", hit.contentChars())
        .put("score", number(hit.score()))
        .put("why", write(hit.why()))
        .putIfPresent("ts", at == null ? null : at.toString())
        .build();
  }

  private static JsonObject write(MatchParts why) {
    JsonObject.Builder parts = JsonObject.builder();
    if (why.bm25() != null) {
      parts.put("bm25", number(why.bm25()));
    }
    if (why.keywordRank() > 0) {
      parts.put("keyword_rank", why.keywordRank());
    }
    if (why.cosine() != null) {
      parts.put("cosine", number(why.cosine())).put("vector_rank", why.vectorRank());
    }
    MatchParts.Shares shares = why.shares();
    if (shares != null) {
      parts.put(
          "shares",
          JsonObject.builder()
              .put("words", number(shares.words()))
              .put("meaning", number(shares.meaning()))
              .put("weight", number(shares.weight()))
              .build());
    }
    List<JsonValue> words = new ArrayList<>();
    why.words().forEach(word -> words.add(JsonValue.of(word)));
    parts.put("words", new JsonArray(words));
    if (!why.typos().isEmpty()) {
      JsonObject.Builder typos = JsonObject.builder();
      why.typos().forEach(typos::put);
      parts.put("typos", typos.build());
    }
    return parts.build();
  }

  private static JsonNumber number(double value) {
    return new JsonNumber(BigDecimal.valueOf(value).toPlainString());
  }
}
