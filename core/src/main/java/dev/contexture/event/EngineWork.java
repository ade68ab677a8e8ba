package dev.contexture.event;

import dev.contexture.block.Scope;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import java.util.Locale;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Work of an engine that takes time, as it begins. */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public sealed interface EngineWork {
  /**
   * A request is put together, written and recorded.
   *
   * @param agent whose memory it shows; null: it has none
   */
  record RequestBuild(Scope.OfConversation conversation, ModelRef model, @Nullable String agent)
      implements EngineWork {}

  /**
   * An answer of a model is stored.
   *
   * @param requestId the request that it answers; null: not known
   * @param asked the model that was asked
   */
  record AnswerStorage(
      Scope.OfConversation conversation,
      @Nullable String requestId,
      ModelRef asked,
      ModelAnswer answer)
      implements EngineWork {}

  /** A conversation is compacted; not where nothing is due. */
  record CompactionRun(Scope.OfConversation conversation) implements EngineWork {}

  /**
   * Memory is changed.
   *
   * @param owner the agent that it belongs to
   * @param record the block or entry by id; null: it is being made
   */
  record MemoryWrite(Scope.OfAgent owner, Kind kind, @Nullable String record)
      implements EngineWork {
    /** The kind of write. */
    public enum Kind {
      CREATE,
      UPDATE,
      DELETE;

      public String wireName() {
        return name().toLowerCase(Locale.ROOT);
      }
    }
  }

  /**
   * Messages and memory are searched.
   *
   * @param agent whose; null: of a user or of the whole project
   * @param mode what is asked for, by its name
   * @param limit the most hits
   */
  record MemoryQuery(Scope scope, @Nullable String agent, String mode, int limit)
      implements EngineWork {}
}
