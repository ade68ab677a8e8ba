package dev.contexture.springboot;

import dev.contexture.event.EngineObserver;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import java.util.List;

/** Tells all observers of an application. As thread-safe as they are. */
record JointObserver(List<EngineObserver> observers) implements EngineObserver {
  JointObserver {
    observers = List.copyOf(observers);
  }

  @Override
  public Watch begin(EngineWork work) {
    List<Watch> watches = observers.stream().map(each -> each.begin(work)).toList();
    return new Watch() {
      @Override
      public void end(WorkResult result) {
        watches.forEach(each -> each.end(result));
      }

      @Override
      public void fail(Throwable failure) {
        watches.forEach(each -> each.fail(failure));
      }
    };
  }
}
