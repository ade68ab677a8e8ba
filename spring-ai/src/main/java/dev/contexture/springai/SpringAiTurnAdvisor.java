package dev.contexture.springai;

import java.util.List;
import org.apiguardian.api.API;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/**
 * Makes a turn of a call of a ChatClient: what the user says opens it, the last answer finishes it,
 * and a failure or a cancelled stream interrupts it, so that what was done stays in context. Tools
 * of {@link SpringAiTools} get the conversation of the call.
 *
 * <p>It stands around the tool loop. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SpringAiTurnAdvisor implements CallAdvisor, StreamAdvisor {
  /** Before everything that adds to a prompt. */
  public static final int ORDER = BaseAdvisor.HIGHEST_PRECEDENCE + 100;

  private static final Scheduler SCHEDULER = BaseAdvisor.DEFAULT_SCHEDULER;

  private final SpringAiContext context;

  SpringAiTurnAdvisor(SpringAiContext context) {
    this.context = context;
  }

  @Override
  public String getName() {
    return getClass().getSimpleName();
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  /**
   * Runs the call as a turn.
   *
   * @throws dev.contexture.error.ContextureException {@code scope_required} without a conversation,
   *     {@code turn_in_progress} if another call works on it; then no model is asked
   */
  @Override
  public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
    AdvisedCall call = AdvisedCall.open(context, request);
    try {
      ChatClientResponse response = chain.nextCall(with(request, call));
      ChatResponse said = response.chatResponse();
      call.ended(said, said != null && said.hasToolCalls());
      return response;
    } catch (RuntimeException | Error failure) {
      call.failed(failure);
      throw failure;
    }
  }

  @Override
  public Flux<ChatClientResponse> adviseStream(
      ChatClientRequest request, StreamAdvisorChain chain) {
    return Flux.defer(
        () -> {
          AdvisedStream stream = new AdvisedStream(context, request);
          return stream
              .open(SCHEDULER)
              .flatMapMany(call -> stream.follow(chain.nextStream(with(request, call))))
              .doOnCancel(() -> stream.cancel(SCHEDULER));
        });
  }

  private static ChatClientRequest with(ChatClientRequest request, AdvisedCall call) {
    return request
        .mutate()
        .prompt(bound(request.prompt(), call))
        .context(AdvisedCall.KEY, call)
        .build();
  }

  /** Says to the tools of the agent whose conversation it is. */
  private static Prompt bound(Prompt prompt, AdvisedCall call) {
    if (!(prompt.getOptions() instanceof ToolCallingChatOptions options)
        || options.getToolCallbacks() == null
        || options.getToolCallbacks().stream().noneMatch(AgentCallback.class::isInstance)) {
      return prompt;
    }
    List<ToolCallback> tools =
        options.getToolCallbacks().stream()
            .map(tool -> tool instanceof AgentCallback own ? own.in(call.scope()) : tool)
            .toList();
    return prompt.mutate().chatOptions(options.mutate().toolCallbacks(tools).build()).build();
  }
}
