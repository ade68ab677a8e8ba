package dev.contexture.engine.archive;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

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
        .put("format", ArchiveReader.FORMAT)
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
    List<ArchiveLine> lines = ArchiveReader.read(from);
    lines.forEach(line -> bounds.check(line.number(), line.type(), line.json()));
    Content content = content(scope, lines);
    List<MemoryImport> blocks = content.blocks.stream().filter(block -> !block.isThere()).toList();
    List<ConversationImport> conversations =
        content.conversations.stream().filter(each -> !each.isThere()).toList();
    List<ArchivalRow> entries =
        content.entries.stream().filter(entry -> !isThere(scope, entry)).toList();
    content.agents.forEach(agent -> ensure(scope, agent));
    blocks.forEach(MemoryImport::write);
    entries.forEach(entry -> write(scope, entry));
    conversations.reversed().forEach(ConversationImport::write); // the newest stays the newest
    int given = content.blocks.size() + content.conversations.size() + content.entries.size();
    return new ArchiveReport(
        conversations.size(),
        conversations.stream().mapToInt(ConversationImport::turnCount).sum(),
        blocks.size(),
        entries.size(),
        given - blocks.size() - conversations.size() - entries.size());
  }

  private record Content(
      List<AgentRow> agents,
      List<MemoryImport> blocks,
      List<ArchivalRow> entries,
      List<ConversationImport> conversations) {}

  private Content content(Scope scope, List<ArchiveLine> lines) {
    Content content =
        new Content(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    Consumer<ArchiveLine> part = null;
    for (ArchiveLine line : lines) {
      switch (line.type()) {
        case ArchiveLine.AGENT -> content.agents.add(line.read(AgentRow.class));
        case ArchiveLine.ENTRY -> content.entries.add(line.read(ArchivalRow.class));
        case ArchiveLine.MEMORY -> {
          content.blocks.add(new MemoryImport(store, scope, line));
          part = content.blocks.getLast()::add;
        }
        case ArchiveLine.CONVERSATION -> {
          content.conversations.add(new ConversationImport(store, scope, line));
          part = content.conversations.getLast()::add;
        }
        default -> partOf(line, part).accept(line);
      }
    }
    return content;
  }

  private static Consumer<ArchiveLine> partOf(
      ArchiveLine line, @Nullable Consumer<ArchiveLine> part) {
    if (part == null) {
      throw ArchiveLine.malformed(
          line.number(), "'" + line.type() + "' stands before what it belongs to", null);
    }
    return part;
  }

  private boolean isThere(Scope scope, ArchivalRow entry) {
    ArchivalRow known = store.memory().archivalEntry(scope, entry.id()).orElse(null);
    if (known != null && !known.content().equals(entry.content())) {
      throw new ContextureException(
          ErrorCode.ID_CONFLICT,
          "the project has another archival entry " + entry.id() + "; nothing was imported",
          Map.of("id", entry.id()),
          null);
    }
    return known != null;
  }

  private void ensure(Scope scope, AgentRow agent) {
    if (store.memory().agent(scope.agent(agent.agent())).isEmpty()) {
      done(
          store.commit(
              WriteSet.of(scope, agent.createdAt()).add(new MemoryRow.PutAgent(agent)).build()));
    }
  }

  private void write(Scope scope, ArchivalRow entry) {
    done(
        store.commit(
            WriteSet.of(scope, entry.at())
                .add(new MemoryRow.EnsureAgent(entry.agent()))
                .add(new MemoryRow.AddArchival(entry))
                .add(new MemoryRow.IndexArchival(entry.id()))
                .build()));
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
