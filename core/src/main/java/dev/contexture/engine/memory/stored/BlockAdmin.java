package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.engine.document.BlockSettingsReader;
import dev.contexture.engine.document.BlockTexts;
import dev.contexture.engine.memory.BlockChanges;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.BlockTemplate;
import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.memory.DocumentChange;
import dev.contexture.memory.MemoryOperation;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryNames;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.BlockSettings;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.UpdateRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes, sets, deletes, restores and purges blocks. Thread-safe. */
final class BlockAdmin {
  private static final int PAGE = 500;

  private final MemoryServices services;
  private final DocumentCache cache;
  private final BlockLookup access;
  private final DocumentCommitter committing;
  private final NoticeFeed feed;
  private final BlockLists lists;

  BlockAdmin(
      MemoryServices services,
      DocumentCache cache,
      BlockLookup access,
      DocumentCommitter committing,
      NoticeFeed feed,
      BlockLists lists) {
    this.lists = lists;
    this.services = services;
    this.cache = cache;
    this.access = access;
    this.committing = committing;
    this.feed = feed;
  }

  String create(Viewer viewer, String agent, BlockSpec spec) {
    return services.watched(
        EngineWork.MemoryWrite.Kind.CREATE,
        agent,
        null,
        () -> add(viewer, agent, spec),
        id -> new WorkResult.MemoryWritten(id, true));
  }

  private String add(Viewer viewer, String agent, BlockSpec spec) {
    Actor actor = viewer.actor();
    String user = access.ownerOfNew(viewer, agent, spec.user());
    BlockSettings settings = settings(spec);
    if (viewer.isAgent() && user != null) {
      requireHidesNothing(agent, user, spec.label());
    }
    String id = services.ids().next("mem_");
    Instant at = services.now();
    BlockRow row = new BlockRow(id, agent, user, spec.label(), settings, 1, 0, 0, 0, at, at, false);
    FirstContent first = FirstContent.of(services, row, actor, spec.content());
    WriteSet.Builder set =
        WriteSet.of(services.scope(), at)
            .expect(new Precondition.BlocksBelow(agent, user, services.limits().blocksPerAgent()))
            .add(new MemoryRow.EnsureAgent(agent))
            .add(new MemoryRow.AddBlock(id, agent, user, spec.label(), settings));
    if (first.delta() != null) {
      MemoryRecords.Told says = new MemoryRecords.Told(actor, first.operation(), "");
      set.add(
          new MemoryRow.AppendUpdate(
              id,
              UpdateRow.of(
                  1,
                  UpdateRow.Step.EDIT,
                  first.delta(),
                  at,
                  MemoryRecords.note(says, null, null))));
    }
    DocumentCommitter.addPreview(set, BlockTexts.kept(id, first.preview()));
    addEvent(set, MemoryNotice.Kind.CREATED, row, first.delta() == null ? 0 : 1, actor, "create");
    switch (services.commit(set.build())) {
      case Commit.Committed _unused -> feed.committed();
      case Commit.Conflict conflict -> throw refused(conflict.reason(), agent, user, spec.label());
    }
    return id;
  }

  /**
   * A block of a user stands in the place of the one for all: an agent may put one there only if it
   * may write the other as well, else it would get rid of what it may not change.
   */
  private void requireHidesNothing(String agent, String user, String label) {
    forAll(agent, label)
        .map(row -> new BlockSettingsReader(row).permission())
        .filter(level -> level != MemoryPermission.READ_WRITE && level != MemoryPermission.ADMIN)
        .ifPresent(
            level -> {
              throw MemoryRefusals.hides(agent, user, label, level.identifier());
            });
  }

  private Optional<BlockRow> forAll(String agent, String label) {
    return services.rows().blockLabelled(services.scope().agent(agent), label);
  }

  /** That a block could be made by a template of an agent, and would hide nothing. */
  void check(String agent, BlockTemplate template) {
    settings(template.spec("anybody"));
    if (forAll(agent, template.label()).isPresent()) {
      throw MemoryRefusals.templateHides(agent, template.label());
    }
  }

