package dev.contexture.engine.context;

import dev.contexture.block.Scope;
import dev.contexture.engine.conversation.BoundConversation;
import dev.contexture.engine.conversation.RequestAssembler;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.request.AssembledContext;
import dev.contexture.request.RequestDraft;
import java.util.function.Function;
import org.apiguardian.api.API;

/** Lets the requests of conversations show what agents remember. Thread-safe. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Assembler implements RequestAssembler {
  private final Function<Scope, MemoryStore> memories;

  public Assembler(Function<Scope, MemoryStore> memories) {
    this.memories = memories;
  }

  @Override
  public AssembledContext assemble(RequestDraft draft, BoundConversation conversation) {
    MemoryStore memory = memories.apply(conversation.scope().owner().scope());
    return new ContextAssembly(memory, draft, conversation).run();
  }
}
