package dev.contexture.springai;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.model.ChatResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A call whose answers arrive in pieces. It may be cancelled at any time, also while its turn is
 * being opened; then the turn is interrupted as soon as it is there. Thread-safe.
 */
final class AdvisedStream {
  private final SpringAiContext context;
  private final ChatClientRequest request;
  private volatile @Nullable AdvisedCall opened;
  private volatile boolean cancelled;
  private volatile @Nullable ChatResponse said; // the last that says something
  private volatile boolean asksTools;

  AdvisedStream(SpringAiContext context, ChatClientRequest request) {
    this.context = context;
    this.request = request;
  }

  /** Opens the turn. A thread that does it is not interrupted: the turn might be stored by then. */
  Mono<AdvisedCall> open(Scheduler scheduler) {
    return Mono.create(
        sink ->
            scheduler.schedule(
                () -> {
                  try {
                    sink.success(open());
                  } catch (RuntimeException | Error failure) {
                    sink.error(failure);
                  }
                }));
  }

  private AdvisedCall open() {
    AdvisedCall call = AdvisedCall.open(context, request);
    opened = call;
    if (cancelled) { // it may have come before anybody knew of the call
      call.cancelled();
    }
    return call;
  }

  /** Listens to what arrives, and ends the turn when nothing more does. */
  Flux<ChatClientResponse> follow(Flux<ChatClientResponse> pieces) {
    AdvisedCall call = Objects.requireNonNull(opened);
    return pieces
        .doOnNext(this::hear)
        .doOnComplete(() -> call.ended(said, asksTools))
        .doOnError(call::failed);
  }

  /** A stream may end with a piece that tells only what it cost. */
  private void hear(ChatClientResponse piece) {
    ChatResponse response = piece.chatResponse();
    if (response != null && !response.getResults().isEmpty()) {
      said = response;
      asksTools |= response.hasToolCalls();
    }
  }

  /** Interrupts the turn, later: who cancels does not wait. The next call in it does. */
  void cancel(Scheduler scheduler) {
    cancelled = true;
    AdvisedCall call = opened;
    if (call != null) {
      context.stops(call);
      scheduler.schedule(call::cancelled);
    }
  }
}
