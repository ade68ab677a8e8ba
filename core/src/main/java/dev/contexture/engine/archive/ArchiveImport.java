package dev.contexture.engine.archive;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Takes the parts of one archive in: all of them are compared with what is there before the first
 * is written, each of them is in memory only while it is looked at. Confined to one thread.
 */
final class ArchiveImport {
  private final Store store;
  private final Scope scope;
  private final ArchiveCopy copy;

  ArchiveImport(Store store, Scope scope, ArchiveCopy copy) {
    this.store = store;
    this.scope = scope;
    this.copy = copy;
  }

  ArchiveReport run() {
    List<ArchiveCopy.Part> missing = copy.parts().stream().filter(this::isMissing).toList();
    ofType(missing, ArchiveLine.AGENT).forEach(part -> write(agent(part)));
    List<ArchiveCopy.Part> blocks = ofType(missing, ArchiveLine.MEMORY);
    blocks.forEach(part -> block(part).write());
    List<ArchiveCopy.Part> entries = ofType(missing, ArchiveLine.ENTRY);
    entries.forEach(part -> write(entry(part)));
    int turns = 0;
    List<ArchiveCopy.Part> conversations = ofType(missing, ArchiveLine.CONVERSATION);
    for (ArchiveCopy.Part part : conversations.reversed()) { // the newest stays the newest
      ConversationImport conversation = conversation(part);
      conversation.write();
      turns += conversation.turnCount();
    }
    int written = conversations.size() + blocks.size() + entries.size();
    return new ArchiveReport(
        conversations.size(), turns, blocks.size(), entries.size(), given() - written);
  }

  private static List<ArchiveCopy.Part> ofType(List<ArchiveCopy.Part> parts, String type) {
    return parts.stream().filter(part -> part.type().equals(type)).toList();
  }

  /** All but agents, which are not counted. */
  private int given() {
    return copy.parts().size() - ofType(copy.parts(), ArchiveLine.AGENT).size();
  }

  private boolean isMissing(ArchiveCopy.Part part) {
    return switch (part.type()) {
      case ArchiveLine.AGENT -> store.memory().agent(scope.agent(agent(part).agent())).isEmpty();
      case ArchiveLine.ENTRY -> !isThere(entry(part));
      case ArchiveLine.MEMORY -> !block(part).isThere();
      default -> !conversation(part).isThere();
    };
  }

  private List<ArchiveLine> lines(ArchiveCopy.Part part) {
    List<ArchiveLine> lines = new ArrayList<>();
    copy.read(part, lines::add);
    return lines;
  }

  private AgentRow agent(ArchiveCopy.Part part) {
    return only(part).read(AgentRow.class);
  }

  private ArchivalRow entry(ArchiveCopy.Part part) {
    return only(part).read(ArchivalRow.class);
  }

  private ArchiveLine only(ArchiveCopy.Part part) {
    List<ArchiveLine> lines = lines(part);
    if (lines.size() > 1) {
      ArchiveLine second = lines.get(1);
      throw ArchiveLine.malformed(
          second.number(), "'" + second.type() + "' has no place behind " + part.type(), null);
    }
    return lines.getFirst();
  }

  private MemoryImport block(ArchiveCopy.Part part) {
    AtomicReference<MemoryImport> read = new AtomicReference<>();
    copy.read(
        part,
        line -> {
          MemoryImport block = read.get();
          if (block == null) {
            read.set(new MemoryImport(store, scope, line));
          } else {
            block.add(line);
          }
        });
    return read.get();
  }

  private ConversationImport conversation(ArchiveCopy.Part part) {
    AtomicReference<ConversationImport> read = new AtomicReference<>();
    copy.read(
        part,
        line -> {
          ConversationImport conversation = read.get();
          if (conversation == null) {
            read.set(new ConversationImport(store, scope, line));
          } else {
            conversation.add(line);
          }
        });
    return read.get();
  }

  private boolean isThere(ArchivalRow entry) {
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

  private void write(AgentRow agent) {
    Archives.done(
        store.commit(
            WriteSet.of(scope, agent.createdAt()).add(new MemoryRow.PutAgent(agent)).build()));
  }

  private void write(ArchivalRow entry) {
    Archives.done(
        store.commit(
            WriteSet.of(scope, entry.at())
                .add(new MemoryRow.EnsureAgent(entry.agent()))
                .add(new MemoryRow.AddArchival(entry))
                .add(new MemoryRow.IndexArchival(entry.id()))
                .build()));
  }
}
