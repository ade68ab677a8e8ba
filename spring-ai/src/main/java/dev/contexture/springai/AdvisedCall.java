package dev.contexture.springai;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelRef;
import dev.contexture.turn.Finish;
import dev.contexture.turn.ResultCalls;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnStart;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.model.tool.ToolExecutionResult;

/**
 * One call of a ChatClient with all its requests to the model: a turn of the conversation, or the
 * rest of one whose results the application gives itself.
 *
 * <p>Thread-safe: a stream is cancelled on another thread than the one that reads it.
 */
final class AdvisedCall {
  /** Under what the context of a request has it. */
  static final String KEY = "contexture.call";

  private static final int MAX_REASON_CHARS = 200;

  private final SpringAiContext context;
  private final Scope.OfConversation scope;
  private final Turn turn;
  private final @Nullable UserMessage prompt; // null: it goes on with results
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable UserMessage shown; // what is said in the place of the prompt
  private @Nullable List<String> system; // as the first request has it
  private @Nullable ToolResponseMessage stored;
  private @Nullable ContextRequest request; // that waits for its answer
  private @Nullable AnswerCollector arriving;
  private boolean answered;
  private boolean closed;

  private AdvisedCall(
      SpringAiContext context,
      Scope.OfConversation scope,
      Turn turn,
      @Nullable UserMessage prompt) {
    this.context = context;
    this.scope = scope;
    this.turn = turn;
    this.prompt = prompt;
  }

