package dev.contexture.search.lucene;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.SearchIndex;
import dev.contexture.store.OwnerOnly;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The indexes in a folder, one for each tenant and project. They are opened on demand; of those
 * that nobody uses, only the last used stay open. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LuceneIndexes implements SearchIndex.Provider {
  /** What it is called in settings and status. */
  public static final String KIND = "lucene";

  private static final System.Logger LOG = System.getLogger(LuceneIndexes.class.getName());
  private static final int MAX_OPEN = 16;

  private final Path folder;
  private final int maxOpen;
  private final LuceneIndex.Settings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Scope, LuceneIndex> open = new LinkedHashMap<>(MAX_OPEN, 0.75f, true);
  private boolean closed;

  private LuceneIndexes(Path folder, int maxOpen, LuceneIndex.Settings settings) {
    this.folder = folder;
    this.maxOpen = maxOpen;
    this.settings = settings;
  }

  /** The indexes in a folder, which is made with the first of them. */
  public static LuceneIndexes in(Path folder) {
    return new LuceneIndexes(folder, MAX_OPEN, LuceneIndex.Settings.DEFAULT);
  }

  static LuceneIndexes in(Path folder, int maxOpen, LuceneIndex.Settings settings) {
    return new LuceneIndexes(folder, maxOpen, settings);
  }

  @Override
  public SearchIndex open(Scope scope) {
    lock.lock();
    try {
      if (closed) {
        throw new ContextureException(ErrorCode.SEARCH_UNAVAILABLE, "the search index is closed");
      }
      LuceneIndex index = open.get(scope);
      if (index != null && !index.isOpen()) { // it failed and lost what was not committed
        open.remove(scope);
        index.abandon();
        index = null;
      }
      if (index == null) {
        index = openFolder(scope);
        open.put(scope, index);
      }
      index.use();
      closeIdle();
      return index;
    } finally {
      lock.unlock();
    }
  }

  private LuceneIndex openFolder(Scope scope) {
    Path path = path(scope);
    try {
      create(path);
      return LuceneIndex.open(path, settings);
    } catch (IOException | RuntimeException damaged) {
      if (IndexFailures.isOfTheMachine(damaged)) {
        throw unavailable(scope, damaged);
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "the search index of "
              + scope.tenant()
              + "/"
              + scope.project()
              + " cannot be read and is built anew",
          damaged);
      try {
        delete(path);
        create(path);
        return LuceneIndex.open(path, settings);
      } catch (IOException failed) {
        throw unavailable(scope, failed);
      }
    }
  }

  /** Nobody but the owner of the store may enter the folders. */
  private void create(Path path) throws IOException {
    OwnerOnly.createDirectory(folder);
    OwnerOnly.createDirectory(Objects.requireNonNull(path.getParent()));
    OwnerOnly.createDirectory(path);
  }

  static ContextureException unavailable(Exception cause) {
    return new ContextureException(
        ErrorCode.SEARCH_UNAVAILABLE,
        "the search index cannot be used now; free disk space, raise the limit of open files"
            + " (ulimit -n), or give the process access to it",
        Map.of(),
        cause);
  }

  static ContextureException unavailable(Scope scope, Exception cause) {
    return new ContextureException(
        ErrorCode.SEARCH_UNAVAILABLE,
        "the search index of "
            + scope.tenant()
            + "/"
            + scope.project()
            + " cannot be opened; free disk space, raise the limit of open files (ulimit -n), or"
            + " give the process access to its folder",
        Map.of(),
        cause);
  }

  private void closeIdle() {
    Iterator<Map.Entry<Scope, LuceneIndex>> oldest = open.entrySet().iterator();
    while (open.size() > maxOpen && oldest.hasNext()) {
      Map.Entry<Scope, LuceneIndex> candidate = oldest.next();
      if (!candidate.getValue().isUsed()) {
        oldest.remove();
        shut(candidate.getKey(), candidate.getValue());
      }
    }
  }

  private static void shut(Scope scope, LuceneIndex index) {
    try {
      index.shut();
    } catch (IOException | RuntimeException failed) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the search index of "
              + scope
              + " was not closed in order; it continues from its last"
              + " commit",
          failed);
    }
  }

  @Override
  public boolean exists(Scope scope) {
    lock.lock();
    try {
      return open.containsKey(scope) || Files.isDirectory(path(scope));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void drop(Scope scope) {
    lock.lock();
    try {
      LuceneIndex index = open.remove(scope);
      if (index != null) {
        index.abandon();
      }
      delete(path(scope));
    } catch (IOException failed) {
      throw unavailable(scope, failed);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<String> kind() {
    return Optional.of(KIND);
  }

  @Override
  public List<Scope> scopes() {
    List<Scope> scopes = new ArrayList<>();
    for (Path tenant : folders(folder)) {
      for (Path project : folders(tenant)) {
        scopes.add(Scope.of(part(tenant), part(project)));
      }
    }
    return scopes;
  }

  private static List<Path> folders(Path in) {
    if (!Files.isDirectory(in)) {
      return List.of();
    }
    try (Stream<Path> inside = Files.list(in)) {
      return inside.filter(Files::isDirectory).sorted().toList();
    } catch (IOException failed) {
      throw new ContextureException(
          ErrorCode.SEARCH_UNAVAILABLE, "the search indexes cannot be listed", Map.of(), failed);
    }
  }

  private static String part(Path named) {
    return URLDecoder.decode(String.valueOf(named.getFileName()), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      open.forEach(LuceneIndexes::shut);
      open.clear();
    } finally {
      lock.unlock();
    }
  }

  /** A folder whose name differs for different scopes also where file names ignore case. */
  Path path(Scope scope) {
    return folder.resolve(name(scope.tenant())).resolve(name(scope.project()));
  }

  private static String name(String part) {
    StringBuilder name = new StringBuilder();
    for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_';
      name.append(plain ? String.valueOf((char) b) : String.format(Locale.ROOT, "%%%02x", b));
    }
    return name.toString();
  }

  private static void delete(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
