package dev.contexture.bench.peer;

import com.zaxxer.hikari.HikariDataSource;
import dev.contexture.bench.support.Circumstances;
import dev.contexture.bench.support.SampleMessage;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepository;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepositoryDialect;
import org.springframework.ai.chat.memory.repository.jdbc.PostgresChatMemoryRepositoryDialect;
import org.springframework.ai.chat.memory.repository.jdbc.SqliteChatMemoryRepositoryDialect;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Spring AI's window of messages over its JDBC repository, with the schema that it ships.
 *
 * <p>Confined to one thread.
 */
public final class SpringMemory implements MemoryPeer {
  private static final String SCHEMAS =
      "org/springframework/ai/chat/memory/repository/jdbc/schema-";

  private final HikariDataSource database;
  private final ChatMemoryRepository repository;
  private final ChatMemory memory;

  private SpringMemory(
      HikariDataSource database, String schema, JdbcChatMemoryRepositoryDialect dialect) {
    this.database = database;
    new ResourceDatabasePopulator(new ClassPathResource(SCHEMAS + schema)).execute(database);
    repository = JdbcChatMemoryRepository.builder().dataSource(database).dialect(dialect).build();
    memory =
        MessageWindowChatMemory.builder()
            .chatMemoryRepository(repository)
            .maxMessages(MAX_MESSAGES)
            .build();
  }

  public static SpringMemory sqlite(Path directory) {
    return new SpringMemory(
        PeerDatabase.open(directory.resolve("spring-ai.db")),
        "sqlite.sql",
        new SqliteChatMemoryRepositoryDialect());
  }

  public static SpringMemory postgres(String url) {
    return new SpringMemory(
        PeerDatabase.postgres(url), "postgresql.sql", new PostgresChatMemoryRepositoryDialect());
  }

  @Override
  public String name() {
    return "Spring AI " + Circumstances.version("spring-ai");
  }

  @Override
  public void fill(String conversation, List<SampleMessage> messages) {
    repository.saveAll(conversation, messages.stream().map(SpringMemory::message).toList());
  }

  @Override
  public Supplier<List<String>> add(String conversation, SampleMessage message) {
    memory.add(conversation, message(message));
    List<Message> sent = memory.get(conversation);
    return () -> sent.stream().map(each -> String.valueOf(each.getText())).toList();
  }

  private static Message message(SampleMessage said) {
    return said.byUser() ? new UserMessage(said.text()) : new AssistantMessage(said.text());
  }

  @Override
  public void close() {
    database.close();
  }
}
