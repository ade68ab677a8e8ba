package dev.contexture.engine.agent;

import dev.contexture.block.Timestamps;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchCodec;
import dev.contexture.search.SearchContent;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.turn.ToolAnswer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code search}: finds blocks, archival entries and what was said. Inside a conversation
 * it finds messages of that conversation's user only, whatever the model asks for.
 */
final class SearchTool {
  private static final int DEFAULT_LIMIT = 20;
  private static final int MAX_LIMIT = 100;
  private static final Pattern AGO = Pattern.compile("-([0-9]{1,9})([mhd])");
  private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final MathContext SCORE_DIGITS = new MathContext(6);

  private final MemoryStore memory;
  private final String agent;
  private final InstantSource clock;
  private final @Nullable String user;
  private final boolean messages;

  /**
   * @param user whose messages may be found; null: those of all users of the agent
   * @param messages whether messages are found at all where there is no user
   */
  SearchTool(MemoryBlocks blocks, InstantSource clock, @Nullable String user, boolean messages) {
    this.messages = messages || user != null;
    this.memory = blocks.memory();
    this.agent = blocks.agent();
    this.clock = clock;
    this.user = user;
  }

  ToolAnswer run(ToolParams params) {
    long limit = params.number("limit").orElse(DEFAULT_LIMIT);
    SearchOptions options =
        SearchOptions.builder()
            .limit(Math.clamp(limit, 1, MAX_LIMIT))
            .contentTypes(types(params.choice("domain").orElse("all")))
            .user(user)
            .roles(params.choice("role").map(Set::of).orElse(Set.of()))
            .times(time(params, "start_time"), time(params, "end_time"))
            .mode(params.choice("mode").map(SearchCodec::mode).orElse(SearchMode.AUTO))
            .build();
    SearchResults found = memory.search(agent, params.requiredText("query"), options).byRank();
    List<JsonValue> hits = new ArrayList<>();
    found.forEach(hit -> hits.add(json(hit)));
    return ToolResults.found(
        hits.size(), "hit", "hits", how(found).put("hits", new JsonArray(hits)).build());
  }

  private Set<SearchContentType> types(String domain) {
    if (!messages && domain.equals("conversations")) {
      throw ToolParams.invalid(
          "domain", domain, "all, blocks or archival: this call works for no user");
    }
    return switch (domain) {
      case "all" ->
          messages ? Set.of() : Set.of(SearchContentType.BLOCKS, SearchContentType.ARCHIVAL);
      case "blocks" -> Set.of(SearchContentType.BLOCKS);
      case "archival" -> Set.of(SearchContentType.ARCHIVAL);
      case "conversations" -> Set.of(SearchContentType.MESSAGES);
      default ->
          throw ToolParams.invalid("domain", domain, "all, blocks, archival or conversations");
    };
  }

  private @Nullable Instant time(ToolParams params, String name) {
    String given = params.choice(name).orElse(null);
    return given == null ? null : time(name, given);
  }

  /** ISO-8601, or how long ago: {@code -30m}, {@code -24h}, {@code -7d}. */
  private Instant time(String name, String given) {
    Matcher ago = AGO.matcher(given);
    if (ago.matches()) {
      long amount = Long.parseLong(ago.group(1));
      Duration back =
          switch (ago.group(2)) {
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
          };
      try {
        return clock.instant().minus(back);
      } catch (DateTimeException tooLongAgo) {
        throw times(name, given);
      }
    }
    String time = DAY.matcher(given).matches() ? given + "T00:00:00Z" : given;
    return Timestamps.tryRead(new JsonString(time))
        .filter(unused -> time.indexOf('T') > 0)
        .orElseThrow(() -> times(name, given));
  }

  private static RuntimeException times(String name, String given) {
    return ToolParams.invalid(
        name, given, "ISO-8601 such as 2026-02-09T02:14:32Z, or -30m, -24h, -7d");
  }

  /** How it was found: the used mode, and why it was answered with less than asked for. */
  static JsonObject.Builder how(SearchResults found) {
    JsonObject all =
        SearchCodec.write(
            new SearchResults(
                List.of(), found.requestedMode(), found.usedMode(), found.fallbacks()),
            SearchContent.EXCERPT);
    return all.without("hits").toBuilder();
  }

  private static JsonObject json(MemorySearchResult hit) {
    JsonObject.Builder json =
        JsonObject.builder()
            .put("id", hit.id())
            .put("type", hit.type().hitName())
            .putIfPresent("agent", hit.agent())
            .putIfPresent("label", hit.label())
            .putIfPresent("role", hit.role())
            .putIfPresent("conversation", hit.conversation())
            .putIfPresent("path", hit.path());
    ToolResults.putText(json, hit.content());
    Instant at = hit.at();
    return json.putIfPresent("ts", at == null ? null : at.toString())
        .put("score", number(hit.score()))
        .build();
  }

  static JsonNumber number(double value) {
    BigDecimal rounded = new BigDecimal(value).round(SCORE_DIGITS);
    return new JsonNumber(rounded.stripTrailingZeros().toPlainString());
  }
}
