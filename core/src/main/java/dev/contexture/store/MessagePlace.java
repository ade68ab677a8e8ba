package dev.contexture.store;

import org.apiguardian.api.API;

/**
 * The place of a block in one of a project's conversations.
 *
 * @param user whose conversation
 * @param conversation which of them
 * @param seq where in it, from 1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MessagePlace(String user, String conversation, long seq) {}
