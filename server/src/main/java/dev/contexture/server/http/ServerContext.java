package dev.contexture.server.http;

import dev.contexture.Contexture;
import dev.contexture.engine.session.WorkInFlight;
import dev.contexture.server.ServerLimits;
import dev.contexture.server.keys.KeyRing;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The objects that all calls of a server share.
 *
 * @param engine what they are answered from
 * @param metrics counts
 * @param limits bounds of requests
 * @param keys null: the server has none
 * @param steps those that are under way, so that one sent twice at once is done once
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ServerContext(
    Contexture engine,
    ServerMetrics metrics,
    ServerLimits limits,
    @Nullable KeyRing keys,
    WorkInFlight steps) {}
