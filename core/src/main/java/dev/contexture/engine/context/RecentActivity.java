package dev.contexture.engine.context;

import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.Actor;
import dev.contexture.request.ActivityEvent;
import dev.contexture.request.ActivityEvent.What;
import dev.contexture.request.ActivityRenderer;
import dev.contexture.request.ActivityText;
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

/** Tells an agent what the events of its project's memory say (M-110 to M-112). Thread-safe. */
@API(status = API.Status.STABLE, since = "0.1")
public final class RecentActivity implements ActivityRenderer {
  private static final int MAX_READ = 500;
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
  public Optional<String> render(String agent, int limit) {
    Instant now = clock.instant();
    Map<String, String> names = new HashMap<>();
    List<ActivityEvent> events = new ArrayList<>();
    for (MemoryEvent event : memory.activity(now.minus(text.window()), MAX_READ)) {
      if (!event.type().startsWith(ARCHIVAL)) { // what an agent keeps for itself is no news
        events.add(event(event, names));
      }
    }
    if (events.isEmpty()) {
      return Optional.empty();
    }
    return text.of(events, agent, readable(agent)::contains, limit, now);
  }

  private Set<String> readable(String agent) {
    Set<String> ids = new HashSet<>();
    memory.listBlocks(agent).stream().map(BlockMetadata::id).forEach(ids::add);
    memory.listSharedBlocks(agent).stream().map(SharedBlockInfo::blockId).forEach(ids::add);
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
