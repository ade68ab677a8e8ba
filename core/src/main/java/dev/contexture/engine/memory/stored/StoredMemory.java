package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.engine.document.BlockSettingsReader;
import dev.contexture.engine.memory.ArchivalEntry;
import dev.contexture.engine.memory.BlockChanges;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.BlockTemplate;
import dev.contexture.engine.memory.BlockVersion;
import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.engine.memory.MemorySearch;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.PendingConsent;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.engine.memory.row.MemoryRecords;
import dev.contexture.event.Changes;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.DocumentSnapshot;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.search.MetadataFilter;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.ShareRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Memory over a store: documents are loaded when they are first used and kept while there is room;
 * every write goes through to the store before it returns, as the difference only; every access
 * looks at what other processes wrote. Thread-safe.
 *
 * <p>Reached through {@link dev.contexture.Contexture#memory}.
 */
final class StoredMemory implements MemoryStore {
  private final MemoryParts parts;
  private final Viewpoint view;

  StoredMemory(MemoryServices services, DocumentCache cache) {
    this.parts = MemoryParts.of(services, cache, new NoticeFeed(services, this));
    this.view = Viewpoint.OPEN;
  }

  private StoredMemory(MemoryParts parts, Viewpoint view) {
    this.parts = parts;
    this.view = view;
  }

  @Override
  public MemoryStore actingAs(Actor actor) {
    return new StoredMemory(
        parts,
        new Viewpoint(actor, view.user(), view.everybody() && !(actor instanceof Actor.Agent)));
  }

  @Override
  public MemoryStore forUser(@Nullable String one) {
    if (one != null) {
      scope().user(one); // checks its form
    }
    return new StoredMemory(parts, new Viewpoint(view.bound(), one, false));
  }

  @Override
  public MemoryStore forEverybody() {
    StorePermissions.requireHost(actor(), "forEverybody");
    return new StoredMemory(parts, new Viewpoint(actor(), null, true));
  }

  private Viewer viewer(String agent) {
    return view.as(agent);
  }

  private Viewer viewer() {
    return view.host();
  }

  private Actor actor() {
    return viewer().actor();
  }

  private Scope scope() {
    return parts.services().scope();
  }

  @Override
  public Optional<AgentRow> agent(String agent) {
    return parts.agents().find(agent);
  }

  @Override
  public List<AgentRow> agents(@Nullable String after, int limit) {
    return parts.agents().page(after, limit);
  }

  @Override
  public AgentRow putAgent(
      String agent, @Nullable String name, @Nullable String description, @Nullable String partner) {
    return parts.agents().put(viewer(agent), agent, name, description, partner);
  }

  @Override
  public String createBlock(String agent, BlockSpec spec) {
    return parts.admin().create(viewer(agent), agent, spec);
  }

  @Override
  public Optional<StructuredDocument> getBlock(String agent, String label) {
    return find(agent, label).map(this::open);
  }

  private Optional<BlockAccess> find(String agent, String label) {
    return parts.access().find(viewer(agent), agent, label);
  }

  private StructuredDocument open(BlockAccess target) {
    StructuredDocument handle = parts.writer().host(target).open();
    parts.handles().add(target.agent(), target.row().id(), handle);
    return handle;
  }

  @Override
  public Optional<BlockMetadata> getBlockMetadata(String agent, String label) {
    return find(agent, label).map(BlockAccess::metadata);
  }

  @Override
  public Optional<BlockMetadata> describeBlock(String blockId) {
    return parts.access().find(viewer(), blockId).map(MemoryRecords::metadata);
  }

  @Override
  public List<BlockMetadata> listBlocks(String agent) {
    return parts.listing().of(viewer(agent), agent);
  }

  @Override
  public List<BlockMetadata> listBlocksByLabelPrefix(String prefix) {
    return parts.listing().withPrefix(viewer(), prefix);
  }

  @Override
  public void deleteBlock(String agent, String label) {
    parts.admin().delete(viewer(agent), agent, label);
  }

  @Override
  public Optional<String> getRenderedContent(String agent, String label) {
    return read(agent, label, (target, block) -> block.render(schema(target)));
  }

  @Override
  public Optional<DocumentSnapshot> getSnapshot(String agent, String label) {
    return read(agent, label, (target, block) -> block.snapshot(schema(target)));
  }

  @Override
  public Optional<Shown> showBlock(String agent, String blockId) {
    return parts
        .access()
        .reached(viewer(agent), agent, blockId)
        .map(
            target ->
                new Shown(
                    target.metadata(),
                    parts.reader().read(target, (at, block) -> block.render(schema(at)))));
  }

  private static BlockSchema schema(BlockAccess target) {
    return new BlockSettingsReader(target.row()).schema();
  }

  private <T> Optional<T> read(String agent, String label, BlockReader.Reading<T> reading) {
    return find(agent, label).map(target -> parts.reader().read(target, reading));
  }

  @Override
  public long updateBlockText(String agent, String label, String text) {
    return write(agent, label, "", run(document -> document.setText(text))).version();
  }

  @Override
  public long updateBlockText(String agent, String label, String text, long base) {
    return write(agent, label, "", run(document -> document.setText(text, base))).version();
  }

  @Override
  public long appendToBlock(String agent, String label, String content) {
    return write(agent, label, "", run(document -> document.append(content))).version();
  }

  private static Function<StructuredDocument, Boolean> run(Consumer<StructuredDocument> edit) {
    return document -> {
      edit.accept(document);
      return true;
    };
  }

  @Override
  public boolean replaceInBlock(String agent, String label, String find, String replacement) {
    return write(agent, label, "", document -> document.replaceText(find, replacement)).result();
  }

  @Override
  public <T> Edited<T> edit(
      String agent, String label, String message, Function<StructuredDocument, T> edits) {
    return write(agent, label, message, edits);
  }

  private <T> Edited<T> write(
      String agent, String label, String message, Function<StructuredDocument, T> edits) {
    return parts.writer().write(viewer(agent), agent, label, message, edits);
  }

  @Override
  public void persistBlock(String agent, String label) {
    BlockAccess target = require(agent, label);
    for (StructuredDocument handle : parts.handles().of(agent, target.row().id())) {
      handle.commit();
    }
  }

  @Override
  public BlockMetadata setBlockPinned(String agent, String label, boolean pinned) {
    return change(agent, label, BlockChanges.NONE.pinned(pinned), "setBlockPinned");
  }

  @Override
  public BlockMetadata setBlockType(String agent, String label, MemoryBlockType type) {
    return change(agent, label, BlockChanges.NONE.type(type), "setBlockType");
  }

  @Override
  public BlockMetadata updateBlockSchema(String agent, String label, BlockSchema schema) {
    return change(agent, label, BlockChanges.NONE.schema(schema), "updateBlockSchema");
  }

  @Override
  public BlockMetadata configureBlock(String agent, String label, BlockChanges changes) {
    return change(agent, label, changes, "configureBlock");
  }

  private BlockMetadata change(String agent, String label, BlockChanges changes, String operation) {
    return parts.admin().change(viewer(agent), agent, label, changes, operation);
  }

  @Override
  public Undone undoBlock(String agent, String label) {
    return parts.undo().undo(require(agent, label), null);
  }

  @Override
  public Undone undoBlock(String agent, String label, Actor author) {
    return parts.undo().undo(require(agent, label), author);
  }

  @Override
  public Undone redoBlock(String agent, String label) {
    return parts.undo().redo(require(agent, label), null);
  }

  @Override
  public Undone redoBlock(String agent, String label, Actor author) {
    return parts.undo().redo(require(agent, label), author);
  }

  private BlockAccess require(String agent, String label) {
    return parts.access().require(viewer(agent), agent, label);
  }

  @Override
  public int undoDepth(String agent, String label) {
    return find(agent, label).map(parts.undo()::undoDepth).orElse(0);
  }

  @Override
  public int redoDepth(String agent, String label) {
    return find(agent, label).map(parts.undo()::redoDepth).orElse(0);
  }

  @Override
  public List<BlockVersion> history(String agent, String label, long afterVersion, int limit) {
    return find(agent, label)
        .map(
            target ->
                parts
                    .services()
                    .rows()
                    .history(scope(), target.row().id(), afterVersion, limit)
                    .stream()
                    .map(MemoryRecords::version)
                    .toList())
        .orElse(List.of());
  }

  @Override
  public Optional<DocumentSnapshot> getBlockAt(String agent, String label, long version) {
    return read(agent, label, (target, block) -> block.state().at(version, schema(target)));
  }

  @Override
  public void shareBlock(String owner, String label, String agent, MemoryPermission level) {
    parts.sharing().share(viewer(owner), owner, label, agent, level);
  }

  @Override
  public void unshareBlock(String owner, String label, String agent) {
    parts.sharing().unshare(viewer(owner), owner, label, agent);
  }

  @Override
  public List<ShareRow> listShares(String owner, String label) {
    return parts.sharing().shares(viewer(owner), owner, label);
  }

  @Override
  public List<SharedBlockInfo> listSharedBlocks(String agent) {
    return parts.sharing().sharedWith(viewer(agent), agent).stream()
        .map(MemoryRecords::shared)
        .toList();
  }

  @Override
  public String insertArchival(
      String agent, @Nullable String owner, String content, @Nullable JsonValue metadata) {
    return parts.archive().insert(viewer(agent), agent, owner, content, metadata);
  }

  @Override
  public List<String> users(String agent) {
    StorePermissions.requireHost(actor(), "users");
    return parts.listing().users(agent);
  }

  @Override
  public Optional<BlockTemplate> template(String agent) {
    return parts.agents().template(agent);
  }

  @Override
  public void setTemplate(String agent, @Nullable BlockTemplate template) {
    StorePermissions.requireHost(actor(), "setTemplate");
    if (template != null) {
      parts.admin().check(agent, template);
    }
    parts.agents().template(agent, template);
  }

  @Override
  public void prepare(String agent) {
    String whose = view.user();
    if (whose != null) {
      template(agent).ifPresent(template -> parts.admin().make(template, agent, whose));
    }
  }

  @Override
  public Moved move(String agent, Move move) {
    return new MemoryMover(parts.services(), parts.access(), parts.feed())
        .move(viewer(), agent, move);
  }

  @Override
  public Optional<ArchivalEntry> getArchival(String agent, String id) {
    return parts.archive().get(viewer(agent), agent, id);
  }

  @Override
  public List<ArchivalEntry> listArchival(String agent, @Nullable String after, int limit) {
    return parts.archive().list(viewer(agent), agent, after, limit);
  }

  @Override
  public ArchivalEntry.Page listArchival(
      String agent, MetadataFilter filter, @Nullable String after, int limit) {
    return parts.archive().page(viewer(agent), agent, filter, after, limit);
  }

  @Override
  public void deleteArchival(String id) {
    parts.archive().delete(viewer(), id);
  }

  @Override
  public List<PendingConsent> pendingConsents() {
    StorePermissions.requireHost(actor(), "looking at consents");
    return parts.consents().pending(view.user());
  }

  @Override
  public void grantConsent(String id) {
    StorePermissions.requireHost(actor(), "granting a consent");
    parts.consents().answer(actor(), id, true, null);
  }

  @Override
  public void denyConsent(String id, @Nullable String reason) {
    StorePermissions.requireHost(actor(), "denying a consent");
    parts.consents().answer(actor(), id, false, reason);
  }

  @Override
  public void restoreBlock(String blockId) {
    parts.admin().restore(viewer(), blockId);
  }

  @Override
  public boolean purgeBlock(String blockId) {
    return parts.admin().purge(viewer(), blockId);
  }

  @Override
  public List<BlockMetadata> listDeletedBlocks(String agent) {
    return parts.admin().deleted(viewer(), agent);
  }

  @Override
  public MemorySearch searching() {
    return new StoredSearch(parts.services(), view);
  }

  @Override
  public List<MemoryEvent> activity(Instant since, long before, int limit) {
    return parts
        .services()
        .rows()
        .activity(scope(), view.user(), view.everybody(), since, before, limit);
  }

  @Override
  public long addActivity(MemoryEvent event) {
    StorePermissions.requireHost(actor(), "addActivity");
    return HostEvents.add(parts.services(), event);
  }

  @Override
  public List<MemoryNotice.Changed> notices(long after, int limit) {
    return parts.feed().notices(viewer(), after, limit);
  }

  @Override
  public Changes.Subscription subscribe(
      @Nullable String agent, String pattern, Consumer<MemoryNotice> listener) {
    return parts.feed().subscribe(viewer(), agent, pattern, listener);
  }

  @Override
  public void poll() {
    parts.feed().pump();
  }

  boolean consolidating() {
    return parts.committing().consolidating();
  }

  @Override
  public void close() {
    parts.feed().close();
  }
}
