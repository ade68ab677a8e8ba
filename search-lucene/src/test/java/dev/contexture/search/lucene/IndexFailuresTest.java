package dev.contexture.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.LockObtainFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index is deleted and built anew for damage only. */
class IndexFailuresTest {
  @TempDir Path folder;

  @Test
  void aMachineThatRefusesIsNoDamage() {
    IOException full = new FileSystemException("_0.cfs", null, "Too many open files");
    List<Throwable> failures =
        List.of(
            full,
            new FileNotFoundException("segments_1 (Too many open files)"),
            new IOException("No space left on device"),
            new IOException("Map failed"),
            new AccessDeniedException("segments_1"),
            new LockObtainFailedException("held"),
            new CorruptIndexException("problem reading", "segments_1", full),
            new AlreadyClosedException("this IndexWriter is closed", full));
    assertThat(failures).allMatch(IndexFailures::isOfTheMachine);
  }

  @Test
  void bytesThatCannotBeReadAreDamage() {
    List<Throwable> failures =
        List.of(
            new CorruptIndexException("checksum failed", "segments_1"),
            new EOFException("read past EOF"),
            new NoSuchFileException("_0.cfs"),
            new IllegalArgumentException("no such codec"),
            new IOException("the index has form 1, not 2"));
    assertThat(failures).noneMatch(IndexFailures::isOfTheMachine);
  }

  /** The log has the failure beside the message: what a library says may hold what users said. */
  @Test
  void logsDamageWithoutTheWordsOfTheFailure() throws IOException {
    List<LogRecord> said = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord one) {
            said.add(one);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(LuceneIndexes.class.getName());
    logger.addHandler(handler);
    Path secret = folder.resolve("xylophone");
    try {
      Files.createDirectories(secret.resolve("t/p"));
      Files.write(secret.resolve("t/p/segments_1"), new byte[100]);
      try (LuceneIndexes indexes = LuceneIndexes.in(secret)) {
        indexes.open(Scope.of("t", "p")).close();
      }
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(said).hasSize(1);
    LogRecord one = said.getFirst();
    assertThat(new SimpleFormatter().formatMessage(one))
        .contains("t/p cannot be read and is built anew")
        .doesNotContain("xylophone", "Exception");
    assertThat(one.getThrown()).isNotNull();
  }

  @Test
  void deletesNothingWhereTheFolderCannotBeUsed() throws IOException {
    Path blocked = Files.writeString(folder.resolve("t"), "not a folder");
    try (LuceneIndexes indexes = LuceneIndexes.in(folder)) {
      ContextureException refused =
          catchThrowableOfType(
              ContextureException.class, () -> indexes.open(Scope.of("t", "p")).close());
      assertThat(refused.code()).isEqualTo(ErrorCode.SEARCH_UNAVAILABLE);
    }
    assertThat(blocked).hasContent("not a folder");
  }
}
