package dev.contexture.adk;

import com.google.adk.events.Event;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.ListEventsResponse;
import com.google.adk.sessions.ListSessionsResponse;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.State;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.contexture.ContextBrowser;
import dev.contexture.TurnStep;
import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.Store;
import dev.contexture.turn.Finish;
import dev.contexture.turn.TurnStart;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of ADK as conversations of the engine. An event is durable when {@link #appendEvent} has
 * returned, and none is ever lost: compaction changes what is shown.
 *
 * <p>A session that is loaded holds the events of the window, those that no summary stands for;
 * {@link #listEvents}, and a {@link GetSessionConfig}, look at all of them. State of the app and of
 * the user is shared with their other sessions; that of an invocation ({@code temp:}) is not kept.
 *
 * <p>Thread-safe. Blocks the thread that subscribes; appending blocks the caller.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContextureSessionService implements BaseSessionService {
  private static final int ID_BYTES = 16;

  private final AdkContext context;

  ContextureSessionService(AdkContext context) {
    this.context = context;
  }

  /**
   * Makes a session.
   *
   * @throws ContextureException {@code id_conflict} if there is one of that id
   */
  @Override
  @Deprecated
  @SuppressWarnings("InlineMeSuggester") // its callers are those of ADK
  public Single<Session> createSession(
      String appName,
      String userId,
      @Nullable ConcurrentMap<String, Object> state,
      @Nullable String sessionId) {
    return createSession(appName, userId, (Map<String, Object>) state, sessionId);
  }

  @Override
  public Single<Session> createSession(
      String appName,
      String userId,
      @Nullable Map<String, Object> state,
      @Nullable String sessionId) {
    return Single.fromCallable(() -> create(appName, userId, state, sessionId));
  }

  private static String newId() {
    RandomGenerator random = new SecureRandom();
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return HexFormat.of().formatHex(id);
  }

  private Session create(
      String appName,
      String userId,
      @Nullable Map<String, Object> state,
      @Nullable String sessionId) {
    String id = sessionId == null || sessionId.isBlank() ? newId() : sessionId.trim();
    Scope.OfConversation scope = context.scope(appName, userId, id);
    ContextBrowser chat = context.browser(scope);
    if (chat.head().isPresent()) {
      throw ContextureException.invalid(
          ErrorCode.ID_CONFLICT,
          "session id",
          id,
          "the id of no session of the user; getSession goes on with one that is there");
    }
    Map<String, Object> given = state == null ? Map.of() : state;
    EventLog log = context.log(chat);
    JsonObject own = changed(JsonObject.EMPTY, given);
    chat.step(
        new TurnStep()
            .turn(TurnStart.prompt(""))
            .blocks(List.of(log.state(own)))
            .finish(Finish.recorded()));
    new SharedState(context.engine(), scope.owner()).change(given);
    return load(chat, appName, List.of());
  }

  /** The state of a session, with a change; shared state and that of an invocation is not its. */
  private static JsonObject changed(JsonObject state, Map<String, Object> delta) {
    JsonObject now = state;
    for (Map.Entry<String, Object> change : delta.entrySet()) {
      String key = change.getKey();
      boolean own =
          !key.startsWith(State.APP_PREFIX)
              && !key.startsWith(State.USER_PREFIX)
              && !key.startsWith(State.TEMP_PREFIX);
      if (own) {
        now =
            AdkJson.isRemoved(change.getValue())
                ? now.without(key)
                : now.with(key, AdkJson.value(change.getValue()));
      }
    }
    return now;
  }

  /** A session with what it is about to show. */
  private Session load(ContextBrowser chat, String appName, List<Event> events) {
    Map<String, Object> state = new ConcurrentHashMap<>();
    for (Map.Entry<String, JsonValue> entry : context.log(chat).state().members().entrySet()) {
      state.put(entry.getKey(), AdkJson.read(entry.getValue()));
    }
    new SharedState(context.engine(), chat.scope().owner()).mergeInto(state);
    Instant active = chat.head().orElseThrow().lastActivityAt();
    return session(chat.scope(), appName, state, events, active);
  }

  private static Session session(
      Scope.OfConversation scope,
      String appName,
      Map<String, Object> state,
      List<Event> events,
      Instant active) {
    return Session.builder(scope.conversation())
        .appName(appName)
        .userId(scope.user())
        .state(state)
        .events(new ArrayList<>(events))
        .lastUpdateTime(
            events.isEmpty() ? active : Instant.ofEpochMilli(events.getLast().timestamp()))
        .build();
  }

  /** A session; empty if there is none. */
  @Override
  public Maybe<Session> getSession(
      String appName, String userId, String sessionId, Optional<GetSessionConfig> config) {
    return Maybe.fromCallable(
        () -> {
          ContextBrowser chat = context.browser(context.scope(appName, userId, sessionId));
          return chat.head().isEmpty() ? null : load(chat, appName, events(chat, config));
        });
  }

  private List<Event> events(ContextBrowser chat, Optional<GetSessionConfig> asked) {
    EventLog log = context.log(chat);
    if (asked.isEmpty()) {
      return log.visible();
    }
    GetSessionConfig config = asked.get();
    List<Event> events = log.all();
    int from = Math.max(0, events.size() - config.numRecentEvents().orElse(events.size()));
    Instant after = config.afterTimestamp().orElse(Instant.MIN);
    return events.subList(from, events.size()).stream()
        .filter(event -> !Instant.ofEpochMilli(event.timestamp()).isBefore(after))
        .toList();
  }

  /** The sessions of a user, the one that was active last first, without events. */
  @Override
  public Single<ListSessionsResponse> listSessions(String appName, String userId) {
    return Single.fromCallable(
        () -> {
          Scope.OfUser owner = context.scope(appName, userId, "any").owner();
          List<Session> sessions = new ArrayList<>();
          ConversationEntry.Cursor cursor = null;
          List<ConversationEntry> page;
          do {
            page = context.engine().conversations(owner, cursor, Store.MAX_PAGE);
            for (ConversationEntry entry : page) {
              cursor = entry.cursor();
              sessions.add(load(context.browser(entry.conversation()), appName, List.of()));
            }
          } while (page.size() == Store.MAX_PAGE);
          return ListSessionsResponse.builder().sessions(sessions).build();
        });
  }

  /** Erases a session beyond recovery; one that is not there is no failure. */
  @Override
  public Completable deleteSession(String appName, String userId, String sessionId) {
    return Completable.fromAction(
        () -> context.browser(context.scope(appName, userId, sessionId)).erase());
  }

  /** All events of a session, also those that a summary stands for. */
  @Override
  public Single<ListEventsResponse> listEvents(String appName, String userId, String sessionId) {
    return Single.fromCallable(
        () -> {
          ContextBrowser chat = context.browser(context.scope(appName, userId, sessionId));
          return ListEventsResponse.builder().events(context.log(chat).all()).build();
        });
  }

  /** Closes the turn that is open, if one is. */
  @Override
  public Completable closeSession(Session session) {
    return Completable.fromAction(
        () -> {
          ContextBrowser chat = context.browser(scope(session));
          if (chat.timeline().activeTurn().isPresent()) {
            closeLeft(chat, context.log(chat));
          }
        });
  }

  /** Closes a turn that nobody works on any more. A run that was stopped got no answer. */
  private static void closeLeft(ContextBrowser chat, EventLog log) {
    EventStep.close(chat.openTurn(), log.isUnanswered() ? "stopped" : null);
  }

  private Scope.OfConversation scope(Session session) {
    return context.scope(session.appName(), session.userId(), session.id());
  }

  /**
   * Stores an event and adds it to the session, with its changes of state. A partial one is passed
   * over. The same event again changes nothing. What a run says whose turn a newer message of the
   * user has interrupted is kept as an event, and models are not shown it.
   *
   * @return the event; a {@link ContextureException} if it is refused, and then nothing is changed:
   *     {@code not_found} if the session was deleted, {@code invalid_argument} for content that
   *     cannot be kept, {@code id_conflict} for another event of the same id
   */
  @CanIgnoreReturnValue
  @Override
  public Single<Event> appendEvent(Session session, Event event) {
    if (event.partial().orElse(false)) {
      return Single.just(event);
    }
    try {
      store(session, event);
    } catch (ContextureException refused) {
      return Single.error(refused);
    }
    boolean known = session.events().stream().anyMatch(earlier -> event.id().equals(earlier.id()));
    if (!known) {
      BaseSessionService.super.appendEvent(session, event);
    }
    new SharedState(context.engine(), scope(session).owner()).mergeInto(session.state());
    session.lastUpdateTime(Instant.ofEpochMilli(event.timestamp()));
    return Single.just(event);
  }

  private void store(Session session, Event event) {
    if (event.id() == null) {
      event.setId(Event.generateEventId());
    }
    Scope.OfConversation scope = scope(session);
    ContextBrowser chat = context.browser(scope);
    if (chat.head().isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.NOT_FOUND, "session id", session.id(), "a session that createSession made");
    }
    EventLog log = context.log(chat);
    if (log.has(event)) {
      return;
    }
    Map<String, Object> delta = event.actions().stateDelta();
    List<Block.Builder> blocks = new ArrayList<>();
    blocks.add(log.event(event));
    JsonObject visible = log.visibleState();
    JsonObject before = visible == null ? log.state() : visible;
    JsonObject now = changed(before, delta);
    if (visible == null || !now.equals(before)) {
      blocks.add(log.state(now));
    }
    boolean open = chat.timeline().activeTurn().isPresent();
    if (EventStep.opensTurn(event)) {
      if (open) {
        closeLeft(chat, log);
      }
      context.opens(scope, event.invocationId(), open);
    }
    EventStep step = new EventStep(context, chat, event, context.asked(scope));
    chat.step(step.make(blocks));
    if (step.answers()) {
      context.forget(scope);
    }
    new SharedState(context.engine(), scope.owner()).change(delta);
  }
}
