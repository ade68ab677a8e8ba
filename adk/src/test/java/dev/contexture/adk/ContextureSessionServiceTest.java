package dev.contexture.adk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.memory.MemoryEntry;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.State;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.Part;
import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions behave as ADK says, and survive. */
class ContextureSessionServiceTest {
  @TempDir Path directory;

  private Contexture engine;
  private AdkContext context;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    context = AdkContext.builder(engine, "acme").model("gemini-3.7-flash").build();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void restart() {
    close();
    open();
  }

  private Session make(String user, String id, Map<String, Object> state) {
    return context.sessions().createSession("shop", user, state, id).blockingGet();
  }

  private @Nullable Session load(String user, String id) {
    return context.sessions().getSession("shop", user, id, Optional.empty()).blockingGet();
  }

  private Session loaded(String user, String id) {
    return Objects.requireNonNull(load(user, id));
  }

  private static Event.Builder said(String author, Part... parts) {
    return Event.builder()
        .id(Event.generateEventId())
        .invocationId("i1")
        .author(author)
        .content(Content.builder().role(author).parts(List.of(parts)).build());
  }

  private static Event change(Map<String, Object> delta) {
    return Event.builder()
        .id(Event.generateEventId())
        .invocationId("i1")
        .author("system")
        .actions(EventActions.builder().stateDelta(delta).build())
        .build();
  }

  private void append(Session session, Event event) {
    assertThat(context.sessions().appendEvent(session, event).blockingGet()).isSameAs(event);
  }

  @Test
  void aMissingSessionIsEmpty() {
    assertThat(load("ann", "none")).isNull();
    assertThat(context.sessions().listSessions("shop", "ann").blockingGet().sessions()).isEmpty();
    assertThat(context.sessions().listEvents("shop", "ann", "none").blockingGet().events())
        .isEmpty();
    context.sessions().deleteSession("shop", "ann", "none").blockingAwait();
  }

  @Test
  void stateIsSharedByItsPrefix() {
    Session first =
        make("ann", "s1", Map.of("app:rate", 25, "user:name", "Ann", "temp:x", 1, "cart", "tea"));
    assertThat(first.state())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("app:rate", 25, "user:name", "Ann", "cart", "tea"));
    Map<String, Object> delta =
        Map.of("app:rate", 12, "user:odd key/1", List.of("a"), "temp:y", 2, "step", 1.5);
    append(first, change(delta));
    assertThat(first.state()).containsEntry("step", 1.5).doesNotContainKey("temp:y");

