package dev.contexture.engine.agent;

import dev.contexture.block.BlockPath;
import dev.contexture.block.CodePoints;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.MemorySearchDefaults;
import dev.contexture.engine.search.Search;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.ReadAllowance;
import dev.contexture.engine.turn.SettingsReader;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderOptions;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.search.TurnScore;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenMeter;
import dev.contexture.turn.ToolAnswer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tool {@code react.memsearch}: finds turns of this conversation again. */
final class MemsearchTool {
  private static final List<String> TARGETS = MemorySearchDefaults.TARGETS;
  private static final int MAX_QUERY_CHARS = 256;
  private static final int MAX_SNIPPET_CHARS = 500;
  private static final int MAX_SNIPPETS = 3;
  private static final int MAX_TOP_K = 50;
  private static final int MAX_DAYS = 3_650;
  private static final int HITS_PER_TURN = 8;
  private static final int WIDER = 4;

  private final Session chat;
  private final Search search;
  private final InstantSource clock;
  private final long maxTokens;

  /**
   * @param maxTokens the budget of the context, if the turn does not say less
   */
  MemsearchTool(Session chat, Search search, InstantSource clock, long maxTokens) {
    this.chat = chat;
    this.search = search;
    this.clock = clock;
    this.maxTokens = maxTokens;
  }

  /** As the turn was started, else a year. */
  private int usualDays() {
    Integer days = chat.locked(() -> SettingsReader.of(chat).ofOpenTurn()).days();
    return days == null ? MemorySearchDefaults.DAYS : Math.min(MAX_DAYS, days);
  }

  /** The parameters of a call. */
  private record Wish(String query, List<String> targets, int topK, int days) {}

  /** A message that was found, in its turn. */
  private record Hit(
      TurnId turn, String role, Instant at, double similarity, String path, String text) {}

  /** The best of a turn's hits decides about the turn. */
  private record FoundTurn(Hit best, TurnScore score, List<Hit> hits) {}

  ToolAnswer run(ToolParams params, JsonObject.Builder status) {
    String query = params.text("query").orElse("");
    if (query.isBlank()) {
      return ReactTools.failed(status, "query_required", "give words to look for", List.of());
    }
    Wish wish =
        new Wish(
            CodePoints.first(query, MAX_QUERY_CHARS),
            targets(params),
            params.number("top_k", MemorySearchDefaults.TOP_K, 1, MAX_TOP_K),
            params.number("days", usualDays(), 1, MAX_DAYS));
    Instant now = clock.instant();
    int limit = Math.min(SearchOptions.MAX_LIMIT, wish.topK * HITS_PER_TURN);
    SearchResults found = search(wish, now, limit);
    List<FoundTurn> turns = turns(hits(found, wish), now);
    while (turns.size() < wish.topK
        && found.hits().size() >= limit
        && limit < SearchOptions.MAX_LIMIT) {
      limit = Math.min(SearchOptions.MAX_LIMIT, limit * WIDER);
      found = search(wish, now, limit);
      turns = turns(hits(found, wish), now);
    }
    return ToolAnswer.of(
        result(wish, turns.subList(0, Math.min(wish.topK, turns.size())), found, status), false);
  }

  private static List<String> targets(ToolParams params) {
    if (params.value("targets").isEmpty()) {
      return TARGETS;
    }
    List<String> targets = new ArrayList<>();
    for (JsonValue item : params.requiredItems("targets")) {
      String name = item instanceof JsonString text ? text.value() : item.toJson();
      if (!TARGETS.contains(name)) {
        throw ReactTools.invalid("targets", name, String.join(", ", TARGETS));
      }
      targets.add(name);
    }
    return targets.isEmpty() ? TARGETS : targets;
  }

  /** Several hits may be of one turn, or of what is not asked for: there are more than turns. */
  private SearchResults search(Wish wish, Instant now, int limit) {
    Set<String> roles = new HashSet<>();
    wish.targets.forEach(target -> roles.add(target.equals("attachment") ? "user" : target));
    SearchOptions options =
        SearchOptions.builder()
            .conversation(chat.scope().conversation())
            .roles(roles)
            .times(now.minus(Duration.ofDays(wish.days)), null)
            .limit(limit)
            .build();
    return search.search(chat.scope().owner(), wish.query, options);
  }

