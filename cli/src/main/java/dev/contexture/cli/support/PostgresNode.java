package dev.contexture.cli.support;

import dev.contexture.Contexture;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.lucene.LuceneIndexes;
import dev.contexture.search.postgres.PostgresIndexes;
import dev.contexture.store.postgres.PostgresSettings;
import dev.contexture.store.postgres.PostgresStore;
import dev.contexture.store.sqlite.DirectoryLock;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * An engine over a PostgreSQL database, with a directory that keeps what is its own: the search
 * index, unless that is in the database too, and the lock by which commands find its server. An
 * index that was made of another database is dropped. Closing it closes the engine.
 */
public final class PostgresNode implements AutoCloseable {
  private static final String INDEX = "index-postgres";

  /** Names the database and what its numbers mean, a line each. */
  private static final String DATABASE = "index-postgres.of";

  private final Contexture engine;
  private final DirectoryLock lock;

  private PostgresNode(Contexture engine, DirectoryLock lock) {
    this.engine = engine;
    this.lock = lock;
  }

  /** The address of the database that a directory was last used with, if it was. */
  public static Optional<String> database(Path data) {
    try {
      return Files.readAllLines(data.resolve(DATABASE)).stream().findFirst();
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  /**
   * Refuses the directory of a node that does not run: nobody but a node may open its database.
   *
   * @throws ContextureException {@code not_found}
   */
  public static void refuse(Path data) {
    String database = database(data).orElse(null);
    if (database != null) {
      throw new ContextureException(
          ErrorCode.NOT_FOUND,
          "no server uses "
              + data
              + " now, whose store is the PostgreSQL database "
              + database
              + "; start one with contexture serve --store postgres, and commands find it",
          Map.of("directory", data.toString()),
          null);
    }
  }

  /**
   * The folder of the index in a directory.
   *
   * @param embedded its name where the store is in the directory too
   */
  public static Path index(Path data, String embedded) {
    return data.resolve(database(data).isPresent() ? INDEX : embedded);
  }

  /**
   * Opens it.
   *
   * @param data its own directory, made if it is missing
   * @param index where its search index is
   * @throws ContextureException {@code store_in_use} if another process uses the directory, {@code
   *     invalid_argument} if that holds a store of SQLite, or another {@code store_} code
   */
  public static PostgresNode open(
      Path data,
      PostgresSettings database,
      NodeIndex index,
      UnaryOperator<Contexture.Builder> settings) {
    if (Files.exists(data.resolve(SqliteStore.FILE))) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--data", data, "a directory without a store of SQLite");
    }
    PostgresStore store = PostgresStore.open(database); // before a directory is made
    try {
      Files.createDirectories(data);
      DirectoryLock lock = DirectoryLock.take(data);
      try {
        useIndexOf(data, List.of(database.address(), store.identity()));
        Contexture.Builder builder =
            Contexture.builder(store)
                .storedCacheSecret(true)
                .searchIndex(indexes(data, store, index));
        return new PostgresNode(settings.apply(builder).build(), lock);
      } catch (RuntimeException | IOException failed) {
        lock.close();
        throw failed;
      }
    } catch (IOException failed) {
      store.close();
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot write in " + data + ": " + failed + "; give another --data",
          Map.of("directory", data.toString()),
          failed);
    } catch (RuntimeException refused) {
      store.close();
      throw refused;
    }
  }

  private static SearchIndex.Provider indexes(Path data, PostgresStore store, NodeIndex index)
      throws IOException {
    return switch (index) {
      case LUCENE -> LuceneIndexes.in(data.resolve(INDEX));
      case POSTGRES -> {
        drop(data.resolve(INDEX)); // of an earlier start: nobody would erase anything from it
        yield PostgresIndexes.in(store);
      }
    };
  }

  private static void useIndexOf(Path data, List<String> database) throws IOException {
    Path of = data.resolve(DATABASE);
    if (Files.exists(of) && Files.readAllLines(of).equals(database)) {
      return;
    }
    drop(data.resolve(INDEX));
    Files.write(of, database);
  }

  private static void drop(Path index) throws IOException {
    if (!Files.exists(index)) {
      return;
    }
    try (Stream<Path> files = Files.walk(index)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  public Contexture engine() {
    return engine;
  }

  /** Lets commands find the server of this node by its directory. */
  public void announceServer(String address) {
    try {
      lock.announce(address, null);
    } catch (IOException failed) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "cannot write the lock file: " + failed,
          Map.of("file", DirectoryLock.FILE),
          failed);
    }
  }

  @Override
  public void close() {
    try {
      engine.close();
    } finally {
      lock.close();
    }
  }
}
