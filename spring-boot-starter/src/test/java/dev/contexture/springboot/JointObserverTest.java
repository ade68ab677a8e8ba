package dev.contexture.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.event.EngineObserver;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each observer hears how all work ends that it saw begin, whatever others do. */
class JointObserverTest {
  private static final EngineWork WORK =
      new EngineWork.CompactionRun(Scope.of("acme", "shop").user("ann").conversation("c1"));
  private static final WorkResult DONE = new WorkResult.MemoryWritten(null, false);

  private final List<String> heard = new ArrayList<>();

  private EngineObserver observer(String name, boolean breaks) {
    return work -> {
      heard.add(name + " begins");
      return new EngineObserver.Watch() {
        @Override
        public void end(WorkResult result) {
          heard.add(name + " ends");
          breakIf(breaks);
        }

        @Override
        public void fail(Throwable failure) {
          heard.add(name + " fails");
          breakIf(breaks);
        }
      };
    };
  }

  private static void breakIf(boolean breaks) {
    if (breaks) {
      throw new IllegalStateException("an observer is broken");
    }
  }

  @Test
  void theLastThatBeganEndsFirst() {
    new JointObserver(List.of(observer("a", false), observer("b", false))).begin(WORK).end(DONE);
    assertThat(heard).containsExactly("a begins", "b begins", "b ends", "a ends");
  }

  @Test
  void oneThatThrowsKeepsNoOtherFromHearing() {
    EngineObserver broken =
        work -> {
          throw new IllegalStateException("an observer is broken");
        };
    JointObserver joint =
        new JointObserver(List.of(observer("a", false), broken, observer("b", true)));
    joint.begin(WORK).end(DONE);
    joint.begin(WORK).fail(new IllegalStateException("no"));
    assertThat(heard)
        .containsExactly(
            "a begins",
            "b begins",
            "b ends",
            "a ends",
            "a begins",
            "b begins",
            "b fails",
            "a fails");
  }
}