  /**
   * Hits in turns that are closed, with similarities from 0 to 1: cosines, or parts of the best.
   */
  private List<Hit> hits(SearchResults found, Wish wish) {
    Optional<TurnId> open = chat.timeline().activeTurn();
    double best = found.hits().isEmpty() ? 1 : found.hits().getFirst().score();
    boolean cosine =
        found.usedMode() == SearchMode.VECTOR
            && found.hits().stream().allMatch(hit -> hit.why().cosine() != null);
    List<Hit> hits = new ArrayList<>();
    for (MemorySearchResult hit : found) {
      Optional<BlockPath> path =
          Optional.ofNullable(hit.path()).filter(BlockPath::isValid).map(BlockPath::parse);
      boolean attached = path.filter(p -> p.kind() == BlockPath.Kind.ATTACHMENT).isPresent();
      String role = attached ? "attachment" : String.valueOf(hit.role());
      Instant at = hit.at();
      if (!wish.targets.contains(role) || at == null) {
        continue;
      }
      Optional<TurnId> turn = path.flatMap(BlockPath::turn).or(() -> turn(hit));
      if (turn.isPresent() && !turn.equals(open)) {
        double similarity = cosine ? hit.score() : hit.score() / best;
        String text = hit.excerpt().isBlank() ? hit.content() : hit.excerpt();
        String where = path.map(BlockPath::text).orElse("");
        hits.add(new Hit(turn.get(), role, at, similarity, where, text));
      }
    }
    return hits;
  }

  /** The turn of a message without a path; its id ends with its number. Empty: it is erased. */
  private Optional<TurnId> turn(MemorySearchResult hit) {
    long seq = Long.parseLong(hit.id().substring(hit.id().lastIndexOf('/') + 1));
    return chat.services().store().readRange(chat.scope(), seq, seq, 1).stream()
        .findFirst()
        .map(stored -> stored.block().turn());
  }

  private static List<FoundTurn> turns(List<Hit> hits, Instant now) {
    Map<TurnId, List<Hit>> byTurn = new LinkedHashMap<>();
    hits.forEach(hit -> byTurn.computeIfAbsent(hit.turn, id -> new ArrayList<>()).add(hit));
    List<FoundTurn> turns = new ArrayList<>();
    for (List<Hit> ofTurn : byTurn.values()) {
      Hit best = ofTurn.getFirst(); // they come best first
      turns.add(
          new FoundTurn(
              best, TurnScore.of(best.similarity, Duration.between(best.at, now)), ofTurn));
    }
    turns.sort(
        Comparator.comparingDouble((FoundTurn turn) -> turn.score.total())
            .thenComparing(turn -> turn.best.at)
            .reversed()
            .thenComparing(turn -> turn.best.turn.value()));
    return turns;
  }

  private JsonObject result(
      Wish wish, List<FoundTurn> turns, SearchResults found, JsonObject.Builder status) {
    Set<TurnId> visible = chat.locked(this::visible);
    TokenMeter meter = RenderOptions.defaults().meter();
    long room = chat.locked(() -> ReadAllowance.of(chat, maxTokens)).one();
    List<JsonValue> rows = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (FoundTurn turn : turns) {
      List<String> said = new ArrayList<>();
      List<JsonValue> snippets = new ArrayList<>();
      for (Hit hit : turn.hits.subList(0, Math.min(MAX_SNIPPETS, turn.hits.size()))) {
        said.add(CodePoints.first(hit.text, MAX_SNIPPET_CHARS));
        snippets.add(snippet(hit, said.getLast()));
      }
      JsonObject row =
          JsonObject.builder()
              .put("turn_id", turn.best.turn.value())
              .put("ts", turn.best.at.toString())
              .put("score", SearchTool.number(turn.score.total()))
              .put("sim_score", SearchTool.number(turn.score.similarity()))
              .put("recency_score", SearchTool.number(turn.score.recency()))
              .put("matched_via_role", turn.best.role)
              .put("visible", visible.contains(turn.best.turn))
              .put("snippets", new JsonArray(snippets))
              .build();
      room -= meter.texts(List.of(row.toJson()));
      if (room < 0 && !rows.isEmpty()) {
        break; // the next render would not show them
      }
      rows.add(row);
      texts.addAll(said);
    }
    status
        .put("query", wish.query)
        .put("targets", JsonArray.ofStrings(wish.targets))
        .put("top_k", wish.topK)
        .put("days", wish.days)
        .put("hits", new JsonArray(rows))
        .put("tokens", meter.texts(texts));
    if (rows.size() < turns.size()) {
      status.put("left_out", turns.size() - rows.size());
    }
    if (!found.fallbacks().isEmpty()) {
      status.putAll(SearchTool.how(found).build());
    }
    return status.build();
  }

  /** The turns that the open one is shown. */
  private Set<TurnId> visible() {
    Timeline timeline = chat.current().timeline();
    Set<TurnId> visible = new HashSet<>();
    timeline.window().entries().forEach(entry -> visible.add(entry.turn()));
    SettingsReader settings = SettingsReader.of(chat);
    timeline
        .activeTurn()
        .map(open -> settings.omitted(open, settings.of(open).turnLimit()))
        .ifPresent(visible::removeAll);
    return visible;
  }

  private static JsonObject snippet(Hit hit, String text) {
    return JsonObject.builder()
        .put("role", hit.role)
        .put("path", hit.path)
        .put("ts", hit.at.toString())
        .put("text", text)
        .build();
  }
}
