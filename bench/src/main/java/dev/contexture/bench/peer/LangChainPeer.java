package dev.contexture.bench.peer;

import com.zaxxer.hikari.HikariDataSource;
import dev.contexture.bench.support.Circumstances;
import dev.contexture.bench.support.SampleMessage;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * LangChain4j's window of messages over a store as its documentation describes one: a row per
 * conversation with the JSON of all its messages.
 *
 * <p>Confined to one thread.
 */
public final class LangChainPeer implements MemoryPeer {
  private final HikariDataSource database;
  private final ChatMemoryStore store;
  private final Map<String, ChatMemory> memories = new HashMap<>();

  public LangChainPeer(Path directory) throws SQLException {
    database = PeerDatabase.open(directory.resolve("langchain4j.db"));
    JsonRows rows = new JsonRows(database);
    rows.createTable();
    store = rows;
  }

  @Override
  public String name() {
    return "LangChain4j " + Circumstances.version("langchain4j");
  }

  @Override
  public void fill(String conversation, List<SampleMessage> messages) {
    store.updateMessages(conversation, messages.stream().map(LangChainPeer::message).toList());
  }

  @Override
  public Supplier<List<String>> add(String conversation, SampleMessage message) {
    ChatMemory memory = memories.computeIfAbsent(conversation, this::memory);
    memory.add(message(message));
    List<ChatMessage> sent = memory.messages();
    return () -> sent.stream().map(LangChainPeer::text).toList();
  }

  private ChatMemory memory(String conversation) {
    return MessageWindowChatMemory.builder()
        .id(conversation)
        .maxMessages(MAX_MESSAGES)
        .chatMemoryStore(store)
        .build();
  }

  private static ChatMessage message(SampleMessage said) {
    return said.byUser() ? UserMessage.from(said.text()) : AiMessage.from(said.text());
  }

  private static String text(ChatMessage message) {
    return message instanceof AiMessage ai ? ai.text() : ((UserMessage) message).singleText();
  }

  @Override
  public void close() {
    database.close();
  }

  /** The store that the documentation leaves to its readers. */
  private record JsonRows(DataSource database) implements ChatMemoryStore {
    void createTable() throws SQLException {
      try (Connection connection = database.getConnection();
          var create = connection.createStatement()) {
        create.execute("CREATE TABLE chat_memory (id TEXT PRIMARY KEY, messages TEXT NOT NULL)");
      }
    }

    @Override
    public List<ChatMessage> getMessages(Object memoryId) {
      try (Connection connection = database.getConnection();
          PreparedStatement select =
              connection.prepareStatement("SELECT messages FROM chat_memory WHERE id = ?")) {
        select.setString(1, memoryId.toString());
        try (ResultSet row = select.executeQuery()) {
          return row.next()
              ? ChatMessageDeserializer.messagesFromJson(row.getString(1))
              : List.of();
        }
      } catch (SQLException failed) {
        throw new IllegalStateException("cannot read " + memoryId, failed);
      }
    }

    @Override
    public void updateMessages(Object memoryId, List<ChatMessage> messages) {
      String upsert =
          "INSERT INTO chat_memory (id, messages) VALUES (?, ?)"
              + " ON CONFLICT (id) DO UPDATE SET messages = excluded.messages";
      try (Connection connection = database.getConnection();
          PreparedStatement write = connection.prepareStatement(upsert)) {
        write.setString(1, memoryId.toString());
        write.setString(2, ChatMessageSerializer.messagesToJson(messages));
        write.executeUpdate();
      } catch (SQLException failed) {
        throw new IllegalStateException("cannot write " + memoryId, failed);
      }
    }

    @Override
    public void deleteMessages(Object memoryId) {
      throw new UnsupportedOperationException("nothing is deleted here");
    }
  }
}
