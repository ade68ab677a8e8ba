package dev.contexture.springai;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ContextLimitErrors;
import java.util.List;
import org.apiguardian.api.API;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.MemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.ToolAdvisor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes the messages of each request to a model, also between calls of tools: system text, memory
 * and conversation within the budget, compacted if need be, proved against the rules of the
 * provider and kept in the ledger. What the model answers is recorded. Options and tools stay as
 * Spring AI gives them.
 *
 * <p>It stands inside the loop of the {@code ToolCallingAdvisor}, and inside of {@link
 * SpringAiTurnAdvisor}. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SpringAiAdvisor implements BaseAdvisor, MemoryAdvisor {
  /** Behind the {@code ToolCallingAdvisor}. */
  public static final int ORDER = HIGHEST_PRECEDENCE + 1_000;

  SpringAiAdvisor() {}

  @Override
  public int getOrder() {
    return ORDER;
  }

  /**
   * The request that is sent.
   *
   * @throws ContextureException {@code invalid_config} without {@link SpringAiTurnAdvisor}, {@code
   *     budget_too_small} if it cannot fit
   */
  @Override
  public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
    return AdvisedCall.of(request.context()).request(request, false);
  }

  /** Records the answer. */
  @Override
  public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
    if (response.chatResponse() != null) {
      AdvisedCall.of(response.context()).answered(response.chatResponse());
    }
    return response;
  }

  /** Asks once more, compacted, if the provider finds the request too long. */
  @Override
  public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
    refuseLoopInside(chain.getCallAdvisors());
    ChatClientRequest made = before(request, chain);
    CallAdvisorChain again = chain.copy(this);
    ChatClientResponse response;
    try {
      response = chain.nextCall(made);
    } catch (RuntimeException failure) {
      if (!ContextLimitErrors.isContextLimit(failure)) {
        throw failure;
      }
      response = again.nextCall(AdvisedCall.of(request.context()).request(request, true));
    }
    return after(response, chain);
  }

  @Override
  public Flux<ChatClientResponse> adviseStream(
      ChatClientRequest request, StreamAdvisorChain chain) {
    refuseLoopInside(chain.getStreamAdvisors());
    AdvisedCall call = AdvisedCall.of(request.context());
    return Mono.fromCallable(() -> before(request, chain))
        .subscribeOn(getScheduler())
        .flatMapMany(chain::nextStream)
        .publishOn(getScheduler())
        .doOnNext(
            piece -> {
              if (piece.chatResponse() != null) {
                call.arriving(piece.chatResponse());
              }
            })
        .doOnComplete(call::arrived);
  }

  /** A loop behind it would hide calls and results. */
  private void refuseLoopInside(List<? extends Advisor> chain) {
    int own = chain.indexOf(this);
    for (int i = own + 1; i < chain.size(); i++) {
      if (chain.get(i) instanceof ToolAdvisor loop) {
        throw new ContextureException(
            ErrorCode.INVALID_CONFIG,
            "the tool loop '"
                + loop.getName()
                + "' has the order "
                + ((Advisor) loop).getOrder()
                + ", behind "
                + ORDER
                + ": calls and results would not be seen; give it its own order,"
                + " ToolCallingAdvisor.DEFAULT_ORDER");
      }
    }
  }
}
