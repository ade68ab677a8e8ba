package dev.contexture.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CancellationTest {
  @AfterEach
  void unbind() {
    Cancellation.unbind();
  }

  @Test
  void goesOnUntilItIsCancelled() {
    Cancellation.check(); // nothing is bound
    Cancellation cancellation = Cancellation.bind();
    Cancellation.check();
    cancellation.cancel(new ContextureException(ErrorCode.TIMED_OUT, "it took too long"));
    cancellation.cancel(new ContextureException(ErrorCode.INTERNAL, "a later reason"));
    assertThat(cancellation.isCancelled()).isTrue();
    assertThatThrownBy(Cancellation::check)
        .isInstanceOfSatisfying(
            ContextureException.class, why -> assertThat(why.code()).isEqualTo(ErrorCode.TIMED_OUT))
        .hasMessage("it took too long");
    Cancellation.unbind();
    Cancellation.check();
  }

  @Test
  void isAboutOneThread() throws InterruptedException {
    Cancellation.bind().cancel(new ContextureException(ErrorCode.TIMED_OUT, "late"));
    AtomicBoolean wentOn = new AtomicBoolean();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  Cancellation.check();
                  wentOn.set(true);
                });
    other.join();
    assertThat(wentOn).isTrue();
    assertThatThrownBy(Cancellation::check).isInstanceOf(ContextureException.class);
  }

  @Test
  void tokensAreNotCountedForACallerThatLeft() {
    List<String> counted = new ArrayList<>();
    Cancellation cancellation = Cancellation.bind();
    TokenCounter counter =
        new TokenCounter() {
          @Override
          public String name() {
            return "test";
          }

          @Override
          public long count(String text) {
            counted.add(text);
            cancellation.cancel(new ContextureException(ErrorCode.TIMED_OUT, "the caller left"));
            return 1;
          }
        };
    assertThatThrownBy(() -> TokenMeter.of(counter).texts(List.of("one", "two")))
        .hasMessage("the caller left");
    assertThat(counted).containsExactly("one");
  }
}
