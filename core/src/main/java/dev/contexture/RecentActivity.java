package dev.contexture;

import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.permission.Actor;
import dev.contexture.prompt.ActivityEvent;
import dev.contexture.prompt.ActivityEvent.What;
import dev.contexture.prompt.ActivityRenderer;
import dev.contexture.prompt.ActivityText;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.MemoryEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Tells an agent what the events of its project's memory say. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RecentActivity implements ActivityRenderer {
  private static final int PAGE = 500;
  private static final int MAX_PAGES = 10;
  private static final int MAX_TEXT = 2_000; // code points
  private static final String ARCHIVAL = "archival.";

  private final MemoryStore memory;
  private final InstantSource clock;
  private final ActivityText text;

  public RecentActivity(MemoryStore memory, InstantSource clock) {
    this(memory, clock, ActivityText.DEFAULT);
  }

  /**
   * @param text which events are shown
   */
  public RecentActivity(MemoryStore memory, InstantSource clock, ActivityText text) {
    this.memory = memory;
    this.clock = clock;
    this.text = text;
  }

  @Override
  public RecentActivity forUser(String user) {
    return new RecentActivity(memory.forUser(user), clock, text);
  }

  @Override
  public Optional<String> render(String agent, int limit) {
    Instant now = clock.instant();
    Map<String, String> names = new HashMap<>();
    List<ActivityEvent> events = new ArrayList<>();
    Instant since = now.minus(text.window());
    Set<String> readable = Set.of();
    long before = Long.MAX_VALUE;
    for (int page = 0; page < MAX_PAGES; page++) { // what nobody is told may stand in front
      List<MemoryEvent> happened = memory.activity(since, before, PAGE);
      if (page == 0 && !happened.isEmpty()) {
        readable = readable(agent);
      }
      for (MemoryEvent event : happened) {
        if (isNews(event, agent, readable)) {
          events.add(event(event, names));
        }
      }
      if (happened.size() < PAGE || isEnough(events, agent, limit)) {
        break;
      }
      before = happened.getLast().number();
    }
    Set<String> seen = new HashSet<>(readable);
    if (events.stream().anyMatch(event -> isOwnAndUnread(event, agent, seen))) {
      seen.addAll(hidden(agent));
    }
    return text.of(events, agent, seen::contains, limit, now);
  }

  /** Whether older events would not be shown any more; of one's own only a few are. */
  private boolean isEnough(List<ActivityEvent> events, String reader, int limit) {
    long others =
        events.stream()
            .filter(event -> !reader.equals(event.agent()))
            .filter(event -> event.importance().compareTo(text.least()) >= 0)
            .count();
    return others >= limit;
  }

  /** What an agent keeps for itself is no news for others, not even that it was changed. */
  private static boolean isNews(MemoryEvent event, String reader, Set<String> readable) {
    String block = event.block();
    boolean open = block == null || readable.contains(block) || reader.equals(event.agent());
    return open && !event.type().startsWith(ARCHIVAL);
  }

  /**
   * Adds an event that a host knows of: a message, the use of a tool, a task, a status, something
   * from outside, an agreement or a notice. What happens to memory is added by its store.
   *
   * @param agent who did it; null: the system
   * @return the id of the event
   * @throws ContextureException {@code invalid_argument} for an event about memory, {@code
   *     limit_exceeded} for a text that is too long
   */
  public long record(@Nullable String agent, What what, ActivityEvent.Importance importance) {
    JsonObject.Builder details = JsonObject.builder();
    String type =
        switch (what) {
          case What.Message _unused -> "message";
          case What.Tool tool -> put(details, "tool", tool.name(), "tool");
          case What.Task task -> put(details, "task", task.name(), "task");
          case What.Status status -> put(details, "status", status.status(), "status");
          case What.External external -> {
            put(details, "text", external.text(), "external");
            yield put(details, "source", external.source(), "external");
          }
          case What.Coordination said -> put(details, "text", said.text(), "coordination");
          case What.Notice said -> put(details, "text", said.text(), "notice");
          case What.Memory memory ->
              throw ContextureException.invalid(
                  ErrorCode.INVALID_ARGUMENT,
                  "what",
                  memory.label(),
                  "an event that is not about memory");
        };
    String weight = importance.name().toLowerCase(Locale.ROOT);
    return memory.addActivity(
        new MemoryEvent(0, clock.instant(), agent, null, null, type, weight, details.build()));
  }

  private static String put(JsonObject.Builder details, String key, String text, String type) {
    int chars = text.codePointCount(0, text.length());
    if (chars > MAX_TEXT) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED, key, MAX_TEXT, chars, "code points");
    }
    details.put(key, text);
    return type;
  }

  private Set<String> readable(String agent) {
    Set<String> ids = new HashSet<>();
    memory.listBlocks(agent).stream().map(BlockMetadata::id).forEach(ids::add);
    memory.listSharedBlocks(agent).stream().map(SharedBlockInfo::blockId).forEach(ids::add);
    return ids;
  }

  private static boolean isOwnAndUnread(ActivityEvent event, String reader, Set<String> readable) {
    return reader.equals(event.agent())
        && event.what() instanceof What.Memory about
        && !readable.contains(about.block());
  }

  /** Blocks that the agent knows, although no list shows them: hidden by the user's, or deleted. */
  private Set<String> hidden(String agent) {
    MemoryStore forAll = memory.forUser(null);
    Set<String> ids = new HashSet<>();
    forAll.listBlocks(agent).forEach(block -> ids.add(block.id()));
    forAll.listDeletedBlocks(agent).forEach(block -> ids.add(block.id()));
    memory.listDeletedBlocks(agent).forEach(block -> ids.add(block.id()));
    return ids;
  }

  private ActivityEvent event(MemoryEvent event, Map<String, String> names) {
    String agent = event.agent();
    String who = agent == null ? other(event.details()) : names.computeIfAbsent(agent, this::name);
    String importance = event.importance();
    return new ActivityEvent(
        event.number(),
        event.at(),
        agent,
        who,
        what(event),
        ActivityEvent.Importance.valueOf(
            (importance == null ? "low" : importance).toUpperCase(Locale.ROOT)));
  }

  private static String other(JsonObject details) {
    return details.string("actor").map(Actor::parse).map(Actor::id).orElse("system");
  }

  private String name(String agent) {
    return memory.agent(agent).map(AgentRow::name).filter(name -> !name.isBlank()).orElse(agent);
  }

  private static What what(MemoryEvent event) {
    JsonObject details = event.details();
    String block = event.block();
    if (block != null) {
      return new What.Memory(block, details.string("label").orElse(""));
    }
    String said = details.string("text").orElse("");
    return switch (event.type()) {
      case "message" -> new What.Message();
      case "tool" -> new What.Tool(details.string("tool").orElse(""));
      case "task" -> new What.Task(details.string("task").orElse(""));
      case "status" -> new What.Status(details.string("status").orElse(""));
      case "external" -> new What.External(details.string("source").orElse(""), said);
      case "coordination" -> new What.Coordination(said);
      default -> new What.Notice(said);
    };
  }
}
