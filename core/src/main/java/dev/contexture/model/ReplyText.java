package dev.contexture.model;

import org.apiguardian.api.API;

/**
 * Text of an answer.
 *
 * @param order its place among the parts of the answer
 * @param text as received, line breaks at its end included
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ReplyText(int order, String text) {}
