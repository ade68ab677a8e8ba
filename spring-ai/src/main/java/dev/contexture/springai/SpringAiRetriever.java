package dev.contexture.springai;

import dev.contexture.block.Scope;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.document.Document;
import org.springframework.ai.rag.Query;
import org.springframework.ai.rag.retrieval.search.DocumentRetriever;

/**
 * Finds what was said in conversations of the same user, and what the agent remembers for that
 * user, as documents for a {@code RetrievalAugmentationAdvisor}. Needs {@code spring-ai-rag}.
 * Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SpringAiRetriever implements DocumentRetriever {
  private final SpringAiContext context;
  private final SearchOptions options;

  private SpringAiRetriever(SpringAiContext context, SearchOptions options) {
    this.context = context;
    this.options = options;
  }

  /** Searches as the options say. */
  public static SpringAiRetriever of(SpringAiContext context, SearchOptions options) {
    return new SpringAiRetriever(context, options);
  }

  /**
   * The hits, best first, each with its score.
   *
   * @throws dev.contexture.error.ContextureException {@code scope_required} for a query whose
   *     context names no conversation
   */
  @Override
  public List<Document> retrieve(Query query) {
    Scope.OfUser user = context.scope(query.context().get(ChatMemory.CONVERSATION_ID)).owner();
    String agent = context.agent();
    SearchResults found =
        agent == null
            ? context.engine().search().search(user, query.text(), options)
            : context
                .engine()
                .search()
                .search(user.scope().agent(agent).forUser(user.user()), query.text(), options);
    return found.hits().stream().map(SpringAiRetriever::document).toList();
  }

  private static Document document(MemorySearchResult hit) {
    Document.Builder document =
        Document.builder()
            .id(hit.id())
            .text(hit.excerpt())
            .score(hit.score())
            .metadata("type", hit.type().hitName());
    put(document, "conversation", hit.conversation());
    put(document, "role", hit.role());
    put(document, "label", hit.label());
    put(document, "path", hit.path());
    put(document, "at", hit.at() == null ? null : hit.at().toString());
    return document.build();
  }

  private static void put(Document.Builder document, String key, @Nullable String value) {
    if (value != null) {
      document.metadata(key, value);
    }
  }
}
