package dev.contexture.springboot;

import dev.contexture.event.EngineObserver;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells all observers of an application. One that throws is logged, and the others hear what they
 * would have heard; the last that heard work begin hears it end first, as spans that are current
 * have to be closed. As thread-safe as they are.
 */
record JointObserver(List<EngineObserver> observers) implements EngineObserver {
  private static final System.Logger LOG = System.getLogger(JointObserver.class.getName());

  JointObserver {
    observers = List.copyOf(observers);
  }

  @Override
  public Watch begin(EngineWork work) {
    Deque<Watch> begun = new ArrayDeque<>();
    observers.forEach(each -> safely(() -> begun.push(each.begin(work))));
    return new Watch() {
      @Override
      public void end(WorkResult result) {
        tell(each -> each.end(result));
      }

      @Override
      public void fail(Throwable failure) {
        tell(each -> each.fail(failure));
      }

      private void tell(Consumer<Watch> news) {
        begun.forEach(each -> safely(() -> news.accept(each)));
      }
    };
  }

  private static void safely(Runnable told) {
    try {
      told.run();
    } catch (RuntimeException failure) {
      LOG.log(System.Logger.Level.WARNING, "an observer failed and is ignored", failure);
    }
  }
}
