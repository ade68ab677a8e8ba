package dev.contexture.engine.memory.stored;

/** The workers that all views of one memory share. */
record MemoryParts(
    MemoryServices services,
    DocumentCache cache,
    BlockLookup access,
    Consents consents,
    NoticeFeed feed,
    DocumentCommitter committing,
    BlockReader reader,
    BlockWriter writer,
    UndoRedo undo,
    AgentRegistry agents,
    BlockLists listing,
    BlockAdmin admin,
    ShareEditor sharing,
    Archive archive,
    OpenHandles handles) {

  /**
   * Wires them over one store.
   *
   * @param feed tells those who follow the memory of what happens
   */
  static MemoryParts of(MemoryServices services, DocumentCache cache, NoticeFeed feed) {
    BlockLookup access = new BlockLookup(services);
    Consents consents = new Consents(services);
    DocumentCommitter committing = new DocumentCommitter(services, cache, access, consents, feed);
    BlockReader reader = new BlockReader(services, cache, committing);
    ShareEditor sharing = new ShareEditor(services, access, feed);
    BlockLists listing = new BlockLists(services, sharing);
    return new MemoryParts(
        services,
        cache,
        access,
        consents,
        feed,
        committing,
        reader,
        new BlockWriter(services, cache, access, committing),
        new UndoRedo(committing, reader),
        new AgentRegistry(services, access),
        listing,
        new BlockAdmin(services, cache, access, committing, feed, listing),
        sharing,
        new Archive(services, access),
        new OpenHandles());
  }
}
