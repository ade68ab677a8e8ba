package dev.contexture.model;

import org.apiguardian.api.API;

/**
 * Something worth knowing that was no reason to stop.
 *
 * @param code stable, lower case with hyphens
 * @param pointer where, as a JSON Pointer into what was read or written
 * @param message what it is, for people
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WireFinding(String code, String pointer, String message) {}
