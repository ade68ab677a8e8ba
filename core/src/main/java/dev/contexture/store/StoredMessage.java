package dev.contexture.store;

import org.apiguardian.api.API;

/**
 * A stored block together with its turn.
 *
 * @param block as it was appended
 * @param turn its newest values
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StoredMessage(StoredBlock block, TurnRow turn) {}