  /** Makes the block of a template, unless the user has, or had, one of that label. */
  void make(BlockTemplate template, String agent, String user) {
    Scope.OfAgent owner = services.scope().agent(agent).forUser(user);
    Viewer system = new Viewer(Actor.system(), user, false);
    boolean known =
        services.rows().blockLabelled(owner, template.label()).isPresent()
            || deleted(system, agent).stream()
                .anyMatch(block -> block.label().equals(template.label()));
    if (!known) {
      try {
        create(system, agent, template.spec(user));
      } catch (ContextureException refused) {
        if (refused.code() != ErrorCode.LABEL_TAKEN) { // another request made it meanwhile
          throw refused;
        }
      }
    }
  }

  private BlockSettings settings(BlockSpec spec) {
    MemoryNames.checkLabel(spec.label());
    checkDescription(spec.description());
    services.limits().check(spec.schema());
    spec.type().check(spec.schema());
    return new BlockSettings(
        spec.description(),
        spec.type().wireName(),
        spec.schema().toJson(),
        services.limits().charLimitFor(spec.charLimit()),
        spec.permission().wireName(),
        spec.pinned());
  }

  private void checkDescription(String description) {
    MemoryRefusals.atMost(
        "description",
        services.limits().descriptionLength(),
        description.codePointCount(0, description.length()),
        "code points");
  }

  private static ContextureException refused(
      Reason reason, String agent, @Nullable String user, String label) {
    return switch (reason) {
      case Reason.LabelTaken _unused -> MemoryRefusals.labelTaken(agent, user, label);
      case Reason.TooManyBlocks many ->
          ContextureException.limit(
              ErrorCode.LIMIT_EXCEEDED,
              "blocks of agent " + agent + (user == null ? "" : " for user " + user),
              many.limit(),
              many.actual() + 1,
              "blocks");
      case Reason.BlockGone _unused -> MemoryRefusals.notFound(agent, user, label);
      default -> throw new IllegalStateException("unexpected conflict: " + reason);
    };
  }

  private void addEvent(
      WriteSet.Builder set,
      MemoryNotice.Kind kind,
      BlockRow row,
      long seq,
      Actor actor,
      String operation) {
    MemoryRecords.Told says = new MemoryRecords.Told(actor, operation, "");
    set.add(new MemoryRow.AddEvent(MemoryRecords.event(kind, row, seq, says, services.now())));
  }

  /** Changes settings of a block, or the pin of a share. */
  BlockMetadata change(
      Viewer viewer, String agent, String address, BlockChanges changes, String operation) {
    return services.watched(
        EngineWork.MemoryWrite.Kind.UPDATE,
        agent,
        null,
        () ->
            repeat(
                address,
                () -> {
                  BlockAccess target = access.require(viewer, agent, address);
                  require(target, changes, operation);
                  return apply(target, changes, operation);
                }),
        changed -> new WorkResult.MemoryWritten(changed.id(), true));
  }

  /** The gate: what an owner may always do, and what needs more. */
  private static void require(BlockAccess target, BlockChanges changes, String operation) {
    BlockSettingsReader settings = new BlockSettingsReader(target.row());
    boolean moves = changes.type() != null && !swaps(settings.type(), changes.type());
    boolean reshapes =
        changes.schema() != null && !sameButViewport(settings.schema(), changes.schema());
    boolean configures =
        changes.description() != null
            || changes.permission() != null
            || changes.charLimit() != null;
    if (moves || reshapes || configures) {
      StorePermissions.requireAdmin(target, operation);
    } else if (target.owned() || changes.type() != null || changes.schema() != null) {
      StorePermissions.requireOwner(target, operation);
    }
  }

  private static boolean swaps(MemoryBlockType from, MemoryBlockType to) {
    return swappable(from) && swappable(to);
  }

  private static boolean swappable(MemoryBlockType type) {
    return type == MemoryBlockType.WORKING || type == MemoryBlockType.ARCHIVAL;
  }

  static boolean sameButViewport(BlockSchema now, BlockSchema wanted) {
    return withoutViewport(now).equals(withoutViewport(wanted));
  }

