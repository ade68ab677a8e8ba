package dev.contexture.store.memory;

import org.apiguardian.api.API;

/**
 * A memory block with the text by which it is listed and searched.
 *
 * @param block live or deleted
 * @param text empty if none was put
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BlockPreview(BlockRow block, String text) {}
