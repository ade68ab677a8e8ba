package dev.contexture.bench.support;

import dev.contexture.Contexture;
import dev.contexture.search.Embedder;
import dev.contexture.search.postgres.PostgresIndexes;
import dev.contexture.store.postgres.PostgresSettings;
import dev.contexture.store.postgres.PostgresStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An engine over a store of its own, with one of the indexes that there are: Lucene in a directory,
 * or that in PostgreSQL, on a server of its own. Confined to one thread.
 */
public final class SearchedEngine implements AutoCloseable {
  private static final String NAME = "searched";

  private final Contexture engine;
  private final Path directory;
  private final @Nullable PostgresDatabase database;

  private SearchedEngine(Contexture engine, Path directory, @Nullable PostgresDatabase database) {
    this.engine = engine;
    this.directory = directory;
    this.database = database;
  }

  /** Store and index in a directory that is deleted in the end. */
  public static SearchedEngine lucene(@Nullable Embedder embedder) throws IOException {
    Path directory = Files.createTempDirectory("contexture-searched");
    Contexture engine = Contexture.open(directory, settings -> settings.embedder(embedder));
    return new SearchedEngine(engine, directory, null);
  }

  /** Both in a database. */
  public static SearchedEngine postgres(@Nullable Embedder embedder) throws IOException {
    Path directory = Files.createTempDirectory("contexture-searched");
    try {
      PostgresDatabase database = PostgresDatabase.start();
      PostgresStore store = PostgresStore.open(PostgresSettings.of(database.fresh(NAME)));
      Contexture engine =
          Contexture.builder(store)
              .searchIndex(PostgresIndexes.in(store))
              .embedder(embedder)
              .build();
      return new SearchedEngine(engine, directory, database);
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }

  public Contexture engine() {
    return engine;
  }

  /** How much room the index takes. */
  public long indexBytes() {
    if (database != null) {
      try {
        return database.tableBytes(NAME, "search\\_%");
      } catch (SQLException failed) {
        throw new IllegalStateException(failed);
      }
    }
    try (Stream<Path> files = Files.walk(directory.resolve("index"))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() throws IOException {
    engine.close();
    if (database != null) {
      database.close();
    }
    StoreSamples.delete(directory);
  }
}
