package dev.contexture.store;

import org.apiguardian.api.API;

/**
 * The part of an outbox behind a number: how far an index lags that has come so far.
 *
 * @param newest the number of its last row; the number asked about if there is none
 * @param rows how many there are
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OutboxTail(long newest, long rows) {}