  private static BlockSchema withoutViewport(BlockSchema schema) {
    return switch (schema) {
      case TextSchema _unused -> TextSchema.PLAIN;
      case CompositeSchema composite ->
          new CompositeSchema(
              composite.sections().stream().map(BlockAdmin::withoutViewport).toList());
      default -> schema;
    };
  }

  private static SectionDef withoutViewport(SectionDef section) {
    return new SectionDef(
        section.name(),
        withoutViewport(section.schema()),
        section.description(),
        section.readOnly());
  }

  private WriteSet.Builder set() {
    return WriteSet.of(services.scope(), services.now());
  }

  /** Writes what differs; null: others were quicker. */
  private @Nullable BlockMetadata apply(
      BlockAccess target, BlockChanges changes, String operation) {
    BlockRow row = target.row();
    BlockSettings wanted = merged(target, changes);
    ShareRow pin = repinned(target.share(), changes.pinned());
    boolean configures = !wanted.equals(row.settings());
    boolean pins = !Objects.equals(pin, target.share());
    if (!configures && !pins) {
      return target.metadata();
    }
    WriteSet.Builder set = target.expect(set());
    if (changes.schema() != null && configures) {
      checkSchema(target, changes.schema(), set);
    }
    if (configures) {
      set.add(new MemoryRow.PutSettings(row.id(), wanted));
      set.add(new MemoryRow.IndexBlock(row.id()));
    }
    if (pin != null && pins) {
      String level = Objects.requireNonNull(pin.level());
      set.add(new MemoryRow.PutShare(row.id(), pin.agent(), level, pin.pinned()));
    }
    addEvent(set, MemoryNotice.Kind.CONFIGURED, row, row.seq(), target.actor(), operation);
    if (services.commit(set.build()) instanceof Commit.Conflict) {
      return null;
    }
    feed.committed();
    BlockRow now = configures ? row.with(wanted, set.at()) : row;
    return new BlockAccess(target.viewer(), target.agent(), now, pin).metadata();
  }

  /** The share with another pin: that of the recipient, not of the block. */
  private static @Nullable ShareRow repinned(@Nullable ShareRow share, @Nullable Boolean pinned) {
    return share == null || pinned == null
        ? share
        : new ShareRow(
            share.block(), share.agent(), share.level(), pinned, share.version(), share.at());
  }

  private BlockSettings merged(BlockAccess target, BlockChanges changes) {
    BlockRow row = target.row();
    BlockSettings now = row.settings();
    BlockSettingsReader read = new BlockSettingsReader(row);
    String description = changes.description();
    if (description != null) {
      checkDescription(description);
    }
    MemoryBlockType type = changes.type() == null ? read.type() : changes.type();
    BlockSchema schema = changes.schema() == null ? read.schema() : changes.schema();
    type.check(schema);
    return new BlockSettings(
        description == null ? now.description() : description,
        type.wireName(),
        changes.schema() == null ? now.schema() : schema.toJson(),
        changes.charLimit() == null
            ? now.charLimit()
            : services.limits().charLimitFor(changes.charLimit()),
        changes.permission() == null ? now.permission() : changes.permission().wireName(),
        (changes.pinned() == null || !target.owned()) ? now.pinned() : changes.pinned());
  }

  /** That the content fits, and still does when the change is committed. */
  private void checkSchema(BlockAccess target, BlockSchema wanted, WriteSet.Builder set) {
    List<DocumentChange> told;
    try (DocumentCache.Lease lease = cache.open(services, target.row().id())) {
      told = committing.sync(lease.block(), target.row());
      BlockSchema now = new BlockSettingsReader(target.row()).schema();
      lease.block().state().checkSchema(now, wanted, services.limits());
      long seq = lease.block().state().version();
      set.expect(new Precondition.SeqIs(target.row().id(), seq));
      DocumentCommitter.addPreview(
          set, BlockTexts.kept(target.row().id(), lease.block().state(), wanted));
    }
    committing.tell(target.row().id(), told);
  }

