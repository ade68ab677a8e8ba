package dev.contexture.server;

/**
 * Who takes a share of a server: a key of a tenant. Without keys the tenant alone.
 *
 * @param tenant whose data is asked for
 * @param key the id of the key; empty where there is none
 */
record ShareHolder(String tenant, String key) {}
