package dev.contexture.adk;

import com.google.adk.events.Event;
import com.google.adk.sessions.State;
import com.google.genai.types.FunctionCall;
import dev.contexture.ContextBrowser;
import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Head;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.timeline.TimelineEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Events and state of a session as blocks of its conversation. They are hidden: models are shown
 * what events say, not events. Whole state stands beside the event that changed it, and once in the
 * window of every turn, so that it is found without reading the whole log.
 */
final class EventLog {
  private static final BlockType EVENT = BlockType.of("adk.event");
  private static final BlockType STATE = BlockType.of("adk.state");
  private static final String JSON = "json";

  private final ContextBrowser chat;
  private final int maxMetaBytes;

  EventLog(ContextBrowser chat, int maxMetaBytes) {
    this.chat = chat;
    this.maxMetaBytes = maxMetaBytes;
  }

  /** An event as it is kept: without state of the invocation alone. */
  Block.Builder event(Event event) {
    return block(EVENT, json(event).toJson());
  }

  private static JsonObject json(Event event) {
    JsonObject json = (JsonObject) JsonValue.parse(event.toJson());
    JsonObject actions = json.object("actions").orElse(JsonObject.EMPTY);
    JsonObject kept = JsonObject.EMPTY;
    for (Map.Entry<String, JsonValue> change :
        actions.object("stateDelta").orElse(JsonObject.EMPTY).members().entrySet()) {
      if (!change.getKey().startsWith(State.TEMP_PREFIX)) {
        kept = kept.with(change.getKey(), change.getValue());
      }
    }
    JsonObject whole =
        actions.isEmpty() ? json : json.with("actions", actions.with("stateDelta", kept));
    return withoutNulls(whole);
  }

  /** ADK writes what is absent as null. */
  private static JsonObject withoutNulls(JsonObject json) {
    JsonObject.Builder kept = JsonObject.builder();
    json.members()
        .forEach(
            (key, value) -> {
              if (!(value instanceof JsonNull)) {
                kept.put(key, value);
              }
            });
    return kept.build();
  }

  Block.Builder state(JsonObject state) {
    return block(STATE, state.toJson());
  }

  /** In the metadata if it has room: what stands in texts can be found by search. */
  private Block.Builder block(BlockType type, String json) {
    Block.Builder block =
        Block.builder(type).author(Author.SYSTEM).mime("application/json").hidden(null);
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return 2L * bytes.length <= maxMetaBytes // quotes in it are escaped
        ? block.meta(JSON, JsonValue.of(json))
        : block.data(Binary.of(bytes));
  }

  private static String json(Block block) {
    return block
        .meta()
        .string(JSON)
        .orElseGet(() -> new String(block.data().orElseThrow().bytes(), StandardCharsets.UTF_8));
  }

  private static Event read(Block block) {
    Event event = Event.fromJson(json(block));
    event
        .actions()
        .stateDelta()
        .replaceAll((key, value) -> AdkJson.isRemoved(value) ? State.REMOVED : value);
    return event;
  }

  /** The events of the window: those that no summary stands for. No result is without its call. */
  List<Event> visible() {
    Set<String> calls = new HashSet<>();
    List<Event> events = new ArrayList<>();
    for (TimelineEntry entry : chat.visibleEntries()) {
      if (entry.block().type().equals(EVENT)) {
        Event event = read(entry.block());
        event.functionCalls().stream().map(FunctionCall::id).forEach(id -> calls.add(key(id)));
        if (event.functionResponses().stream()
            .allMatch(result -> calls.contains(key(result.id())))) {
          events.add(event);
        }
      }
    }
    return events;
  }

  /**
   * Whether an event stands in the window already.
   *
   * @throws ContextureException {@code id_conflict} if another one has its id
   */
  boolean has(Event event) {
    String id = JsonValue.of(event.id()).toJson();
    List<TimelineEntry> entries = chat.timeline().entries();
    for (int i = entries.size() - 1; i >= 0; i--) {
      Block block = entries.get(i).block();
      if (block.type().equals(EVENT) && json(block).contains(id)) {
        JsonObject stored = (JsonObject) JsonValue.parse(json(block));
        if (stored.string("id").filter(event.id()::equals).isPresent()) {
          return same(stored, event);
        }
      }
    }
    return false;
  }

  private boolean same(JsonObject stored, Event event) {
    if (!stored.equals(json(event))) {
      throw ContextureException.invalid(
          ErrorCode.ID_CONFLICT,
          "event id",
          event.id(),
          "the id of no other event of the session, or the same event again");
    }
    return true;
  }

  /** Whether the newest event waits for an answer: the user spoke last, or a tool did. */
  boolean isUnanswered() {
    List<TimelineEntry> entries = chat.timeline().entries();
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (entries.get(i).block().type().equals(EVENT)) {
        Event event = read(entries.get(i).block());
        return EventStep.opensTurn(event) || !event.functionResponses().isEmpty();
      }
    }
    return false;
  }

  private static String key(Optional<String> id) {
    return id.orElse("");
  }

  /** All events, oldest first. */
  List<Event> all() {
    List<Event> events = new ArrayList<>();
    long next = chat.head().map(Head::nextSeq).orElse(0L);
    for (long from = 1; from < next; from += Store.MAX_PAGE) {
      for (StoredBlock stored : page(from, next)) {
        if (stored.block().type().equals(EVENT)) {
          events.add(read(stored.block()));
        }
      }
    }
    return events;
  }

  private List<StoredBlock> page(long from, long next) {
    return chat.readRange(from, Math.min(next, from + Store.MAX_PAGE) - 1, Store.MAX_PAGE);
  }

  /** The state that is in the window; null: none is. */
  @Nullable JsonObject visibleState() {
    List<TimelineEntry> entries = chat.timeline().entries();
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (entries.get(i).block().type().equals(STATE)) {
        return (JsonObject) JsonValue.parse(json(entries.get(i).block()));
      }
    }
    return null;
  }

  /** The newest state; empty if there never was one. */
  JsonObject state() {
    JsonObject visible = visibleState();
    if (visible != null) {
      return visible;
    }
    long end = chat.head().map(Head::nextSeq).orElse(0L);
    while (end > 1) {
      long from = Math.max(1, end - Store.MAX_PAGE);
      List<StoredBlock> page = page(from, end);
      for (int i = page.size() - 1; i >= 0; i--) {
        if (page.get(i).block().type().equals(STATE)) {
          return (JsonObject) JsonValue.parse(json(page.get(i).block()));
        }
      }
      end = from;
    }
    return JsonObject.EMPTY;
  }
}
