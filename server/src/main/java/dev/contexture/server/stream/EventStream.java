package dev.contexture.server.stream;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.event.Change;
import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.conversation.LedgerRoutes;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.RequestRow;
import dev.contexture.store.StoredBlock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One reader of the events of a conversation.
 *
 * <p>What is sent is read from the store, version by version; a change only wakes the reader up. So
 * nothing waits in memory for a reader however slow it is, no writer ever waits for one, and there
 * is no gap between what is replayed and what is live. A reader that does not take what is written
 * to it is dropped by the connection's idle timeout. Where others write too, it looks every second,
 * and when the store hears of them; where nobody does, a quiet stream reads nothing.
 *
 * <p>Each event has an id to resume from. The events of one commit share its version; all but the
 * last carry the version before as id, so that a reader that lost some of them gets all of them
 * again.
 *
 * <p>{@link #run} is confined to one thread; {@link #close} may be called by any.
 */
final class EventStream implements EventRoutes.Stream {
  private static final int PAGE = 100;
  private static final int REQUESTS_PAGE = 16;
  private static final int MAX_KNOWN_REQUESTS = 4_096;
  private static final int MAX_BEGINS = 16;
  private static final long LOOK_AGAIN = 1_000; // milliseconds; for what other processes write

  private final Call call;
  private final Contexture engine;
  private final Scope.OfConversation conversation;
  private final OutputStream out;
  private final Semaphore wake = new Semaphore(0);
  private final Queue<JsonObject> begins = new ArrayBlockingQueue<>(MAX_BEGINS);
  private volatile boolean closed;
  private final LinkedHashSet<String> knownRequests =
      new LinkedHashSet<>(); // sent, or there before
  private Instant since = Instant.MIN; // what was made earlier was there before

  EventStream(Call call, OutputStream out) {
    this.call = call;
    this.engine = call.engine();
    this.conversation = call.conversation();
    this.out = out;
  }

  /**
   * Sends everything after a version, and goes on until the conversation or the stream ends, or the
   * key is not taken any more.
   */
  @Override
  public void run(long after, Duration heartbeat) throws IOException {
    write(": events of " + conversation.conversation() + "\n\n");
    Changes.Subscription here = engine.changes().subscribe(conversation, this::wake);
    Changes.Subscription elsewhere =
        engine.store().whenOthersWrite(WriteTopic.of(conversation), this::wake);
    try {
      follow(after, heartbeat);
    } finally {
      elsewhere.close();
      here.close();
    }
  }

  private void follow(long after, Duration heartbeat) throws IOException {
    long sent = after;
    boolean shared = engine.store().isShared();
    long wait = shared ? Math.min(heartbeat.toMillis(), LOOK_AGAIN) : heartbeat.toMillis();
    long quietSince = System.nanoTime();
    boolean known = false;
    boolean look = true;
    knowRequests();
    while (!closed && call.isAdmitted()) {
      if (look) {
        long before = sent;
        sent = sendChanges(sent);
        if (sent > before) {
          quietSince = System.nanoTime();
          continue;
        }
        sendRequests(sent);
      }
      boolean woken = await(wait);
      if (!call.isAdmitted()) {
        return;
      }
      look = woken || shared; // else nobody wrote: whoever writes here says so
      if (look && engine.store().head(conversation).isEmpty()) {
        if ((woken || known) && !closed) {
          write("event: erase\ndata: {\"type\":\"erase\"}\n\n");
        }
        return;
      }
      known = shared; // if it goes, another process erased it
      if (!woken && System.nanoTime() - quietSince >= heartbeat.toNanos()) {
        write(": alive\n\n");
        quietSince = System.nanoTime();
      }
    }
  }

  /** Sends a page of what was committed behind a version, and says up to which one. */
  private long sendChanges(long after) throws IOException {
    List<ChangeRecord> page = engine.store().changes(conversation, after, PAGE);
    sendBegins(after); // what begins is told before the page was read
    if (!page.isEmpty()) {
      call.checkAgents(); // somebody else may have started a turn of another agent
    }
    long sent = after;
    for (ChangeRecord change : page) {
      send(change);
      sent = change.version();
    }
    return sent;
  }

  /** Takes the newest requests for known, and with them all that were made before these. */
  private void knowRequests() {
    List<RequestRow> page = engine.store().requests(conversation, null, REQUESTS_PAGE);
    page.reversed().forEach(row -> knownRequests.add(row.id()));
    if (page.size() == REQUESTS_PAGE) {
      since = page.getLast().at();
    }
  }

  /**
   * The requests that are not known yet, newest first; then they are. Records come and go (a turn
   * is erased, old ones expire), so that each is known by its id.
   */
  private List<RequestRow> newRequests() {
    List<RequestRow> made = new ArrayList<>();
    @Nullable String before = null;
    List<RequestRow> page;
    boolean met = false;
    do {
      page = engine.store().requests(conversation, before, REQUESTS_PAGE);
      for (RequestRow row : page) {
        met = met || knownRequests.contains(row.id()) || row.at().isBefore(since);
        if (!met) {
          made.add(row);
        }
        before = row.id();
      }
    } while (!met && page.size() == REQUESTS_PAGE && made.size() < MAX_KNOWN_REQUESTS);
    made.reversed().forEach(row -> knownRequests.add(row.id()));
    while (knownRequests.size() > MAX_KNOWN_REQUESTS) {
      knownRequests.removeFirst();
    }
    return made;
  }

  /**
   * Sends the requests that were made while the stream is open. No version stands for them, so that
   * they are not replayed: their records can be listed.
   */
  private void sendRequests(long version) throws IOException {
    for (RequestRow row : newRequests().reversed()) {
      if (!LedgerRoutes.isVisible(call, row)) {
        continue;
      }
      JsonObject event =
          JsonObject.builder()
              .put("version", version)
              .put("type", "request")
              .put("request_id", row.id())
              .putIfPresent("turn_id", row.turn() == null ? null : row.turn().value())
              .putIfPresent("model", row.record().string("model").orElse(null))
              .putIfPresent("prefix", row.record().string("prefix").orElse(null))
              .build();
      write("id: " + version + "\nevent: request\ndata: " + event.toJson() + "\n\n");
    }
  }

  /** Sends that compactions begin. No version stands for that, so that it is not replayed. */
  private void sendBegins(long version) throws IOException {
    for (JsonObject note = begins.poll(); note != null; note = begins.poll()) {
      JsonObject event = JsonObject.builder().put("version", version).putAll(note).build();
      write("id: " + version + "\nevent: compacting\ndata: " + event.toJson() + "\n\n");
    }
  }

  private void wake(Change change) {
    if (change.note().string("type").filter("compacting"::equals).isPresent()) {
      begins.offer(change.note()); // a reader that is too slow misses it
    }
    wake();
  }

  private void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  /** Waits until something happened; false if nothing did for that long. */
  private boolean await(long millis) throws IOException {
    try {
      boolean woken = wake.tryAcquire(millis, TimeUnit.MILLISECONDS);
      wake.drainPermits();
      return woken;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("the stream was interrupted", stopped);
    }
  }

  /** Sends the events of a commit, a page of blocks at a time; the last one has its version. */
  private void send(ChangeRecord change) throws IOException {
    JsonObject note = change.note() == null ? JsonObject.EMPTY : change.note();
    StringBuilder text = new StringBuilder();
    @Nullable JsonObject held = null; // not written before it is known whether it is the last one
    long from = change.lastSeq() > 0 ? change.firstSeq() : 1;
    while (from <= change.lastSeq()) {
      List<StoredBlock> page = engine.store().readRange(conversation, from, change.lastSeq(), PAGE);
      for (StoredBlock block : page) {
        append(text, held, change.version() - 1);
        held = event(change, "block", block(block));
      }
      from = page.size() < PAGE ? Long.MAX_VALUE : page.getLast().seq() + 1;
      write(text.toString());
      text.setLength(0);
    }
    for (JsonObject told : notes(note)) {
      String type = told.string("type").orElse("change");
      if (!type.equals("block") || held == null) {
        append(text, held, change.version() - 1);
        held = event(change, type, told.without("type"));
      }
    }
    append(text, held, change.version());
    write(text.toString());
  }

  /** What a commit tells; that of a step tells of several changes. */
  private static List<JsonObject> notes(JsonObject note) {
    List<JsonValue> changes = note.array("changes").map(JsonArray::items).orElse(List.of());
    return changes.isEmpty()
        ? List.of(note)
        : changes.stream().map(JsonObject.class::cast).toList();
  }

  private static void append(StringBuilder text, @Nullable JsonObject event, long id) {
    if (event != null) {
      text.append("id: ").append(id);
      text.append("\nevent: ").append(event.string("type").orElse("change"));
      text.append("\ndata: ").append(event.toJson()).append("\n\n");
    }
  }

  /** A block without its binary content. */
  private static JsonObject block(StoredBlock stored) {
    return JsonObject.builder()
        .put("turn_id", stored.block().turn().value())
        .put("seq", stored.seq())
        .put("block", ResponseForms.block(stored).without("data"))
        .build();
  }

  private static JsonObject event(ChangeRecord change, String type, JsonObject facts) {
    return JsonObject.builder()
        .put("version", JsonValue.of(change.version()))
        .put("type", type)
        .putAll(facts)
        .build();
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  @Override
  public void close() {
    closed = true;
    wake.release();
  }
}