    restart();
    assertThat(loaded("ann", "s1").state())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "app:rate",
                12,
                "user:name",
                "Ann",
                "user:odd key/1",
                List.of("a"),
                "cart",
                "tea",
                "step",
                1.5));
    assertThat(make("ann", "s2", Map.of()).state())
        .containsOnlyKeys("app:rate", "user:name", "user:odd key/1");
    assertThat(make("bob", "s3", Map.of()).state()).containsOnlyKeys("app:rate");
    assertThat(loaded("ann", "s1").events().getFirst().actions().stateDelta())
        .doesNotContainKey("temp:y");
  }

  @Test
  void whatIsRemovedStaysRemoved() {
    Session session = make("ann", "s1", Map.of("app:a", 1, "user:u", 1, "own", 1));
    append(
        session,
        change(Map.of("app:a", State.REMOVED, "user:u", State.REMOVED, "own", State.REMOVED)));
    assertThat(session.state()).isEmpty();

    restart();
    Session again = loaded("ann", "s1");
    assertThat(again.state()).isEmpty();
    assertThat(again.events().getFirst().actions().stateDelta().get("own")).isSameAs(State.REMOVED);
  }

  @Test
  void aPartialEventIsPassedOver() {
    Session session = make("ann", "s1", Map.of());
    append(session, said("atlas", Part.fromText("Hal")).partial(true).build());
    assertThat(session.events()).isEmpty();
    assertThat(loaded("ann", "s1").events()).isEmpty();
  }

  @Test
  void theSameEventAgainIsStoredOnce() {
    Session session = make("ann", "s1", Map.of());
    Event hello = said("user", Part.fromText("Hello")).build();
    append(session, hello);
    append(session, hello);
    assertThat(session.events()).hasSize(1);
    assertThat(loaded("ann", "s1").events()).hasSize(1);
  }

  @Test
  void theSameEventAgainChangesNothing() {
    Session session = make("ann", "s1", Map.of());
    Session other = make("ann", "s2", Map.of());
    Event hello =
        said("user", Part.fromText("Hello"))
            .actions(EventActions.builder().stateDelta(Map.of("app:rate", 1)).build())
            .build();
    append(session, hello);
    append(other, change(Map.of("app:rate", 2)));
    append(session, hello);
    ContextBrowser chat = engine.browser(Scope.of("acme", "shop").user("ann").conversation("s1"));
    assertThat(chat.timeline().activeTurn()).isPresent();
    assertThat(session.state()).containsEntry("app:rate", 2);
    append(session, said("atlas", Part.fromText("Hello, Ann.")).build());
    context.sessions().closeSession(session).blockingAwait();
    assertThat(chat.turns(null, 10).stream().skip(1)) // its creation
        .extracting(StoredTurn::status)
        .containsExactly(TurnStatus.COMPLETE);
    Event changed = said("user", Part.fromText("Bye")).id(hello.id()).build();
    assertCode(() -> append(session, changed), ErrorCode.ID_CONFLICT);
  }

  @Test
  void sessionsAreListedWithoutEvents() {
    append(make("ann", "s1", Map.of("cart", "tea")), said("user", Part.fromText("Hi")).build());
    assertThat(make("bob", "s2", Map.of()).id()).isEqualTo("s2");
    List<Session> listed = context.sessions().listSessions("shop", "ann").blockingGet().sessions();
    assertThat(listed).hasSize(1);
    assertThat(listed.getFirst().id()).isEqualTo("s1");
    assertThat(listed.getFirst().events()).isEmpty();
    assertThat(listed.getFirst().state()).containsEntry("cart", "tea");
  }

  @Test
  void aConfigurationLooksAtAllEvents() {
    Session session = make("ann", "s1", Map.of());
    for (int i = 1; i <= 3; i++) {
      append(session, said("user", Part.fromText("No. " + i)).timestamp(1_000L * i).build());
    }
    GetSessionConfig config =
        GetSessionConfig.builder()
            .numRecentEvents(2)
            .afterTimestamp(java.time.Instant.ofEpochSecond(3))
            .build();
    Session found =
        context.sessions().getSession("shop", "ann", "s1", Optional.of(config)).blockingGet();
    assertThat(Objects.requireNonNull(found).events())
        .extracting(event -> ShopRuns.text(event.content().orElseThrow()))
        .containsExactly("No. 3");
  }

  @Test
  void aSessionThatIsThereIsNotMadeAgain() {
    make("ann", "s1", Map.of());
    assertCode(() -> make("ann", "s1", Map.of()), ErrorCode.ID_CONFLICT);
    assertCode(() -> make("ann b", "s1", Map.of()), ErrorCode.INVALID_SCOPE);
  }

  @Test
  void aDeletedSessionIsGone() {
    Session session = make("ann", "s1", Map.of());
    append(session, said("user", Part.fromText("Hi")).build());
    context.sessions().deleteSession("shop", "ann", "s1").blockingAwait();
    assertThat(load("ann", "s1")).isNull();
    Event late = said("atlas", Part.fromText("Hello")).build();
    assertCode(() -> append(session, late), ErrorCode.NOT_FOUND);
    assertThat(session.events()).hasSize(1);
  }

  @Test
  void aFileThatIsOnlyAnAddressIsRefused() {
    Session session = make("ann", "s1", Map.of());
    Event event = said("user", Part.fromUri("gs://bucket/a.pdf", "application/pdf")).build();
    assertCode(() -> append(session, event), ErrorCode.INVALID_ARGUMENT);
    assertThat(session.events()).isEmpty();
    assertThat(loaded("ann", "s1").events()).isEmpty();
  }

  @Test
  void aLargeEventIsKept() {
    Session session = make("ann", "s1", Map.of());
    String text = "\"tea\" ".repeat(40_000);
    append(session, said("user", Part.fromText(text)).build());
    restart();
    Event kept = loaded("ann", "s1").events().getFirst();
    assertThat(ShopRuns.text(kept.content().orElseThrow())).isEqualTo(text);
  }

  private static void assertCode(Runnable work, ErrorCode code) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            ContextureException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }

  @Test
  void aResultThatComesAgainIsANotice() {
    Session session = make("ann", "s1", Map.of());
    FunctionCall call =
        FunctionCall.builder().id("c1").name("refund").args(Map.of("sum", 3)).build();
    append(session, said("user", Part.fromText("Refund me")).build());
    append(session, said("atlas", Part.builder().functionCall(call).build()).build());
    append(session, said("atlas", given("c1", Map.of("status", "asked"))).build());
    append(session, said("user", given("c1", Map.of("status", "paid"))).build());

    assertThat(loaded("ann", "s1").events()).hasSize(4);
    assertThat(
            engine
                .browser(Scope.of("acme", "shop").user("ann").conversation("s1"))
                .visibleEntries()
                .stream()
                .filter(entry -> entry.block().type().equals(BlockType.REACT_NOTICE))
                .flatMap(entry -> entry.block().text().stream()))
        .containsExactly("The result of refund is now: {\"status\":\"paid\"}");
  }

  private static Part given(String id, Map<String, Object> response) {
    return Part.builder()
        .functionResponse(
            FunctionResponse.builder().id(id).name("refund").response(response).build())
        .build();
  }

  @Test
  void memoryFindsWhatWasSaidInOtherSessions() {
    Session session = make("ann", "s1", Map.of());
    append(session, said("user", Part.fromText("My tent has a torn zip.")).build());
    append(session, said("atlas", Part.fromText("I send a new zip.")).build());
    context.sessions().closeSession(session).blockingAwait();
    make("bob", "s2", Map.of());
    context.memory().addSessionToMemory(session).blockingAwait();

    List<MemoryEntry> found =
        context.memory().searchMemory("shop", "ann", "torn zip").blockingGet().memories();
    assertThat(ShopRuns.text(found.getFirst().content())).contains("torn zip");
    assertThat(found.getFirst().author()).isEqualTo("user");
    assertThat(found.getFirst().timestamp()).isNotBlank();
    assertThat(context.memory().searchMemory("shop", "bob", "torn zip").blockingGet().memories())
        .isEmpty();
    context.sessions().deleteSession("shop", "ann", "s1").blockingAwait();
    assertCode(
        () -> context.memory().addSessionToMemory(session).blockingAwait(), ErrorCode.NOT_FOUND);
  }
}
