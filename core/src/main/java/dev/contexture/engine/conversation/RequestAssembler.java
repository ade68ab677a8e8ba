package dev.contexture.engine.conversation;

import dev.contexture.request.AssembledContext;
import dev.contexture.request.RequestDraft;
import org.apiguardian.api.API;

/** Decides what a request holds: memory, rules and as much of the conversation as fits. */
@FunctionalInterface
@API(status = API.Status.INTERNAL, since = "0.1")
public interface RequestAssembler {
  AssembledContext assemble(RequestDraft draft, BoundConversation conversation);
}
