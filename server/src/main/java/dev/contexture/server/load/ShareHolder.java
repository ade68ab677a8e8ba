package dev.contexture.server.load;

import org.apiguardian.api.API;

/**
 * The holder of a share of a server: a key of a tenant. Without keys the tenant alone.
 *
 * @param tenant whose data is asked for
 * @param key the id of the key; empty where there is none
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ShareHolder(String tenant, String key) {}
