package dev.contexture.langchain4j;

import dev.contexture.block.Scope;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Query;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds what was said in conversations of the same user, and what the agent remembers for that
 * user, as content for a prompt. Use it with {@code storeRetrievedContentInChatMemory(false)}: what
 * is found is in the store already. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LangChainRetriever implements ContentRetriever {
  private final LangChainContext context;
  private final SearchOptions options;

  LangChainRetriever(LangChainContext context, SearchOptions options) {
    this.context = context;
    this.options = options;
  }

  /**
   * The hits, best first, each with its score.
   *
   * @throws dev.contexture.error.ContextureException {@code scope_required} for a query without a
   *     memory id
   */
  @Override
  public List<Content> retrieve(Query query) {
    Object memoryId = query.metadata() == null ? null : query.metadata().chatMemoryId();
    Scope.OfUser user = context.scope(memoryId).owner();
    String agent = context.agent();
    SearchResults found =
        agent == null
            ? context.engine().search().search(user, query.text(), options)
            : context
                .engine()
                .search()
                .search(user.scope().agent(agent).forUser(user.user()), query.text(), options);
    return found.hits().stream().map(LangChainRetriever::content).toList();
  }

  private static Content content(MemorySearchResult hit) {
    Metadata metadata = new Metadata().put("id", hit.id()).put("type", hit.type().hitName());
    put(metadata, "conversation", hit.conversation());
    put(metadata, "role", hit.role());
    put(metadata, "label", hit.label());
    put(metadata, "path", hit.path());
    put(metadata, "at", hit.at() == null ? null : hit.at().toString());
    return Content.from(
        TextSegment.from(hit.excerpt(), metadata), Map.of(ContentMetadata.SCORE, hit.score()));
  }

  private static void put(Metadata metadata, String key, @Nullable String value) {
    if (value != null) {
      metadata.put(key, value);
    }
  }
}
