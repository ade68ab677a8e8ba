package dev.contexture.springai;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelRef;
import dev.contexture.render.RenderOptions;
import dev.contexture.turn.ClearPolicy;
import dev.contexture.turn.Finish;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ResultCalls;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;

/**
 * Conversations of the engine as a chat memory, for those who keep a {@code
 * MessageChatMemoryAdvisor}. What the user says opens a turn, an answer without calls finishes it;
 * every message is durable when {@link #add} returns, and none is ever evicted. {@link #get} is
 * what fits of the conversation; tools and system text are not counted. Prefer {@link
 * SpringAiContext#advisors}, which make the whole request.
 *
 * <p>Thread-safe. Holds no messages. It is not told which call a message belongs to: a prompt
 * interrupts the turn that is open, also that of a call which still runs.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SpringAiMemory implements ChatMemory {
  private final SpringAiContext context;

  SpringAiMemory(SpringAiContext context) {
    this.context = context;
  }

  /**
   * Stores messages.
   *
   * @throws ContextureException {@code invalid_argument} for system messages and content that
   *     cannot be kept, {@code unknown_call} for results of calls that were not made
   */
  @Override
  public void add(String conversationId, List<Message> messages) {
    ContextBrowser chat = browser(conversationId);
    List<AssistantMessage> answer = new ArrayList<>(); // some clients split one
    for (Message message : messages) {
      if (message instanceof AssistantMessage said) {
        answer.add(said);
        continue;
      }
      record(chat, answer);
      switch (message) {
        case UserMessage said ->
            chat.startTurn(
                context.ofAgent(UserInput.of(said)).supersede(TurnStart.Supersede.INTERRUPT));
        case ToolResponseMessage results -> store(chat, results);
        default ->
            throw ContextureException.invalid(
                ErrorCode.INVALID_ARGUMENT,
                "message",
                message.getMessageType(),
                "messages of the user, the model and its tools: what the system says belongs into"
                    + " each prompt");
      }
    }
    record(chat, answer);
  }

  private void record(ContextBrowser chat, List<AssistantMessage> answer) {
    if (answer.isEmpty()) {
      return;
    }
    Turn turn = open(chat);
    ModelRef model = context.target().model();
    Reply reply =
        turn.record(
            null,
            new ModelRef(SpringAiContext.NAME, model.model()),
            AnswerCollector.of(answer).answer(model.model(), false),
            false);
    if (reply.calls().isEmpty()) {
      turn.finish(Finish.recorded());
    }
    answer.clear();
  }

  private static void store(ContextBrowser chat, ToolResponseMessage results) {
    Turn turn = chat.openTurn();
    for (ToolResponseMessage.ToolResponse result : results.getResponses()) {
      turn.answer(
          ResultCalls.find(turn.waitingCalls(), result.id(), result.name()).id(),
          List.of(new ResultPart.Text(result.responseData())),
          false);
    }
  }

  /** The turn that an answer belongs to: an open one, else a new one without a prompt. */
  private Turn open(ContextBrowser chat) {
    return chat.timeline().activeTurn().isPresent()
        ? chat.openTurn()
        : chat.startTurn(context.ofAgent(TurnStart.prompt("")));
  }

  @Override
  public List<Message> get(String conversationId) {
    RenderOptions options =
        RenderOptions.defaults()
            .withDialect(Dialect.NATIVE)
            .withAdds(context.adds())
            .withMaxTokens(context.maxTokens());
    return SpringMessages.of(browser(conversationId).render(options).messages());
  }

  /** As {@link SpringAiContext.Builder#onClear} says; by default it is refused. */
  @Override
  public void clear(String conversationId) {
    ContextBrowser chat = browser(conversationId);
    if (context.clear() == ClearPolicy.REFUSE) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          String.format(
              Locale.ROOT,
              "the memory of %s is not cleared: nothing is removed by the way. Say what it means"
                  + " with SpringAiContext.Builder.onClear: ERASE or KEEP",
              conversationId));
    }
    if (context.clear() == ClearPolicy.ERASE) {
      chat.erase();
    }
  }

  private ContextBrowser browser(String conversationId) {
    Scope.OfConversation scope = context.scope(conversationId);
    return context.browser(scope);
  }
}