  /**
   * Opens the turn of a call.
   *
   * @throws ContextureException {@code scope_required} and {@code invalid_scope} without a
   *     conversation, {@code invalid_argument} for messages that are no prompt, {@code
   *     turn_in_progress} if another call works on the conversation
   */
  static AdvisedCall open(SpringAiContext context, ChatClientRequest asked) {
    Scope.OfConversation scope = context.scope(asked.context().get(ChatMemory.CONVERSATION_ID));
    context.stopped(scope).ifPresent(AdvisedCall::cancelled);
    ContextBrowser chat = context.browser(scope);
    List<Message> messages = asked.prompt().getInstructions();
    Message last = messages.isEmpty() ? null : messages.getLast();
    if (last instanceof ToolResponseMessage) {
      return new AdvisedCall(context, scope, chat.openTurn(), null);
    }
    boolean only =
        messages.stream().limit(Math.max(0, messages.size() - 1)).allMatch(AdvisedCall::isSystem);
    if (!(last instanceof UserMessage prompt) || !only) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "messages of the prompt",
          messages.stream().map(Message::getMessageType).toList(),
          "system messages and one of the user: the conversation is kept by the engine, and no"
              + " other memory may add to it");
    }
    TurnStart.Supersede left =
        context.isLeft(scope) ? TurnStart.Supersede.INTERRUPT : TurnStart.Supersede.NO;
    TurnStart start = context.ofAgent(UserInput.of(prompt)).supersede(left);
    return new AdvisedCall(context, scope, chat.startTurn(start), prompt);
  }

  private static boolean isSystem(Message message) {
    return message instanceof SystemMessage;
  }

  /** The call that a request or an answer belongs to. */
  static AdvisedCall of(java.util.Map<String, @Nullable Object> context) {
    if (context.get(KEY) instanceof AdvisedCall call) {
      return call;
    }
    throw new ContextureException(
        ErrorCode.INVALID_CONFIG,
        "a request has no turn: SpringAiAdvisor works inside of SpringAiTurnAdvisor; give a client"
            + " both, with SpringAiContext.wire or advisors()");
  }

  Scope.OfConversation scope() {
    return scope;
  }

  /** Makes the messages of a request to the model; results of tools that it brings are stored. */
  ChatClientRequest request(ChatClientRequest asked, boolean compact) {
    lock.lock();
    try {
      List<Message> messages = asked.prompt().getInstructions();
      if (system == null) {
        system = system(messages);
      }
      Message last = messages.isEmpty() ? null : messages.getLast();
      if (last instanceof ToolResponseMessage results) {
        store(results);
      } else if (last instanceof UserMessage said) {
        shown = said;
      }
      RequestMaker maker = new RequestMaker(context, turn, system);
      ContextRequest made = maker.make(asked.prompt().getOptions(), compact);
      request = made;
      arriving = null;
      return asked
          .mutate()
          .prompt(asked.prompt().mutate().messages(maker.messages(made, prompt, shown)).build())
          .build();
    } finally {
      lock.unlock();
    }
  }

  /** Spring AI makes an empty system message up where there is none. */
  private static List<String> system(List<Message> messages) {
    return messages.stream()
        .filter(AdvisedCall::isSystem)
        .map(Message::getText)
        .filter(text -> text != null && !text.isBlank())
        .toList();
  }

  private void store(ToolResponseMessage results) {
    if (turn.waitingCalls().isEmpty() && results.equals(stored)) {
      return; // the same request once more
    }
    for (ToolResponseMessage.ToolResponse result : results.getResponses()) {
      store(result.id(), result.name(), result.responseData());
    }
    stored = results;
  }

  private void store(@Nullable String id, @Nullable String tool, @Nullable String text) {
    ToolCall call = ResultCalls.find(turn.waitingCalls(), id, tool);
    String said = Objects.requireNonNullElse(text, "");
    turn.answer(call.id(), List.of(new ResultPart.Text(said)), false);
  }

  /** Records a whole answer. */
  void answered(ChatResponse response) {
    lock.lock();
    try {
      if (!closed) {
        record(AnswerCollector.of(response), false);
      }
    } finally {
      lock.unlock();
    }
  }

  private void record(AnswerCollector answer, boolean partial) {
    ContextRequest asked = request;
    ModelRef model = context.target().model();
    boolean beside = model.provider().equals("anthropic");
    turn.record(
        asked == null ? null : asked.id(),
        new ModelRef(SpringAiContext.NAME, model.model()),
        answer.answer(model.model(), beside),
        partial);
    request = null;
    arriving = null;
    answered = true;
  }

  /** A piece of an answer arrives. */
  void arriving(ChatResponse piece) {
    lock.lock();
    try {
      AnswerCollector collecting = arriving;
      if (collecting == null) {
        collecting = AnswerCollector.ofStream();
        arriving = collecting;
        ContextRequest asked = request;
        if (asked != null) {
          turn.answering(asked.id());
        }
      }
      collecting.add(piece);
    } finally {
      lock.unlock();
    }
  }

  /** The stream of an answer is at its end. */
  void arrived() {
    lock.lock();
    try {
      AnswerCollector whole = arriving;
      if (!closed && whole != null) {
        record(whole, false);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The call is done: its turn is finished, unless the application gives results itself.
   *
   * @param response the last that says something; null: nothing does
   * @param asksTools whether the application got calls of tools
   */
  void ended(@Nullable ChatResponse response, boolean asksTools) {
    lock.lock();
    try {
      if (closed || !isOpen()) {
        return;
      }
      if (response != null && isDirect(response)) {
        response.getResults().forEach(this::storeDirect);
      }
      if (turn.waitingCalls().isEmpty()) {
        finish(response);
      } else if (asksTools) {
        context.handedOver(scope, turn.id());
      } else {
        interrupt("calls without results");
      }
    } finally {
      lock.unlock();
    }
  }

  private void finish(@Nullable ChatResponse response) {
    Generation said = response == null || answered ? null : response.getResult();
    String text = said == null ? null : said.getOutput().getText();
    if (!answered && text == null) {
      interrupt("no answer");
      return;
    }
    turn.finish(text == null ? Finish.recorded() : Finish.with(text)); // another advisor said it
    closed = true;
  }

  /** Results of tools may be the answer to the user. */
  private static boolean isDirect(ChatResponse response) {
    return !response.getResults().isEmpty()
        && response.getResults().stream()
            .allMatch(
                each ->
                    ToolExecutionResult.FINISH_REASON.equals(each.getMetadata().getFinishReason()));
  }

  private void storeDirect(Generation generation) {
    store(
        generation.getMetadata().get(ToolExecutionResult.METADATA_TOOL_ID),
        generation.getMetadata().get(ToolExecutionResult.METADATA_TOOL_NAME),
        generation.getOutput().getText());
  }

  /** The application stopped a stream: what had arrived stays in context. */
  void cancelled() {
    end("cancelled");
    context.forgetStopped(this);
  }

  /**
   * The call failed: what had arrived stays in context. If that cannot be stored, the next prompt
   * closes the turn.
   */
  void failed(Throwable failure) {
    try {
      end(reason(failure));
    } catch (ContextureException unstored) {
      context.handedOver(scope, turn.id());
      failure.addSuppressed(unstored);
    }
  }

  private void end(String reason) {
    lock.lock();
    try {
      if (closed || !isOpen()) {
        return;
      }
      AnswerCollector part = arriving;
      if (part != null && !part.isEmpty()) {
        record(part, true);
      }
      interrupt(reason);
    } finally {
      lock.unlock();
    }
  }

  private static String reason(Throwable error) {
    String text = error.toString();
    return text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS);
  }

  private boolean isOpen() {
    return turn.snapshot().isActive(turn.id());
  }

  private void interrupt(String reason) {
    turn.interrupt(reason);
    closed = true;
  }
}
