package dev.contexture.store.memory;

import dev.contexture.block.Binary;
import org.apiguardian.api.API;

/**
 * A checkpoint of a memory block: the content with all updates up to a number.
 *
 * @param seq the last update that it contains
 * @param content the document with them
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CheckpointRow(long seq, Binary content) {}
