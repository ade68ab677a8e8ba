package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.lucene.LuceneIndexes;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors in the threads that index and embed reach whoever looks after dying threads. */
class SearchErrorsTest {
  @TempDir Path directory;
  private final OutOfMemoryError gone = new OutOfMemoryError("no heap left, says the test");

  private void isTold(UnaryOperator<Contexture.Builder> settings) throws InterruptedException {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    CountDownLatch told = new CountDownLatch(1);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          if (thrown == gone) {
            told.countDown();
          }
        });
    try (Contexture engine = Contexture.open(directory, settings)) {
      Scope.OfConversation chat = SearchFixture.SCOPE.user("u").conversation("c1");
      engine.browser(chat).startTurn("Where is the windmill?").finish("Behind the hill.");
      engine.search().notice(SearchFixture.SCOPE);
      assertThat(told.await(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void anErrorOfTheEmbedderIsTold() throws InterruptedException {
    FakeEmbedder broken =
        new FakeEmbedder(
            "m",
            2,
            4,
            texts -> {
              throw gone;
            },
            text -> new float[] {1, 0});
    isTold(settings -> settings.embedder(broken));
  }

  @Test
  void anErrorOfTheIndexIsTold() throws InterruptedException {
    SearchIndex.Provider sound = LuceneIndexes.in(directory.resolve("index"));
    SearchIndex.Provider broken =
        (SearchIndex.Provider)
            Proxy.newProxyInstance(
                SearchIndex.Provider.class.getClassLoader(),
                new Class<?>[] {SearchIndex.Provider.class},
                (unused, method, arguments) -> {
                  if (method.getName().equals("open")
                      && Thread.currentThread().getName().equals("contexture-index")) {
                    throw gone;
                  }
                  return method.invoke(sound, arguments);
                });
    isTold(settings -> settings.searchIndex(broken));
  }
}
