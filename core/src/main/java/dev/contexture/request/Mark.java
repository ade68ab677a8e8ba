package dev.contexture.request;

import org.apiguardian.api.API;

/**
 * A provider's cache mark in a request.
 *
 * @param point the wish it grants
 * @param pointer the marked block, as a JSON Pointer into the body
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Mark(Point point, String pointer) {}
