package dev.contexture.store;

import dev.contexture.block.Block;
import org.apiguardian.api.API;

/**
 * A block with its place in the conversation.
 *
 * @param seq from 1, never changes
 * @param version of the conversation with the commit that appended it
 * @param block as it was appended, with its binary data
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StoredBlock(long seq, long version, Block block) {}
