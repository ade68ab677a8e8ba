package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.ArchivalEntry;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.error.ReadMeter;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.memory.permission.Actor;
import dev.contexture.search.MetadataFilter;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.MemoryEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps texts that never change. Thread-safe. */
final class Archive {
  private static final int READ_AT_ONCE = 50;
  private static final int MAX_SEEN = 1_000;
  private static final int PAGE_CHARS = 4_000_000;

  private final MemoryServices services;
  private final BlockLookup access;

  Archive(MemoryServices services, BlockLookup access) {
    this.services = services;
    this.access = access;
  }

  /**
   * @param user to whom it belongs; null: as the view says, which is the agent unless it is for a
   *     user
   */
  String insert(
      Viewer viewer,
      String agent,
      @Nullable String user,
      String content,
      @Nullable JsonValue metadata) {
    return services.watched(
        EngineWork.MemoryWrite.Kind.CREATE,
        agent,
        null,
        () -> add(viewer, agent, user, content, metadata),
        id -> new WorkResult.MemoryWritten(id, true));
  }

  private String add(
      Viewer viewer,
      String agent,
      @Nullable String user,
      String content,
      @Nullable JsonValue metadata) {
    Actor actor = viewer.actor();
    String owner = access.ownerOfNew(viewer, agent, user);
    if (content.isBlank()) {
      throw MemoryRefusals.argument("content", content, "some text");
    }
    atMost("content", services.limits().archivalBytes(), content);
    if (metadata != null) {
      String json = metadata.toJson();
      atMost("metadata", services.limits().jsonBytes(), json);
      MemoryRefusals.atMost(
          "metadata", services.limits().jsonDepth(), depth(json), "levels of nesting");
    }
    @Nullable JsonValue kept = metadata == null ? null : SendableText.of(metadata);
    Instant at = services.now();
    ArchivalRow row =
        new ArchivalRow(
            services.ids().next("arc_"), agent, owner, SendableText.of(content), kept, at);
    WriteSet.Builder set =
        WriteSet.of(services.scope(), at)
            .add(new MemoryRow.EnsureAgent(agent))
            .add(new MemoryRow.AddArchival(row))
            .add(new MemoryRow.IndexArchival(row.id()))
            .add(told(actor, row, "archival.added", at));
    if (services.commit(set.build()) instanceof Commit.Conflict conflict) {
      throw new IllegalStateException("a new entry conflicts: " + conflict.reason());
    }
    return row.id();
  }

  /** What happened to an entry, for those who see it. */
  static MemoryRow.AddEvent told(Actor actor, ArchivalRow row, String type, Instant at) {
    JsonObject details =
        JsonObject.builder().put("id", row.id()).put("actor", actor.toString()).build();
    return new MemoryRow.AddEvent(
        new MemoryEvent(
            0,
            at,
            actor instanceof Actor.Agent acting ? acting.id() : null,
            row.user(),
            null,
            type,
            actor.isSystem() ? null : "low",
            details));
  }

  private static void atMost(String what, int limit, String text) {
    MemoryRefusals.atMost(what, limit, text.getBytes(StandardCharsets.UTF_8).length, "bytes");
  }

  private static int depth(String json) {
    int deepest = 0;
    int depth = 0;
    boolean text = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (text && c == '\\') {
        i++;
      } else if (c == '"') {
        text = !text;
      } else if (!text && (c == '{' || c == '[')) {
        deepest = Math.max(deepest, ++depth);
      } else if (!text && (c == '}' || c == ']')) {
        depth--;
      }
    }
    return deepest;
  }

  Optional<ArchivalEntry> get(Viewer viewer, String agent, String id) {
    services.scope().agent(agent);
    return viewer.mayActFor(agent)
        ? services
            .rows()
            .archivalEntry(services.scope(), id)
            .filter(row -> row.agent().equals(agent) && viewer.sees(row.user()))
            .map(MemoryRecords::archived)
        : Optional.empty();
  }

  List<ArchivalEntry> list(Viewer viewer, String agent, @Nullable String after, int limit) {
    Scope.OfAgent owner = services.scope().agent(agent).forUser(viewer.user());
    return viewer.mayActFor(agent)
        ? services.rows().archival(owner, viewer.everybody(), after, limit).stream()
            .map(MemoryRecords::archived)
            .toList()
        : List.of();
  }

  /** Reads a few entries at a time, so that a page of large ones ends early. */
  ArchivalEntry.Page page(
      Viewer viewer, String agent, MetadataFilter filter, @Nullable String after, int limit) {
    if (limit < 1) {
      throw MemoryRefusals.argument("limit", limit, "1 or more");
    }
    Scope.OfAgent owner = services.scope().agent(agent).forUser(viewer.user());
    if (!viewer.mayActFor(agent)) {
      return new ArchivalEntry.Page(List.of(), null);
    }
    List<ArchivalEntry> found = new ArrayList<>();
    String last = after;
    long chars = 0;
    for (int seen = 0; seen < MAX_SEEN; ) {
      List<ArchivalRow> rows =
          services.rows().archival(owner, viewer.everybody(), last, READ_AT_ONCE);
      ReadMeter.read(rows.stream().mapToLong(row -> row.content().length()).sum());
      for (ArchivalRow row : rows) {
        if (found.size() >= limit || chars >= PAGE_CHARS) {
          return new ArchivalEntry.Page(found, last);
        }
        last = row.id();
        seen++;
        if (filter.accepts(row.metadata())) {
          found.add(MemoryRecords.archived(row));
          chars += row.content().length();
        }
      }
      if (rows.size() < READ_AT_ONCE) {
        return new ArchivalEntry.Page(found, null);
      }
    }
    return new ArchivalEntry.Page(found, last);
  }

  void delete(Viewer viewer, String id) {
    ArchivalRow row = services.rows().archivalEntry(services.scope(), id).orElse(null);
    boolean seen =
        row != null && (viewer.sees(row.user()) || (!viewer.isAgent() && viewer.user() == null));
    if (row == null || !seen) {
      return;
    }
    services.watched(
        EngineWork.MemoryWrite.Kind.DELETE,
        row.agent(),
        id,
        () -> {
          access.requireNamespace(viewer, row.agent());
          services.store().eraseArchival(services.scope(), id, services.now());
          services.toIndex();
          return id;
        },
        gone -> new WorkResult.MemoryWritten(gone, true));
  }
}
