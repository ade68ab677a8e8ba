package dev.contexture.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.store.OwnerOnly;
import dev.contexture.testkit.ChildProcess;
import dev.contexture.testkit.SearchIndexContract;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lucene as the search index. */
class LuceneIndexTest extends SearchIndexContract {
  @TempDir Path directory;

  @Override
  protected SearchIndex.Provider open(Path folder) {
    return LuceneIndexes.in(folder);
  }

  private static IndexChange put(String id, String text) {
    IndexEntry entry =
        new IndexEntry(
            id, id, SearchContentType.ARCHIVAL, "a", null, null, null, Instant.EPOCH, 0, "h");
    return new IndexChange.Put(new IndexDocument(entry, text, "", "", "", ""));
  }

  private static boolean holds(Path folder, String word) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (bytes.contains(word)) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void leavesNoByteOfWhatIsErased() throws IOException {
    Scope scope = Scope.of("t", "p");
    try (LuceneIndexes indexes = LuceneIndexes.in(directory);
        SearchIndex index = indexes.open(scope)) {
      index.write(
          List.of(put("1", "xylophonesecret"), put("2", "harmless")),
          IndexPosition.START.withText(1));
      index.commit();
      assertThat(holds(directory, "xylophonesecret")).isTrue();
      index.write(List.of(new IndexChange.RemoveGroup("1", true)), IndexPosition.START.withText(2));
      index.commit();
      assertThat(holds(directory, "xylophonesecret")).isFalse();
      assertThat(holds(directory, "harmless")).isTrue();
    }
  }

  @Test
  void startsEmptyWhereTheFilesAreDamaged() throws IOException {
    Scope scope = Scope.of("t", "p");
    try (LuceneIndexes indexes = LuceneIndexes.in(directory);
        SearchIndex index = indexes.open(scope)) {
      index.write(List.of(put("1", "word")), IndexPosition.START.withText(7));
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.getFileName().toString().startsWith("segments_")) {
          Files.write(file, new byte[] {1, 2, 3});
        }
      }
    }
    try (LuceneIndexes indexes = LuceneIndexes.in(directory);
        SearchIndex index = indexes.open(scope)) {
      assertThat(index.position()).isEqualTo(IndexPosition.START);
      assertThat(index.counts().entries()).isZero();
    }
  }

  /** Takes every descriptor while an index is opened, and says what came of it. */
  static final class Exhausted {
    private Exhausted() {}

    public static void main(String[] args) throws IOException {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      Path folder = Path.of(args[0]);
      Scope scope = Scope.of("t", "p");
      try (LuceneIndexes indexes = LuceneIndexes.in(folder);
          SearchIndex index = indexes.open(scope)) {
        index.write(List.of(put("1", "word")), IndexPosition.START.withText(7));
      }
      Path other = Files.writeString(folder.resolve("other"), "x");
      out.println(open(folder, Scope.of("other", "p"))); // loads what it needs
      List<InputStream> taken = new ArrayList<>();
      try {
        while (true) {
          taken.add(Files.newInputStream(other));
        }
      } catch (IOException exhausted) {
        out.println(open(folder, scope));
      }
      for (InputStream each : taken) {
        each.close();
      }
      out.println(open(folder, scope));
    }

    private static String open(Path folder, Scope scope) {
      try (LuceneIndexes indexes = LuceneIndexes.in(folder);
          SearchIndex index = indexes.open(scope)) {
        return "at " + index.position().text();
      } catch (ContextureException refused) {
        return refused.code().wireName();
      }
    }
  }

  @Test
  void anIndexThatLacksDescriptorsIsNotTakenForDamaged() throws IOException {
    List<String> limited = List.of("bash", "-c", "ulimit -n 96; exec \"$@\"", "limited");
    try (ChildProcess child = ChildProcess.start(limited, Exhausted.class, directory.toString())) {
      assertThat(child.line()).isEqualTo("search_unavailable");
      assertThat(child.line()).isEqualTo("search_unavailable");
      assertThat(child.line()).isEqualTo("at 7");
    }
  }

  @Test
  void foldersAreForTheirOwnerAlone() throws IOException {
    Path folder = directory.resolve("index");
    try (LuceneIndexes indexes = LuceneIndexes.in(folder)) {
      indexes.open(Scope.of("t", "p")).close();
    }
    for (Path each : List.of(folder, folder.resolve("t"), folder.resolve("t/p"))) {
      assertThat(OwnerOnly.isOpenToOthers(each)).as(each.toString()).isFalse();
    }
  }

  @Test
  void keepsABoundedNumberOpenAndLosesNothing() {
    try (LuceneIndexes indexes = LuceneIndexes.in(directory, 2, LuceneIndex.Settings.DEFAULT)) {
      for (int i = 0; i < 6; i++) {
        try (SearchIndex index = indexes.open(Scope.of("Tenant:" + i, "p+" + i))) {
          index.write(List.of(put("1", "word" + i)), IndexPosition.START.withText(i + 1));
        }
      }
      for (int i = 0; i < 6; i++) {
        try (SearchIndex index = indexes.open(Scope.of("Tenant:" + i, "p+" + i))) {
          assertThat(index.position().text()).isEqualTo(i + 1);
          assertThat(index.counts().entries()).isEqualTo(1);
        }
      }
      assertThat(indexes.scopes()).hasSize(6).contains(Scope.of("Tenant:3", "p+3"));
    }
  }
}
