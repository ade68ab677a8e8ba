package dev.contexture.server;

import dev.contexture.engine.Contexture;

/**
 * What all calls of a server share.
 *
 * @param engine what they are answered from
 * @param metrics counts
 * @param limits bounds of requests
 */
record Served(Contexture engine, ServerMetrics metrics, ServerLimits limits) {}
