package dev.contexture.event;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import org.apiguardian.api.API;

/**
 * A change of a conversation that is durable.
 *
 * @param conversation whose
 * @param version of the conversation with it; 0 if the conversation was erased
 * @param firstSeq the first block that it appended; 0 if none
 * @param lastSeq the last one; 0 if none
 * @param note what happened: {@code type} and ids, no text
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Change(
    Scope.OfConversation conversation,
    long version,
    long firstSeq,
    long lastSeq,
    JsonObject note) {}
