package dev.contexture.engine.archive;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.Store;
import dev.contexture.store.memory.AgentRow;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;

/**
 * Conversations and memory of a store as archives: JSON lines, each with a hash of itself and all
 * before it. An archive is taken in by any store, of another kind and another project too, and is
 * then what it was: turns, blocks, summaries, what is hidden and pinned, sources, requests; memory
 * blocks with history, shares and users; archival entries. Not in it are keys of repeated calls,
 * events and open questions. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public final class Archives {
  private final Store store;
  private final InstantSource clock;

  public Archives(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Writes one conversation.
   *
   * @throws ContextureException {@code not_found} if there is none
   */
  public void exportConversation(Scope.OfConversation conversation, OutputStream to) {
    write(
        to,
        header("conversation", conversation.owner().scope())
            .put("user", conversation.user())
            .put("conversation", conversation.conversation()),
        out -> new ConversationExport(store, conversation, out).write());
  }

  /** Writes all of a user: what agents remember of them, and their conversations. */
  public void exportUser(Scope.OfUser user, OutputStream to) {
    write(
        to,
        header("user", user.scope()).put("user", user.user()),
        out -> {
          new MemoryExport(store, user.scope(), out).user(user.user());
          conversationsOf(user, one -> new ConversationExport(store, one, out).write());
        });
  }

  /** Writes all that an agent remembers, of all of its users. */
  public void exportAgent(Scope.OfAgent agent, OutputStream to) {
    write(
        to,
        header("agent", agent.scope()).put("agent", agent.agent()),
        out -> new MemoryExport(store, agent.scope(), out).agent(agent));
  }

  /**
   * Writes one conversation as Markdown, for people; it cannot be taken in again.
   *
   * @throws ContextureException {@code not_found} if there is none
   */
  public void writeConversation(Scope.OfConversation conversation, OutputStream to) {
    new MarkdownExport(store, to).conversation(conversation);
  }

  /** Writes what agents remember of a user, and the user's conversations, as Markdown. */
  public void writeUser(Scope.OfUser user, OutputStream to) {
    MarkdownExport out = new MarkdownExport(store, to);
    out.memoryOf(user);
    conversationsOf(user, out::conversation);
  }

  /** Writes what an agent remembers, of all of its users, as Markdown. */
  public void writeAgent(Scope.OfAgent agent, OutputStream to) {
    new MarkdownExport(store, to).agent(agent);
  }

  /** Whether there is anything of a user to write: a conversation, or memory. */
  public boolean hasUser(Scope.OfUser user) {
    if (!store.conversations(user, null, 1).isEmpty()) {
      return true;
    }
    return Pages.any(
        after -> store.memory().agents(user.scope(), after, Store.MAX_PAGE),
        AgentRow::agent,
        agent -> Pages.knows(store.memory(), user.scope().agent(agent.agent()), user.user()));
  }

  private void conversationsOf(Scope.OfUser user, Consumer<Scope.OfConversation> each) {
    ConversationEntry.Cursor after = null;
    List<ConversationEntry> page;
    do {
      page = store.conversations(user, after, Store.MAX_PAGE);
      for (ConversationEntry entry : page) {
        each.accept(entry.conversation());
        after = entry.cursor();
      }
    } while (page.size() == Store.MAX_PAGE);
  }

  private JsonObject.Builder header(String kind, Scope scope) {
    return JsonObject.builder()
        .put("format", ArchiveCopy.FORMAT)
        .put("kind", kind)
        .put("tenant", scope.tenant())
        .put("project", scope.project())
        .put("made_at", clock.instant().toString());
  }

  private static void write(
      OutputStream to, JsonObject.Builder header, Consumer<ArchiveOutput> content) {
    ArchiveOutput out = new ArchiveOutput(to);
    out.line(ArchiveLine.HEADER, header.build());
    content.accept(out);
    out.end();
  }

  /**
   * Takes an archive in, into a project. What is there already, unchanged, is passed over, so that
   * it may be tried again.
   *
   * @throws ContextureException {@code import_malformed} for what is no archive, is not complete or
   *     was changed, {@code id_conflict} if the project has something else under one of the names:
   *     then nothing is imported
   */
  public ArchiveReport importArchive(Scope scope, InputStream from) {
    return importArchive(scope, from, new ArchiveBounds(null, null));
  }

  /**
   * The same for an archive that may hold no more than the bounds say.
   *
   * @throws ContextureException {@code forbidden} if it holds more: then nothing is imported
   */
  public ArchiveReport importArchive(Scope scope, InputStream from, ArchiveBounds bounds) {
    return importArchive(scope, from, bounds, bytes -> {});
  }

  /**
   * The same for a caller who keeps count of memory. The archive is copied to the folder for
   * temporary files first; of the copy one conversation or memory block is in memory at a time.
   *
   * @param room is told, before it is used, of the bytes by which a part is larger than all before
   *     it, and may refuse
   */
  public ArchiveReport importArchive(
      Scope scope, InputStream from, ArchiveBounds bounds, LongConsumer room) {
    try (ArchiveCopy copy = ArchiveCopy.of(from, bounds, room)) {
      return new ArchiveImport(store, scope, copy).run();
    }
  }

  /** Refuses what could not be written because somebody else wrote meanwhile. */
  static void done(Commit commit) {
    if (commit instanceof Commit.Conflict conflict) {
      throw new ContextureException(
          ErrorCode.ID_CONFLICT,
          "the store changed during the import: " + conflict.reason() + "; import it again",
          Map.of(),
          null);
    }
  }
}