  /** Repeats what conflicts with other processes; null stands for a conflict. */
  private <T> T repeat(String what, Supplier<@Nullable T> attempt) {
    for (int conflicts = 0; conflicts <= services.limits().writeAttempts(); conflicts++) {
      T done = attempt.get();
      if (done != null) {
        return done;
      }
    }
    throw MemoryRefusals.tooManyConflicts(what, services.limits().writeAttempts() + 1);
  }

  /** Deletes a block for all who see it. */
  void delete(Viewer viewer, String agent, String address) {
    services.watched(
        EngineWork.MemoryWrite.Kind.DELETE,
        agent,
        null,
        () -> remove(viewer, agent, address),
        id -> new WorkResult.MemoryWritten(id.isEmpty() ? null : id, !id.isEmpty()));
  }

  /** The id of what was deleted; empty: there was nothing. */
  private String remove(Viewer viewer, String agent, String address) {
    access.requireNamespace(viewer, agent);
    return repeat(
        address,
        () -> {
          BlockAccess target = access.find(viewer, agent, address).orElse(null);
          if (target == null) {
            return "";
          }
          DocumentSettings settings = target.settings(services);
          StorePermissions.require(target, MemoryOperation.DELETE, settings);
          WriteSet.Builder set =
              target
                  .expect(set())
                  .add(new MemoryRow.DeleteBlock(target.row().id()))
                  .add(new MemoryRow.IndexBlock(target.row().id()));
          addEvent(
              set,
              MemoryNotice.Kind.DELETED,
              target.row(),
              target.row().seq(),
              viewer.actor(),
              "delete");
          if (services.commit(set.build()) instanceof Commit.Conflict) {
            return null;
          }
          feed.committed();
          return target.row().id();
        });
  }

  void restore(Viewer viewer, String id) {
    StorePermissions.requireHost(viewer.actor(), "restoreBlock");
    BlockRow row = access.ofHost(viewer, id);
    if (row == null) {
      throw MemoryRefusals.notFound("any", viewer.user(), id);
    }
    if (!row.deleted()) {
      throw MemoryRefusals.argument(
          "id", id, "a deleted block; \"" + row.label() + "\" is not deleted");
    }
    WriteSet.Builder set =
        set().add(new MemoryRow.RestoreBlock(id)).add(new MemoryRow.IndexBlock(id));
    addEvent(set, MemoryNotice.Kind.CREATED, row, row.seq(), viewer.actor(), "restore");
    switch (services.commit(set.build())) {
      case Commit.Committed _unused -> feed.committed();
      case Commit.Conflict conflict ->
          throw refused(conflict.reason(), row.owner(), row.user(), row.label());
    }
  }

  /** Removes a block; returns whether there was one. */
  boolean purge(Viewer viewer, String id) {
    StorePermissions.requireHost(viewer.actor(), "purgeBlock");
    access.ofHost(viewer, id); // refuses what is another user's
    boolean existed = services.store().eraseMemoryBlock(services.scope(), id, services.now());
    services
        .erased()
        .accept(services.scope()); // also if it was gone: a call before may have failed
    return existed;
  }

  /**
   * What was deleted of the agent's own blocks, or of those of the user that is looked for; for
   * everybody of all of them.
   */
  List<BlockMetadata> deleted(Viewer viewer, String agent) {
    Scope.OfAgent owner = services.scope().agent(agent).forUser(viewer.user());
    if (!viewer.mayActFor(agent)) {
      return List.of();
    }
    List<BlockMetadata> all = deleted(owner);
    if (viewer.everybody()) {
      lists.users(agent).forEach(user -> all.addAll(deleted(owner.forUser(user))));
      all.sort(Comparator.comparing(BlockMetadata::id));
    }
    return all;
  }

  private List<BlockMetadata> deleted(Scope.OfAgent owner) {
    List<BlockMetadata> all = new ArrayList<>();
    List<BlockRow> page;
    String after = null;
    do {
      page = services.rows().deletedBlocks(owner, after, PAGE);
      page.forEach(row -> all.add(MemoryRecords.metadata(row)));
      after = page.isEmpty() ? null : page.getLast().id();
    } while (page.size() == PAGE && all.size() < services.limits().blocksPerAgent());
    return all;
  }
}
