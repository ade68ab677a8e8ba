package dev.contexture.embedded;

import dev.contexture.Contexture;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.search.lucene.LuceneIndexes;
import dev.contexture.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/** Opens the engine on a directory: SQLite, Lucene, and the providers of this release. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EmbeddedOpener implements Contexture.Opener {
  private static final String INDEX_FOLDER = "index";

  @Override
  public Contexture open(Path directory, UnaryOperator<Contexture.Builder> settings) {
    Contexture.Builder builder =
        Contexture.builder(SqliteStore.open(directory))
            .exclusive(true)
            .storedCacheSecret(true)
            .providers(BuiltInProviders.of(ModelCatalogue.in(directory)))
            .searchIndex(LuceneIndexes.in(directory.resolve(INDEX_FOLDER)));
    return settings.apply(builder).build();
  }
}
