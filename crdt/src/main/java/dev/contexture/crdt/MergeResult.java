package dev.contexture.crdt;

import org.apiguardian.api.API;

/**
 * The result of a merge.
 *
 * @param applied commits that are now part of the document, those released from waiting included
 * @param known commits that the document had already
 * @param waiting commits that still wait for their predecessors
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MergeResult(int applied, int known, int waiting) {}
