package dev.contexture.render;

import dev.contexture.view.CachePoint;
import org.apiguardian.api.API;

/**
 * The place of a cache point in what is sent.
 *
 * @param point the point in the stable stream
 * @param message position of the message; 0 in a transcript, which is one message
 * @param part position of the part in the message
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RenderedPoint(CachePoint point, int message, int part) {}
