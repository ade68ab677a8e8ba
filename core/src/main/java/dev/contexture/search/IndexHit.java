package dev.contexture.search;

import org.apiguardian.api.API;

/**
 * An entry that an index found.
 *
 * @param id which
 * @param type what it is
 * @param score BM25, or the cosine
 * @param hash of the content that was indexed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record IndexHit(String id, SearchContentType type, double score, String hash) {}
