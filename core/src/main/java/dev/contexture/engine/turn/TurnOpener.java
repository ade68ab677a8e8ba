package dev.contexture.engine.turn;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.ConversationServices;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.session.TimelineLoader;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Commit;
import dev.contexture.store.Head;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.Row;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.TurnSettings;
import dev.contexture.turn.TurnStart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/** Opens a turn, or finds the one that is open. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TurnOpener {
  private static final Duration LEASE = Duration.ofMinutes(15);

  private final Session session;
  private final ConversationServices services;

  public TurnOpener(Session session) {
    this.session = session;
    this.services = session.services();
  }

  /**
   * The result of opening a turn.
   *
   * @param turn its id
   * @param resumed whether it was open already
   * @param newConversation whether no kept turn was before it
   * @param omitted turns that the limit leaves out
   * @param input what it was opened with; empty if it was resumed
   */
  public record Opened(
      TurnId turn,
      boolean resumed,
      boolean newConversation,
      Set<TurnId> omitted,
      List<StoredBlock> input) {}

  public Opened open(TurnStart start) {
    Instant now = services.now();
    TurnId id = start.id().orElseGet(() -> services.ids().turn(now));
    if (start.hasInput() && isFree()) {
      Optional<Opened> opened = create(start, id, now);
      if (opened.isPresent()) {
        return opened.get();
      }
    }
    Optional<StoredTurn> known = services.store().turn(session.scope(), id);
    if (known.isPresent()) {
      return resume(start, known.get());
    }
    if (!start.hasInput()) {
      throw ContextureException.invalid(
          ErrorCode.NOT_FOUND, "turn_id", id, "an open turn of the conversation");
    }
    return session.untilDone(() -> tryCreate(start, id, now));
  }

  /** Whether no turn is open, so that one can be opened unless its id is used, which is refused. */
  private boolean isFree() {
    return !session.collects() && session.current().timeline().activeTurn().isEmpty();
  }

  /** Empty: another process opened or closed a turn in between. */
  private Optional<Opened> tryCreate(TurnStart start, TurnId id, Instant now) {
    Optional<StoredTurn> known = services.store().turn(session.scope(), id);
    if (known.isPresent()) {
      return Optional.of(resume(start, known.get()));
    }
    closeOther(start, now);
    return create(start, id, now);
  }

  private Opened resume(TurnStart start, StoredTurn known) {
    if (known.status() != TurnStatus.OPEN) {
      throw Session.turnClosed(known.turn(), known.status().wireName());
    }
    if (start.hasInput()) {
      checkSameInput(start, known);
    }
    session.claim(known.turn());
    SettingsReader settings = SettingsReader.of(session);
    boolean asked = !start.turnLimit().equals(TurnLimit.NONE);
    TurnLimit limit = asked ? start.turnLimit() : settings.of(known.turn()).turnLimit();
    return new Opened(
        known.turn(), true, isNew(), settings.omitted(known.turn(), limit), List.of());
  }

  /** Whether a block is what a turn is opened with; other things may come with the same commit. */
  private static boolean isInput(Block block) {
    return block.type().equals(BlockType.TURN_HEADER) || block.type().name().startsWith("user.");
  }

  /** A repeat brings what the turn was opened with; what was added later does not count. */
  private void checkSameInput(TurnStart start, StoredTurn known) {
    List<Block> stored =
        services.store().turnBlocks(session.scope(), known.turn()).stream()
            .filter(row -> row.version() == known.openedVersion())
            .map(StoredBlock::block)
            .filter(TurnOpener::isInput)
            .toList();
    Instant opened =
        stored.stream().flatMap(b -> b.ts().stream()).findFirst().orElse(Instant.EPOCH);
    List<Block> wanted = input(start, known.turn(), start.ts().orElse(opened));
    boolean same =
        wanted.equals(stored)
            && (start.agent() == null || start.agent().equals(known.row().agent()))
            && isSame(start.settings(), known)
            && (start.parent() == null || start.parent().equals(known.row().parent()));
    if (!same) {
      throw ContextureException.invalid(
          ErrorCode.ID_CONFLICT,
          "turn_id",
          known.turn(),
          "the prompt, attachments and settings that the open turn was started with, or another"
              + " id");
    }
  }

  private static boolean isSame(TurnSettings given, StoredTurn known) {
    return given.equals(TurnSettings.NONE)
        || given.equals(SettingsReader.settings(known.row().meta()));
  }

  /** Closes another open turn as the caller wants it, or refuses while somebody works on it. */
  private void closeOther(TurnStart start, Instant now) {
    Optional<Head> head = services.store().head(session.scope());
    TurnId open = head.map(Head::openTurn).orElse(null);
    if (head.isEmpty() || open == null) {
      return;
    }
    TurnCloser closing = new TurnCloser(session, open);
    switch (start.supersede()) {
      case INTERRUPT -> closing.interrupt("superseded");
      case ABORT -> closing.abort("superseded");
      case NO -> {
        if (isAlive(open, head.get(), now)) {
          throw Session.inProgress(open);
        }
        if (start.onIncomplete() == TurnStart.OnIncomplete.INTERRUPT) {
          closing.interrupt("crashed");
        } else {
          closing.leave();
        }
      }
    }
  }

  /** A lease lives 15 minutes from the last operation, and no longer than an exclusive owner. */
  private boolean isAlive(TurnId open, Head head, Instant now) {
    TurnRow.Lease lease =
        services.store().turn(session.scope(), open).map(turn -> turn.row().lease()).orElse(null);
    Instant claimed = session.claimedAt(open).orElse(null);
    if (claimed != null && lives(claimed.plus(LEASE), now)) {
      return true;
    }
    boolean mine = claimed != null || (lease != null && lease.owner().equals(services.owner()));
    if (lease == null || (services.exclusive() && !mine)) {
      return false;
    }
    return lives(lease.until(), now) || lives(head.lastActivityAt().plus(LEASE), now);
  }

  /** A time beyond what a lease can last, twice over, comes from a clock that was wrong. */
  private static boolean lives(Instant until, Instant now) {
    return now.isBefore(until) && !until.isAfter(now.plus(LEASE.multipliedBy(2)));
  }

  private Optional<Opened> create(TurnStart start, TurnId id, Instant now) {
    Instant startedAt = start.ts().orElse(now);
    checkAttachments(start);
    List<Block> blocks = new ArrayList<>(input(start, id, startedAt));
    blocks.addAll(1, FeedbackWriter.untold(session, id, startedAt));
    blocks.addAll(LateResultWriter.untold(session, id, startedAt));
    blocks.forEach(services.limits()::check);
    TurnRow row =
        TurnRow.open(id, startedAt)
            .withAgent(start.agent())
            .withParent(start.parent())
            .withMeta(meta(start.settings()))
            .withLease(new TurnRow.Lease(services.owner(), now.plus(LEASE)));
    WriteSet set =
        WriteSet.of(session.scope(), now)
            .expect(new Precondition.TurnUnused(id))
            .expect(new Precondition.NoOpenTurn(null))
            .add(new Row.PutTurn(row))
            .append(BlockAppender.rows(blocks))
            .note(
                JsonObject.builder()
                    .put("type", "turn")
                    .put("turn_id", id.value())
                    .put("status", TurnStatus.OPEN.wireName())
                    .build())
            .build();
    boolean fresh = isNew();
    Commit commit =
        session.commit(
            set,
            before -> before.append(blocks).withTurn(TimelineLoader.state(row)).withActiveTurn(id));
    if (commit instanceof Commit.Conflict conflict) {
      if (conflict.reason() instanceof Reason.TurnUsed
          || conflict.reason() instanceof Reason.TurnOpen) {
        return Optional.empty();
      }
      throw session.conflict(conflict);
    }
    session.claim(id);
    Set<TurnId> omitted = SettingsReader.of(session).omitted(id, start.turnLimit());
    return Optional.of(
        new Opened(id, false, fresh, omitted, input((Commit.Committed) commit, blocks)));
  }

  private static List<StoredBlock> input(Commit.Committed done, List<Block> blocks) {
    List<StoredBlock> input = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      if (isInput(blocks.get(i))) {
        input.add(new StoredBlock(done.firstSeq() + i, done.version(), blocks.get(i)));
      }
    }
    return List.copyOf(input);
  }

  private static JsonObject meta(TurnSettings settings) {
    return settings.equals(TurnSettings.NONE)
        ? JsonObject.EMPTY
        : JsonObject.of(SettingsReader.META, settings.toJson());
  }

  private boolean isNew() {
    Timeline loaded = session.current().timeline();
    if (loaded.turns().values().stream().anyMatch(turn -> turn.status().kept())) {
      return false; // else it may have kept turns that are not loaded
    }
    return services.store().head(session.scope()).map(head -> head.keptTurns() == 0).orElse(true);
  }

  private void checkAttachments(TurnStart start) {
    long bytes = start.attachments().stream().mapToLong(Attachment::sizeBytes).sum();
    services.limits().checkAttachments(start.attachments().size(), bytes);
  }

  /** Header, prompt, and per attachment its line, its binary and its text. */
  private static List<Block> input(TurnStart start, TurnId turn, Instant ts) {
    List<Block> blocks = new ArrayList<>();
    Block.Builder header = Block.builder(BlockType.TURN_HEADER).author(Author.SYSTEM);
    if (!start.blockRefs().isEmpty()) {
      header.meta("block_refs", JsonArray.ofStrings(start.blockRefs()));
    }
    blocks.add(header.build(turn, ts));
    start
        .prompt()
        .filter(text -> !text.isBlank())
        .ifPresent(
            text ->
                blocks.add(
                    Block.builder(BlockType.USER_PROMPT)
                        .author(Author.USER)
                        .path(BlockPath.userPrompt(turn))
                        .text(text)
                        .build(turn, ts)));
    List<String> names = AttachmentNames.distinct(start.attachments());
    for (int i = 0; i < names.size(); i++) {
      BlockPath path = BlockPath.attachment(turn, names.get(i));
      add(blocks, start.attachments().get(i), path, ts);
    }
    return blocks;
  }

  private static void add(List<Block> blocks, Attachment attachment, BlockPath path, Instant ts) {
    TurnId turn = path.turn().orElseThrow();
    JsonObject.Builder meta = JsonObject.builder();
    meta.put("filename", attachment.name()).put("mime", attachment.mime());
    attachment.summary().ifPresent(summary -> meta.put("summary", JsonValue.of(summary)));
    blocks.add(
        Block.builder(BlockType.USER_ATTACHMENT_META)
            .author(Author.USER)
            .path(path)
            .meta(meta.build())
            .build(turn, ts));
    if (attachment.binary() != null) {
      blocks.add(
          Block.builder(BlockType.USER_ATTACHMENT)
              .author(Author.USER)
              .path(path)
              .mime(attachment.mime())
              .data(attachment.binary())
              .build(turn, ts));
    }
    if (attachment.content() != null) {
      blocks.add(
          Block.builder(BlockType.USER_ATTACHMENT_TEXT)
              .author(Author.USER)
              .path(path)
              .mime(attachment.mime())
              .text(attachment.content())
              .build(turn, ts));
    }
  }
}
