package dev.contexture.engine.request;

import dev.contexture.block.TurnId;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.ConversationRenderer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The memory and the conversation that a request is made from.
 *
 * @param memory of the project
 * @param session the conversation; null: there is none
 * @param renderer renders it; null: there is no conversation
 * @param turn that the request belongs to; null: to none, it is not sent
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RequestSource(
    MemoryStore memory,
    @Nullable Session session,
    @Nullable ConversationRenderer renderer,
    @Nullable TurnId turn) {}
