package dev.contexture.engine;

import dev.contexture.block.Limits;
import dev.contexture.block.Scope;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.compaction.Summarizer;
import dev.contexture.engine.conversation.Calibrations;
import dev.contexture.engine.conversation.ContextBrowser;
import dev.contexture.engine.conversation.Conversations;
import dev.contexture.engine.conversation.Ids;
import dev.contexture.engine.conversation.Services;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.event.Changes;
import dev.contexture.request.Providers;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.Store;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The engine: where everything starts.
 *
 * <pre>{@code
 * try (Contexture cx = Contexture.open(Path.of("data"))) {
 *   ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
 * }
 * }</pre>
 *
 * Thread-safe. Close it to let go of the store.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Contexture implements AutoCloseable {
  private final Services services;
  private final Conversations conversations;

  private Contexture(Services services) {
    this.services = services;
    this.conversations = new Conversations(services);
  }

  /**
   * Opens the engine on a directory: one process owns it, nothing has to be installed. It needs the
   * module {@code contexture-embedded}.
   *
   * @throws ContextureException {@code store_in_use} if another process owns the directory, or
   *     another {@code store_} code
   */
  public static Contexture open(Path directory) {
    return ServiceLoader.load(Opener.class)
        .findFirst()
        .orElseThrow(
            () ->
                new ContextureException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "no embedded store is on the class path; add contexture-embedded"))
        .open(directory);
  }

  /** Starts to put an engine together from its parts. */
  public static Builder builder(Store store) {
    return new Builder(store);
  }

  /** A conversation, which exists from its first turn on. */
  public ContextBrowser browser(Scope.OfConversation conversation) {
    return conversations.browser(conversation);
  }

  /** A user's conversations, newest activity first. */
  public List<ConversationEntry> conversations(
      Scope.OfUser owner, ConversationEntry.@Nullable Cursor after, int limit) {
    return services.store().conversations(owner, after, limit);
  }

  /** Tells about every change that this engine makes. */
  public Changes changes() {
    return services.changes();
  }

  public Store store() {
    return services.store();
  }

  public Providers providers() {
    return services.providers();
  }

  public Limits limits() {
    return services.limits();
  }

  @Override
  public void close() {
    services.store().close();
  }

  /** How {@link #open} finds the embedded store. */
  public interface Opener {
    Contexture open(Path directory);
  }

  /** Puts an engine together. Confined to one thread. */
  public static final class Builder {
    private final Store store;
    private boolean exclusive;
    private InstantSource clock = InstantSource.system();
    private Ids ids = new Ids(new SecureRandom());
    private Limits limits = Limits.DEFAULT;
    private Providers providers = Providers.NONE;
    private Summarizer summarizer = new ExtractiveSummarizer();
    private Function<String, Optional<byte[]>> cacheSecrets = tenant -> Optional.empty();
    private @Nullable String owner;

    private Builder(Store store) {
      this.store = store;
    }

    /** Says that only this process writes to the store. */
    public Builder exclusive(boolean exclusive) {
      this.exclusive = exclusive;
      return this;
    }

    public Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    public Builder ids(Ids ids) {
      this.ids = ids;
      return this;
    }

    public Builder limits(Limits limits) {
      this.limits = limits;
      return this;
    }

    public Builder providers(Providers providers) {
      this.providers = providers;
      return this;
    }

    /** What writes summaries; by default the built-in one, which needs no model. */
    public Builder summarizer(Summarizer summarizer) {
      this.summarizer = summarizer;
      return this;
    }

    /**
     * Secrets from which the keys for OpenAI's cache router are made, by tenant (P-31). Without one
     * requests have no key.
     */
    public Builder cacheSecrets(Function<String, Optional<byte[]>> secrets) {
      this.cacheSecrets = secrets;
      return this;
    }

    /** The name of this process in leases; by default a random one. */
    public Builder owner(String owner) {
      this.owner = owner;
      return this;
    }

    public Contexture build() {
      String name = owner == null ? ids.of("node") : owner;
      return new Contexture(
          new Services(
              store,
              exclusive,
              name,
              clock,
              ids,
              limits,
              new Changes(),
              providers,
              summarizer,
              new Calibrations(),
              cacheSecrets));
    }
  }
}
