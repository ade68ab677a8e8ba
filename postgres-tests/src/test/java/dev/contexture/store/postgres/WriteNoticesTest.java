package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.event.Change;
import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import dev.contexture.memory.schema.MemoryBlockType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** How processes hear of each other's writes, and that they find them without. */
@Timeout(300)
class WriteNoticesTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final Scope.OfConversation CHAT = SHOP.user("ann").conversation("c1");
  private static final String LISTENERS =
      "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = '"
          + NoticeConnections.NAME
          + "' AND query LIKE 'LISTEN%' AND datname = '";
  private static final String END =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
          + NoticeConnections.NAME
          + "' AND datname = '";

  private final PostgresServer server = PostgresServer.newest();

  @TempDir Path folder;

  private static void say(Contexture engine, String prompt) {
    try (Turn turn = engine.browser(CHAT).startTurn(prompt)) {
      turn.finish("answer to " + prompt);
    }
  }

  private static void await(String what, BooleanSupplier done) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(20);
    }
  }

  private boolean listens(String database, int listeners) {
    return server
        .query(database, "postgres", LISTENERS + database + "'")
        .equals(List.of(Integer.toString(listeners)));
  }

  /** A store looks for nothing by itself: what it hears was told. */
  @Test
  void aWriteIsHeardAndSoAreOthersAfterTheConnectionsWereLost() throws Exception {
    PostgresSettings settings = server.empty("heard");
    Semaphore heard = new Semaphore(0);
    try (PostgresStore listens = PostgresStore.open(settings);
        Contexture writes = Contexture.builder(PostgresStore.open(settings)).build();
        Changes.Subscription chat = listens.whenOthersWrite(WriteTopic.of(CHAT), heard::release)) {
      assertThat(chat).isNotNull();
      assertHeardWhere(heard, "heard", 2);
      say(writes, "first");
      assertThat(heard.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
      heard.drainPermits();
      server.admin("postgres", END + "heard'");
      assertThat(heard.tryAcquire(1, TimeUnit.MINUTES)).as("called when it hears again").isTrue();
      await("both listen again", () -> listens("heard", 2));
      say(writes, "second"); // the first notice may find that its connection is lost
      heard.drainPermits();
      say(writes, "third");
      await(
          "heard after the loss",
          () -> {
            say(writes, "again");
            return heard.drainPermits() > 0;
          });
    }
  }

  /** The listeners are called once when they begin to hear. */
  private void assertHeardWhere(Semaphore heard, String database, int listeners)
      throws InterruptedException {
    await("listens", () -> listens(database, listeners));
    assertThat(heard.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
    heard.drainPermits();
  }

  @Test
  void topicsTellNothingToOthersAndManyBecomeAll() {
    String key = NoticeTopics.key(WriteTopic.of(CHAT));
    assertThat(key).hasSize(12).doesNotContain("ann").isNotEqualTo(key(SHOP));
    List<String> some = IntStream.range(0, 600).mapToObj(n -> key(SHOP)).toList();
    assertThat(NoticeTopics.text(some).length()).isLessThan(8_000);
    assertThat(NoticeTopics.text(IntStream.range(0, 601).mapToObj(n -> "" + n).toList()))
        .isEqualTo(NoticeTopics.ALL);
    NoticeTopics topics = new NoticeTopics();
    Semaphore heard = new Semaphore(0);
    try (Changes.Subscription chat = topics.add(WriteTopic.of(CHAT), heard::release)) {
      assertThat(chat).isNotNull();
      topics.tell(key(SHOP));
      assertThat(heard.drainPermits()).isZero();
      topics.tell(key(SHOP) + " " + key);
      topics.tell(NoticeTopics.ALL);
      assertThat(heard.drainPermits()).isEqualTo(2);
    }
    topics.tell(key);
    assertThat(heard.drainPermits()).isZero();
  }

  private static String key(Scope scope) {
    return NoticeTopics.key(WriteTopic.of(scope));
  }

  @Test
  void whatComesTogetherIsOneNotice() throws Exception {
    PostgresSettings settings = server.empty("together");
    int sent = 500;
    try (Connection connection = server.connect("together", PostgresServer.ROLE);
        Statement listen = connection.createStatement();
        NoticeSender sender = new NoticeSender(new NoticeConnections(settings))) {
      listen.execute("LISTEN " + NoticeListener.CHANNEL);
      for (int i = 0; i < sent; i++) {
        sender.send(List.of("k" + i));
      }
      Queue<String> keys = new ConcurrentLinkedQueue<>();
      int notices = 0;
      while (keys.size() < sent) {
        PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications(60_000);
        assertThat(heard).as("within a minute").isNotEmpty();
        for (PGNotification notice : heard) {
          keys.addAll(List.of(notice.getParameter().split(" ", -1)));
          notices++;
        }
      }
      assertThat(keys).doesNotHaveDuplicates().contains("k0", "k" + (sent - 1));
      assertThat(notices).isLessThan(sent / 5);
    }
  }

  @Test
  void withoutNoticesTheOthersWritesAreFoundByLooking() throws Exception {
    PostgresSettings settings = server.empty("silent").notices(false);
    assertFound(settings, settings);
    assertThat(listens("silent", 0)).isTrue();
  }

  @Test
  void throughAPoolerNobodyListensAndWritesAreFoundByLooking() throws Exception {
    server.empty("behind");
    try (Pooler pooler = Pooler.start(folder, server)) {
      PostgresSettings settings = pooler.through("behind");
      assertFound(settings, settings);
      await(
          "the listeners gave up",
          () ->
              Thread.getAllStackTraces().keySet().stream()
                  .noneMatch(thread -> thread.getName().equals("contexture-postgres-listen")));
      String listened =
          "SELECT count(*)::text FROM pg_stat_activity WHERE datname = 'behind' AND query LIKE"
              + " 'LISTEN%'";
      assertThat(server.query("behind", "postgres", listened)).containsExactly("0");
    }
  }

  @Test
  void withNoticesTheyAreFoundToo() throws Exception {
    PostgresSettings settings = server.empty("spoken");
    assertFound(settings, settings);
  }

  /** What is done elsewhere and here is told once, and in its order. */
  private static void assertFound(PostgresSettings one, PostgresSettings other) throws Exception {
    Queue<Change> changes = new ConcurrentLinkedQueue<>();
    Semaphore notices = new Semaphore(0);
    try (Contexture here = Contexture.builder(PostgresStore.open(one)).build();
        Contexture there = Contexture.builder(PostgresStore.open(other)).build()) {
      say(here, "before");
      long before = here.store().version(CHAT);
      here.memory(SHOP).forEverybody().subscribe("atlas", "*", notice -> notices.release());
      try (Changes.Subscription followed = here.follow(SHOP, changes::add)) {
        assertThat(followed).isNotNull();
        say(there, "there");
        say(here, "here");
        there
            .memory(SHOP)
            .createBlock("atlas", BlockSpec.of("notes", MemoryBlockType.WORKING).content("x"));
        assertThat(notices.tryAcquire(1, TimeUnit.MINUTES)).as("memory").isTrue();
        long last = here.store().version(CHAT);
        await(
            "all versions from " + (before + 1) + " to " + last + " in " + changes,
            () -> changes.stream().anyMatch(change -> change.version() == last));
        await("each of them", () -> told(changes, before).size() >= last - before);
        assertThat(told(changes, before))
            .containsExactlyInAnyOrderElementsOf(
                LongStream.rangeClosed(before + 1, last).boxed().toList());
        there.browser(CHAT).erase();
        await("the erase", () -> changes.stream().anyMatch(change -> change.version() == 0));
      }
      assertThat(changes.stream().filter(change -> change.version() == 0)).hasSize(1);
    }
  }

  private static List<Long> told(Queue<Change> changes, long after) {
    return changes.stream().map(Change::version).filter(version -> version > after).toList();
  }
}
