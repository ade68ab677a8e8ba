package dev.contexture.turn;

import dev.contexture.request.history.HistoryFormat;
import dev.contexture.request.history.ImportedFile.ImportedChat;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A report of importing a file of another program.
 *
 * @param chats its conversations, in order
 * @param memory its memory blocks, in order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record FileReport(List<ChatImport> chats, List<MemoryWrite> memory) {
  public FileReport {
    chats = List.copyOf(chats);
    memory = List.copyOf(memory);
  }

  /**
   * A conversation.
   *
   * @param chat as it was read
   * @param turns how many were stored; the others existed
   * @param blocks how many were stored
   */
  public record ChatImport(ImportedChat chat, int turns, int blocks) {}

  /**
   * A memory block.
   *
   * @param stored false: it was there, with the same content
   */
  public record MemoryWrite(HistoryFormat format, String agent, String label, boolean stored) {}
}
