package dev.contexture.langchain4j;

import dev.langchain4j.observability.api.event.AiServiceCompletedEvent;
import dev.langchain4j.observability.api.event.AiServiceErrorEvent;
import dev.langchain4j.observability.api.event.AiServiceEvent;
import dev.langchain4j.observability.api.event.AiServiceResponseReceivedEvent;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import java.util.List;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;

/**
 * Hears one kind of event of AI services. What a call cost is recorded with its answer, teaches how
 * the provider counts, and stands in the ledger; a call that fails interrupts its turn, so that
 * what was done stays in context.
 *
 * @param <E> the event
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LangChainListener<E extends AiServiceEvent> implements AiServiceListener<E> {
  private final LangChainContext context;
  private final Class<E> kind;
  private final BiConsumer<LangChainMemory, E> hear;

  private LangChainListener(
      LangChainContext context, Class<E> kind, BiConsumer<LangChainMemory, E> hear) {
    this.context = context;
    this.kind = kind;
    this.hear = hear;
  }

  static List<AiServiceListener<?>> all(LangChainContext context) {
    return List.of(
        new LangChainListener<>(
            context,
            AiServiceStartedEvent.class,
            (memory, event) -> memory.started(event.invocationContext().invocationId())),
        new LangChainListener<>(
            context,
            AiServiceResponseReceivedEvent.class,
            (memory, event) -> memory.answered(event.response())),
        new LangChainListener<>(
            context,
            AiServiceCompletedEvent.class,
            (memory, event) -> memory.ended(event.invocationContext().invocationId(), null)),
        new LangChainListener<>(
            context,
            AiServiceErrorEvent.class,
            (memory, event) ->
                memory.ended(event.invocationContext().invocationId(), event.error())));
  }

  @Override
  public Class<E> getEventClass() {
    return kind;
  }

  /** Passes the event on to its memory; one without a memory id has none. */
  @Override
  public void onEvent(E event) {
    Object memoryId = event.invocationContext().chatMemoryId();
    if (memoryId != null && !LangChainContext.isMadeUp(memoryId)) {
      hear.accept(context.memory(memoryId), event);
    }
  }
}
