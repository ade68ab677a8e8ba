package dev.contexture.engine.archive;

import org.apiguardian.api.API;

/**
 * The numbers of things in an archive that was imported.
 *
 * @param conversations that were written
 * @param turns in them
 * @param blocks memory blocks that were written
 * @param entries archival entries that were written
 * @param unchanged conversations, blocks and entries that the store had already
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record ArchiveReport(int conversations, int turns, int blocks, int entries, int unchanged) {}
