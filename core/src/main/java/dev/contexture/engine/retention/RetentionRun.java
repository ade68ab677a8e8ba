package dev.contexture.engine.retention;

import dev.contexture.block.Scope;
import dev.contexture.engine.retention.RetentionReport.Outlived;
import dev.contexture.engine.retention.RetentionRules.Kind;
import dev.contexture.engine.retention.RetentionRules.Rule;
import dev.contexture.engine.session.ConversationEraser;
import dev.contexture.engine.session.SessionRegistry;
import dev.contexture.error.Cancellation;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.Head;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Store;
import dev.contexture.store.UserEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One look for what outlived the rules, and its erasing. Each conversation is erased on its own, as
 * a caller would do it, so that others go on in between; one that somebody wrote to since it was
 * found stays. Confined to one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RetentionRun {
  private static final int PAGE = 200;
  private static final int REQUEST_PAGE = 64; // a record may be large
  private static final int EVENT_STEP = 1_000;

  private final Store store;
  private final SessionRegistry sessions;
  private final RetentionRules rules;
  private final Instant now;
  private final boolean dryRun;
  private final Consumer<Outlived> erased;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final List<Outlived> found = new ArrayList<>();

  /**
   * @param dryRun whether nothing is erased
   * @param erased told of each conversation once it is erased
   */
  public RetentionRun(
      Store store,
      SessionRegistry sessions,
      RetentionRules rules,
      Instant now,
      boolean dryRun,
      Consumer<Outlived> erased) {
    this.store = store;
    this.sessions = sessions;
    this.rules = rules;
    this.now = now;
    this.dryRun = dryRun;
    this.erased = erased;
  }

  /** What was found so far. */
  public RetentionReport report(boolean pending) {
    return new RetentionReport(dryRun, counts, found, pending);
  }

  /** Goes through a project. */
  public void project(Scope scope) {
    boolean ofConversations =
        rules.rules().containsKey(Kind.CONVERSATIONS) || rules.rules().containsKey(Kind.REQUESTS);
    UserEntry.@Nullable Cursor after = null;
    List<UserEntry> page = ofConversations ? store.users(scope, null, PAGE) : List.of();
    while (!page.isEmpty()) {
      for (UserEntry user : page) {
        user(scope.user(user.user()));
        after = user.cursor();
      }
      page = page.size() < PAGE ? List.of() : store.users(scope, after, PAGE);
    }
    if (rules.rules().containsKey(Kind.EVENTS)) {
      events(scope, rules.of(Kind.EVENTS));
    }
  }

  private void user(Scope.OfUser user) {
    Rule rule = rules.of(Kind.CONVERSATIONS);
    long place = 0;
    ConversationEntry.@Nullable Cursor after = null;
    List<ConversationEntry> page = store.conversations(user, null, PAGE);
    while (!page.isEmpty()) {
      for (ConversationEntry entry : page) {
        Cancellation.check();
        place++;
        after = entry.cursor();
        if (!outlived(entry, rule, place) || !conversation(entry)) {
          requests(entry.conversation());
        }
      }
      page = page.size() < PAGE ? List.of() : store.conversations(user, after, PAGE);
    }
  }

  /** A conversation that is being worked on does not go because there are others. */
  private boolean outlived(ConversationEntry entry, Rule rule, long place) {
    Head head = entry.head();
    boolean old = head.lastActivityAt().isBefore(rule.cutoff(now));
    return old || (place > rule.number() && head.openTurn() == null);
  }

  /** Whether it is gone, or would be. */
  private boolean conversation(ConversationEntry entry) {
    long version = entry.head().version();
    boolean gone =
        dryRun
            || ConversationEraser.erase(
                sessions.session(entry.conversation()), head -> head.version() == version);
    if (gone) {
      Outlived one = new Outlived(entry.conversation(), entry.head().lastActivityAt());
      count(Kind.CONVERSATIONS, 1);
      if (found.size() < RetentionReport.SHOWN) {
        found.add(one);
      }
      if (!dryRun) {
        erased.accept(one);
      }
    }
    return gone;
  }

  private void requests(Scope.OfConversation conversation) {
    if (!rules.rules().containsKey(Kind.REQUESTS)) {
      return;
    }
    Set<String> old = outlivedRequests(conversation, rules.of(Kind.REQUESTS));
    if (dryRun || old.isEmpty()) {
      count(Kind.REQUESTS, old.size());
      return;
    }
    List<String> ids = List.copyOf(old);
    for (int from = 0; from < ids.size(); from += Store.MAX_PAGE) {
      Set<String> some = Set.copyOf(ids.subList(from, Math.min(ids.size(), from + Store.MAX_PAGE)));
      count(Kind.REQUESTS, ConversationEraser.eraseRequests(sessions.session(conversation), some));
    }
  }

  private Set<String> outlivedRequests(Scope.OfConversation conversation, Rule rule) {
    Instant cutoff = rule.cutoff(now);
    Set<String> old = new HashSet<>();
    long place = 0;
    List<RequestRow> page = store.requests(conversation, null, REQUEST_PAGE);
    while (!page.isEmpty()) {
      for (RequestRow row : page) {
        place++;
        if (place > rule.number() || row.at().isBefore(cutoff)) {
          old.add(row.id());
        }
      }
      page =
          page.size() < REQUEST_PAGE
              ? List.of()
              : store.requests(conversation, page.getLast().id(), REQUEST_PAGE);
    }
    return old;
  }

  private void events(Scope scope, Rule rule) {
    Instant cutoff = rule.cutoff(now);
    long outlived = store.memory().outlivedEvents(scope, cutoff, rule.number());
    if (dryRun || outlived == 0) {
      count(Kind.EVENTS, outlived);
      return;
    }
    long step;
    do {
      Cancellation.check();
      step = store.eraseEvents(scope, cutoff, rule.number(), EVENT_STEP, now);
      count(Kind.EVENTS, step);
    } while (step == EVENT_STEP);
  }

  private void count(Kind kind, long more) {
    counts.merge(kind, more, Long::sum);
  }
}
