package dev.contexture.request.history;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A file of another program as conversations and memory, read but not stored.
 *
 * @param chats the conversations in it, in order, each under an id of its own
 * @param memory what an agent of it remembered
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record ImportedFile(List<ImportedChat> chats, List<ImportedMemory> memory) {
  public ImportedFile {
    chats = List.copyOf(chats);
    memory = List.copyOf(memory);
  }

  /**
   * The same, with its only conversation under another id.
   *
   * @throws ContextureException {@code invalid_argument} if it does not hold one conversation
   */
  public ImportedFile named(String conversation) {
    if (chats.size() != 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "conversation",
          "for " + chats.size() + " chats",
          "one chat; without it each becomes a conversation of its own");
    }
    ImportedChat only = chats.getFirst();
    return new ImportedFile(
        List.of(
            new ImportedChat(
                conversation, only.format(), only.title(), only.agent(), only.history())),
        memory);
  }

  /**
   * A conversation.
   *
   * @param id what it becomes
   * @param format how it was written
   * @param title what it is called; null: nothing
   * @param agent whose it is; null: nobody's
   * @param history its turns
   */
  public record ImportedChat(
      String id,
      HistoryFormat format,
      @Nullable String title,
      @Nullable String agent,
      ImportedHistory history) {}

  /**
   * A memory block.
   *
   * @param format how it was written
   * @param agent whose it is; null: the file does not say
   * @param permission what the agent may do with it
   * @param charLimit the most code points of content; 0: the default. What is larger than half of
   *     it has room to grow to twice its size
   * @param content as a block of the schema takes it
   */
  public record ImportedMemory(
      HistoryFormat format,
      @Nullable String agent,
      String label,
      String description,
      MemoryPermission permission,
      int charLimit,
      BlockSchema schema,
      JsonValue content) {}

  /**
   * Options for reading a file.
   *
   * @param format null: whichever fits
   * @param name the file's name without its ending, for conversations that have no id
   * @param ts the time of what has none; null: now, which only an engine knows
   * @param model the model that answered, where the file does not say; null: not known
   * @param agent whose turns and blocks they are; null: as the file says
   */
  public record Options(
      @Nullable HistoryFormat format,
      String name,
      @Nullable Instant ts,
      @Nullable String model,
      @Nullable String agent) {
    /** Whatever it is, with all that the file says. */
    public static Options named(String name) {
      return new Options(null, name, null, null, null);
    }

    public Options format(@Nullable HistoryFormat one) {
      return new Options(one, name, ts, model, agent);
    }

    public Options model(@Nullable String one) {
      return new Options(format, name, ts, one, agent);
    }

    public Options agent(@Nullable String one) {
      return new Options(format, name, ts, model, one);
    }

    /** The same, at this time if none is given. */
    public Options at(@Nullable Instant now) {
      return ts == null ? new Options(format, name, now, model, agent) : this;
    }
  }
}
