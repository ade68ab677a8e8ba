package dev.contexture.server;

import dev.contexture.Contexture;
import dev.contexture.server.keys.KeyRing;
import org.jspecify.annotations.Nullable;

/**
 * What all calls of a server share.
 *
 * @param engine what they are answered from
 * @param metrics counts
 * @param limits bounds of requests
 * @param keys null: the server has none
 */
record ServerContext(
    Contexture engine, ServerMetrics metrics, ServerLimits limits, @Nullable KeyRing keys) {}
