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
