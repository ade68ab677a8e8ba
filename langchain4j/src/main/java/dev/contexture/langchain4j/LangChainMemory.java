package dev.contexture.langchain4j;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Turn;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelRef;
import dev.contexture.render.RenderOptions;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.turn.ClearPolicy;
import dev.contexture.turn.Finish;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ResultCalls;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Dialect;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A conversation of the engine as a chat memory. What the user says opens a turn, an answer without
 * calls finishes it; every message is durable when {@link #add(ChatMessage)} returns, and none is
 * ever evicted.
 *
 * <p>{@link #messages} is what a model would be shown of the conversation. With {@link
 * LangChainRequests} in place it is only a draft: the request is made anew, with tools and memory
 * counted.
 *
 * <p>A system message is what this process says now, not a part of the conversation: the last one
 * counts, and adding it again changes nothing. While a call of an AI service runs, another one
 * waits for the next call.
 *
 * <p>Thread-safe. Between turns it holds no message but that of the system.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LangChainMemory implements ChatMemory {
  private static final BlockType SYSTEM = BlockType.of("langchain4j.system");
  private static final int MAX_REASON_CHARS = 200;

  private final LangChainContext context;
  private final Object id;
  private final Scope.OfConversation scope;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, UUID> starting = new HashMap<>(); // by thread; nothing was said yet
  private @Nullable Turn turn; // opened here, and not closed yet
  private @Nullable UUID opener; // the invocation that works on the turn; null: none is known
  private @Nullable ContextRequest request; // that waits for its answer
  private @Nullable ChatResponse response; // whose message is to be added
  private @Nullable UserMessage prompt; // of the newest turn, as it was added
  private @Nullable UserMessage shown; // the last one of the newest messages()
  private @Nullable String system;
  private @Nullable String nextSystem; // said while a call runs, which keeps its own
  private boolean systemKnown; // whether it was looked for in the store
  private boolean transformed; // whether requests are made by LangChainRequests

  LangChainMemory(LangChainContext context, Object id, Scope.OfConversation scope) {
    this.context = context;
    this.id = id;
    this.scope = scope;
  }

  @Override
  public Object id() {
    return id;
  }

  /** The conversation that it stands for. */
  public Scope.OfConversation scope() {
    return scope;
  }

  /**
   * Stores a message.
   *
   * @throws ContextureException {@code turn_in_progress} if another call works on the conversation,
   *     {@code unknown_call} for the result of a call that was not made, {@code invalid_argument}
   *     for content that cannot be kept; then nothing is changed
   */
  @Override
  public void add(ChatMessage message) {
    locked(
        () -> {
          switch (message) {
            case SystemMessage said -> system(said.text());
            case UserMessage said -> user(said);
            case AiMessage said -> answer(said);
            case ToolExecutionResultMessage result -> result(result);
            default ->
                throw ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "message",
                    message.type(),
                    "messages of the system, the user, the model and its tools");
          }
        });
  }

  private void system(String text) {
    if (opener != null) {
      nextSystem = text;
      return;
    }
    knownSystem();
    system = text;
  }

  private void user(UserMessage message) {
    UUID invocation = starting.remove(Thread.currentThread().threadId());
    String next = nextSystem;
    nextSystem = null;
    TurnStart start = ofAgent(UserPrompt.of(message));
    boolean left = turn != null && opener == null; // nobody works on it any more
    Turn opened =
        browser()
            .startTurn(
                start
                    .supersede(left ? TurnStart.Supersede.INTERRUPT : TurnStart.Supersede.NO)
                    .onIncomplete(TurnStart.OnIncomplete.INTERRUPT));
    forgetTurn();
    turn = opened;
    opener = invocation;
    prompt = message;
    if (next != null) {
      knownSystem();
      system = next;
    }
    keepSystem(opened);
  }

  private TurnStart ofAgent(TurnStart start) {
    String agent = context.agent();
    return agent == null ? start : start.agent(agent);
  }

  /** Keeps the system message for whoever reads the conversation later. It is never sent. */
  private void keepSystem(Turn opened) {
    String now = system;
    if (now != null && !now.isBlank() && !now.equals(storedSystem())) {
      opened.contribute(Block.builder(SYSTEM).author(Author.SYSTEM).hidden(null).text(now));
    }
  }

  private @Nullable String storedSystem() {
    List<TimelineEntry> entries = browser().timeline().entries();
    for (int i = entries.size() - 1; i >= 0; i--) {
      Block block = entries.get(i).block();
      if (block.type().equals(SYSTEM)) {
        return block.text().orElse("");
      }
    }
    return null;
  }

  private @Nullable String knownSystem() {
    if (!systemKnown) {
      systemKnown = true;
      system = storedSystem();
    }
    return system;
  }

  private void answer(AiMessage message) {
    Turn open = openTurn();
    if (record(open, message, false).calls().isEmpty()) {
      open.finish(Finish.recorded());
      forgetTurn();
    }
  }

  private Reply record(Turn open, AiMessage message, boolean partial) {
    ContextRequest asked = request;
    ModelRef model = context.target().model();
    Reply reply =
        open.record(
            asked == null ? null : asked.id(),
            new ModelRef(LangChainContext.NAME, model.model()),
            AnswerReply.of(message, response, model.model()),
            partial);
    request = null;
    response = null;
    return reply;
  }

  private void result(ToolExecutionResultMessage message) {
    Turn open = openTurn();
    ToolCall call = ResultCalls.find(open.waitingCalls(), message.id(), message.toolName());
    open.answer(call.id(), UserPrompt.parts(message), Boolean.TRUE.equals(message.isError()));
  }

  /** The turn that a message belongs to: an open one, else a new one without a prompt. */
  private Turn openTurn() {
    TurnId active = browser().timeline().activeTurn().orElse(null);
    Turn known = turn;
    if (active == null) {
      known = browser().startTurn(ofAgent(TurnStart.prompt("")));
    } else if (known == null || !known.id().equals(active)) {
      known = browser().openTurn();
    }
    turn = known;
    return known;
  }

  @Override
  public void add(ChatMessage... messages) {
    add(Arrays.asList(messages));
  }

  @Override
  public void add(Iterable<ChatMessage> messages) {
    messages.forEach(this::add);
  }

  /**
   * Takes over what LangChain4j rewrote, such as results of tools that were rolled back: the new
   * text is shown in the place of the old one, which stays stored.
   *
   * @throws ContextureException {@code invalid_argument} if it changes anything but texts of
   *     results
   */
  @Override
  public void set(Iterable<ChatMessage> messages) {
    List<ChatMessage> wanted = new ArrayList<>();
    messages.forEach(wanted::add);
    locked(() -> new ResultRewrite(browser(), conversation()).apply(wanted));
  }

  @Override
  public void set(ChatMessage... messages) {
    set(Arrays.asList(messages));
  }

  /** What a model is shown of the conversation, behind the system message if there is one. */
  @Override
  public List<ChatMessage> messages() {
    lock.lock();
    try {
      List<ChatMessage> messages = new ArrayList<>();
      String text = knownSystem();
      if (text != null) {
        messages.add(SystemMessage.from(text));
      }
      messages.addAll(conversation());
      shown = turn == null ? null : UserMessage.findLast(messages).orElse(null);
      return messages;
    } finally {
      lock.unlock();
    }
  }

  private List<ChatMessage> conversation() {
    RenderOptions options =
        RenderOptions.defaults()
            .withDialect(Dialect.NATIVE)
            .withAdds(context.adds())
            .withReadOnly(transformed);
    return ChatMessages.of(
        browser()
            .render(transformed ? options : options.withMaxTokens(context.maxTokens()))
            .messages());
  }

  /** As {@link LangChainContext.Builder#onClear} says; by default it is refused. */
  @Override
  public void clear() {
    locked(
        () -> {
          if (context.clear() == ClearPolicy.REFUSE) {
            throw new ContextureException(
                ErrorCode.INVALID_ARGUMENT,
                String.format(
                    Locale.ROOT,
                    "the memory of %s is not cleared: nothing is removed by the way. Say what it"
                        + " means with LangChainContext.Builder.onClear: ERASE or KEEP",
                    id));
          }
          if (context.clear() == ClearPolicy.ERASE) {
            browser().erase();
          }
          forget();
        });
  }

  private void forget() {
    forgetTurn();
    system = null;
    systemKnown = false;
  }

  private void forgetTurn() {
    turn = null;
    opener = null;
    request = null;
    response = null;
    prompt = null;
    shown = null;
  }

  /**
   * Ends the call that is going on, for an application that cancelled it: when it stops a stream,
   * LangChain4j tells nobody. The turn is interrupted; without a call nothing happens.
   *
   * @param arrived what had arrived of the answer, which stays in context; may be empty
   */
  public void cancel(String arrived) {
    locked(
        () -> {
          opener = null;
          Turn open = turn;
          if (open != null && browser().timeline().isActive(open.id())) {
            if (!arrived.isEmpty()) {
              record(open, AiMessage.from(arrived), true);
            }
            open.interrupt("cancelled");
          }
          forgetTurn();
        });
  }

  private ContextBrowser browser() {
    return context.browser(scope);
  }

  /** An invocation of an AI service begins. */
  void started(UUID invocation) {
    locked(() -> starting.put(Thread.currentThread().threadId(), invocation));
  }

  /** A model answered; its message is added next. */
  void answered(ChatResponse answer) {
    locked(() -> response = answer);
  }

  /**
   * An invocation ends. If the open turn is its own, or nobody's, the turn is closed.
   *
   * @param error why it failed; null: it did not
   */
  void ended(UUID invocation, @Nullable Throwable error) {
    locked(
        () -> {
          starting.values().remove(invocation);
          if (opener == null || opener.equals(invocation)) {
            close(error);
          }
        });
  }

  /** A request could not be made: the turn is interrupted, whoever opened it. */
  void failed(RuntimeException error) {
    locked(
        () -> {
          try {
            close(error);
          } catch (ContextureException unstored) {
            error.addSuppressed(unstored);
          }
        });
  }

  /** If the turn cannot be closed now, the next prompt does it. */
  private void close(@Nullable Throwable error) {
    opener = null;
    Turn open = turn;
    if (open != null && browser().timeline().isActive(open.id())) {
      if (error == null && open.waitingCalls().isEmpty()) {
        open.finish(Finish.recorded()); // a tool ended it
      } else {
        open.interrupt(reason(error));
      }
    }
    forgetTurn();
  }

  private static String reason(@Nullable Throwable error) {
    String text = Objects.toString(error, "calls without results");
    return text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS);
  }

  /** The turn that a request is for, which is open. */
  Turn requesting() {
    lock.lock();
    try {
      transformed = true;
      Turn open = turn == null ? browser().openTurn() : turn;
      turn = open;
      return open;
    } finally {
      lock.unlock();
    }
  }

  /** A request was made; the next answer is the one to it. */
  void requested(ContextRequest made) {
    locked(() -> request = made);
  }

  /**
   * What the user said in the newest turn, if a request tells the model something else instead,
   * such as the same with retrieved content.
   */
  @Nullable UserMessage replaced(UserMessage sent) {
    lock.lock();
    try {
      UserMessage raw = prompt;
      return raw == null || sent.equals(raw) || sent.equals(shown) ? null : raw;
    } finally {
      lock.unlock();
    }
  }

  /** Does what no other call may come between. */
  void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }
}
