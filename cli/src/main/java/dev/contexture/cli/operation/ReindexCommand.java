package dev.contexture.cli.operation;

import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.output.Progress;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.Embedders;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Rebuilds a search index. */
@Command(
    name = "reindex",
    description = {
      "Builds the search index of a project anew from the store.",
      "Nothing in the store changes. Progress goes to standard error."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  contexture reindex --tenant acme --project shop"})
public final class ReindexCommand implements Callable<Integer> {
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Executor BESIDE = task -> Thread.ofVirtual().start(task);

  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(
      names = "--embedder",
      paramLabel = "NAME",
      defaultValue = Embedders.NONE,
      description =
          "As for serve; a server that has the store open uses its own (default:"
              + " ${DEFAULT-VALUE}).")
  private String embedder = Embedders.NONE;

  @Override
  public Integer call() throws InterruptedException {
    Printer printer = Printer.of(spec);
    JsonObject status;
    try (Api api = Api.open(store, () -> Embedders.settings(embedder));
        Progress progress = printer.progress("reindex")) {
      status = rebuild(api, progress);
    }
    if (printer.json()) {
      printer.json(status);
    } else {
      printer.line(
          Printer.count(Printer.number(status, "entries"), "entry", "entries") + " can be found");
    }
    return Main.DONE;
  }

  /** What is not indexed yet is largest at the beginning, and tells how far it is. */
  private static JsonObject rebuild(Api api, Progress progress) throws InterruptedException {
    CompletableFuture<JsonObject> answer =
        CompletableFuture.supplyAsync(() -> api.post("/v1/reindex", JsonObject.EMPTY), BESIDE);
    long most = 0;
    while (true) {
      try {
        return answer.get(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException notYet) {
        long left = Printer.number(api.get("/healthz"), "index_lag");
        most = Math.max(most, left);
        progress.at(most - left, most);
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof ContextureException refused
            ? refused
            : new CompletionException(failed.getCause());
      }
    }
  }
}
