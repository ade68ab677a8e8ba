package dev.contexture.adk;

import com.google.adk.memory.BaseMemoryService;
import com.google.adk.memory.MemoryEntry;
import com.google.adk.memory.SearchMemoryResponse;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchResults;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Single;
import org.apiguardian.api.API;

/**
 * Finds what was said in all sessions of a user, and what the agent remembers for that user. A
 * session need not be added: what {@link ContextureSessionService} stored is found. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContextureMemoryService implements BaseMemoryService {
  private final AdkContext context;

  ContextureMemoryService(AdkContext context) {
    this.context = context;
  }

  /**
   * Does nothing to a session of {@link ContextureSessionService}.
   *
   * @return a {@link ContextureException} with {@code not_found} for a session that is not stored,
   *     since it would not be found
   */
  @Override
  public Completable addSessionToMemory(Session session) {
    return Completable.fromAction(
        () -> {
          Scope.OfConversation scope =
              context.scope(session.appName(), session.userId(), session.id());
          if (context.browser(scope).head().isEmpty()) {
            throw ContextureException.invalid(
                ErrorCode.NOT_FOUND,
                "session id",
                session.id(),
                "a session of ContextureSessionService; those of other services cannot be added");
          }
        });
  }

  /** What matches, best first. */
  @Override
  public Single<SearchMemoryResponse> searchMemory(String appName, String userId, String query) {
    return Single.fromCallable(
        () -> {
          Scope.OfUser user = context.scope(appName, userId, "any").owner();
          String agent = context.agent();
          SearchResults found =
              agent == null
                  ? context.engine().search().search(user, query, context.search())
                  : context
                      .engine()
                      .search()
                      .search(user.scope().agent(agent).forUser(userId), query, context.search());
          return SearchMemoryResponse.builder()
              .memories(found.hits().stream().map(ContextureMemoryService::entry).toList())
              .build();
        });
  }

  private static MemoryEntry entry(MemorySearchResult hit) {
    String author = hit.role() != null ? hit.role() : hit.agent();
    MemoryEntry.Builder entry =
        MemoryEntry.builder()
            .content(
                Content.builder()
                    .role("user".equals(author) ? "user" : "model")
                    .parts(Part.fromText(hit.excerpt()))
                    .build())
            .author(author);
    return (hit.at() == null ? entry : entry.timestamp(hit.at())).build();
  }
}
