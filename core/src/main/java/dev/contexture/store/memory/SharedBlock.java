package dev.contexture.store.memory;

import org.apiguardian.api.API;

/**
 * A live block and the live share through which an agent sees it.
 *
 * @param block the block
 * @param share with a level
 * @param ownerName the name of the agent that owns the block; empty: it has none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SharedBlock(BlockRow block, ShareRow share, String ownerName) {}
