package dev.contexture.store.memory;

import dev.contexture.block.Binary;
import org.apiguardian.api.API;

/**
 * What the updates of a memory block up to a number amount to.
 *
 * @param seq the last update that it contains
 * @param content the document with them
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CheckpointRow(long seq, Binary content) {}
