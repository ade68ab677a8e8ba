package dev.contexture.cli;

import dev.contexture.block.Scope;
import dev.contexture.engine.Contexture;
import dev.contexture.engine.search.Search;
import dev.contexture.json.JsonObject;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Builds a search index anew. */
@Command(
    name = "reindex",
    description = {
      "Builds the search index of a project anew from the store.",
      "Nothing in the store changes. Progress goes to standard error."
    })
final class ReindexCommand implements Callable<Integer> {
  private static final long TELL_EVERY = 1_024;

  @Spec private @Nullable CommandSpec spec;
  @ParentCommand private @Nullable ContextureCommand parent;
  @Mixin private StoreFlags store = new StoreFlags();

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
    Scope scope = store.scope();
    Embedders.quiet();
    try (Contexture engine = Contexture.open(store.data())) {
      Search.IndexStatus status =
          engine
              .search()
              .rebuild(
                  scope,
                  changes -> {
                    if (changes % TELL_EVERY == 0) {
                      err.println(changes + " changes indexed");
                      err.flush();
                    }
                  });
      if (parent != null && parent.json) {
        JsonObject.Builder json = JsonObject.builder().put("entries", status.entries());
        out.println(json.put("lag", status.lag()).build().toJson());
      } else {
        out.println(status.entries() + " entries can be found");
      }
    }
    return Main.DONE;
  }
}
