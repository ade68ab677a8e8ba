package dev.contexture.langchain4j;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * Keeps what LangChain4j's own memories hold, such as a {@code MessageWindowChatMemory}. Such a
 * memory gives the whole list that it kept; what is new of it is added to the conversation, and
 * what it evicted stays stored. Prefer {@link LangChainMemory}, which also chooses what is sent.
 *
 * <p>Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LangChainMemoryStore implements ChatMemoryStore {
  private static final int MAX_OPEN = 10_000;

  private final LangChainContext context;
  private final Cache<Scope.OfConversation, LangChainMemory> used =
      Caffeine.newBuilder().maximumSize(MAX_OPEN).build();

  LangChainMemoryStore(LangChainContext context) {
    this.context = context;
  }

  @Override
  public List<ChatMessage> getMessages(Object memoryId) {
    return memory(memoryId).messages();
  }

  /**
   * Adds what is new. A list that has nothing in common with what is stored is new as a whole: the
   * window evicted everything else.
   *
   * @throws ContextureException {@code invalid_argument} if messages that are stored were changed,
   *     but for texts of results
   */
  @Override
  public void updateMessages(Object memoryId, List<ChatMessage> messages) {
    LangChainMemory memory = memory(memoryId);
    memory.locked(() -> update(memory, messages));
  }

  private static void update(LangChainMemory memory, List<ChatMessage> messages) {
    List<ChatMessage> stored = spoken(memory.messages());
    List<ChatMessage> given = spoken(messages);
    messages.stream().filter(SystemMessage.class::isInstance).forEach(memory::add);
    for (int evicted = 0; evicted < stored.size(); evicted++) {
      List<ChatMessage> kept = stored.subList(evicted, stored.size());
      if (given.size() >= kept.size() && given.subList(0, kept.size()).equals(kept)) {
        memory.add(given.subList(kept.size(), given.size()));
        return;
      }
    }
    int before = stored.size() - given.size();
    if (before >= 0 && ResultRewrite.isRewrite(stored.subList(before, stored.size()), given)) {
      List<ChatMessage> all = new ArrayList<>(stored.subList(0, before));
      all.addAll(given);
      memory.set(all);
    } else if (given.size() == 1 || Collections.disjoint(given, stored)) {
      memory.add(given);
    } else {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "messages",
          given.size() + " that do not go on with the " + stored.size() + " stored ones",
          "the newest stored messages, then new ones: the conversation is append-only");
    }
  }

  /** As {@link LangChainContext.Builder#onClear} says; by default it is refused. */
  @Override
  public void deleteMessages(Object memoryId) {
    memory(memoryId).clear();
  }

  private static List<ChatMessage> spoken(List<ChatMessage> messages) {
    return messages.stream().filter(message -> !(message instanceof SystemMessage)).toList();
  }

  private LangChainMemory memory(Object memoryId) {
    LangChainMemory memory = context.memory(memoryId);
    return Objects.requireNonNull(used.get(memory.scope(), unused -> memory));
  }
}
