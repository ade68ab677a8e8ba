package dev.contexture;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.ContextLimitErrors;
import dev.contexture.model.ModelAnswer;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import java.io.IOException;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a turn: builds a request, lets a model answer it, records the answer and runs the
 * tools that it calls, until the model is done. It always ends: with a reply that is {@link
 * Reply#done() done}, with what the call of the model throws, or at the most calls of the model.
 *
 * <p>If the context is too long, as an error of the provider or as the reason why the model
 * stopped, the conversation is compacted by force and the model is called once more.
 *
 * <pre>{@code
 * Reply reply =
 *     turn.run(model)
 *         .request(request -> request.agent("atlas").tools(tools))
 *         .tools(call -> ToolAnswer.text(run(call)))
 *         .post(http::post);
 * turn.finish(reply);
 * }</pre>
 *
 * <p>Confined to one thread.
 */
@API(status = API.Status.STABLE, since = "0.3")
public final class TurnRun {
  /** The most calls of a model in one run, unless it is told otherwise. */
  public static final int MAX_MODEL_CALLS = 100;

  private static final System.Logger LOG = System.getLogger(TurnRun.class.getName());

  private final Turn turn;
  private final @Nullable String provider;
  private final String model;
  private Consumer<RequestBuilder> options = builder -> {};
  private ToolRunner runner = call -> ToolAnswer.failed("there is no tool " + call.tool());
  private int maxModelCalls = MAX_MODEL_CALLS;

  TurnRun(Turn turn, @Nullable String provider, String model) {
    this.turn = turn;
    this.provider = provider;
    this.model = model;
  }

  /**
   * Does what a tool is for. If it throws an {@link IOException}, the model is told that the call
   * failed, and the log has the exception: its words may name hosts, files and keys. What the model
   * should know it returns as {@link ToolAnswer#failed}.
   */
  @FunctionalInterface
  public interface ToolRunner {
    ToolAnswer run(ToolCall call) throws IOException;
  }

  /** Sends a body to a model and returns the body of its answer, also of an error. */
  @FunctionalInterface
  public interface ModelPost {
    String post(String body) throws IOException, InterruptedException;
  }

  /** Sends a request to a model and reads its answer, for example while it is streamed. */
  @FunctionalInterface
  public interface ModelSend {
    ModelAnswer send(ContextRequest request) throws IOException, InterruptedException;
  }

  /** Sends a request and records what came. */
  private interface Exchange {
    Reply reply(ContextRequest request) throws IOException, InterruptedException;
  }

  /** What each request of the run is built with. */
  public TurnRun request(Consumer<RequestBuilder> options) {
    this.options = options;
    return this;
  }

  /** What runs the calls; without it each call fails, and the model is told so. */
  public TurnRun tools(ToolRunner runner) {
    this.runner = runner;
    return this;
  }

  /** The most calls of the model; beyond it the run fails with {@code limit_exceeded}. */
  public TurnRun maxModelCalls(int most) {
    if (most < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "max_model_calls", most, "a number from 1");
    }
    this.maxModelCalls = most;
    return this;
  }

  /**
   * Runs the turn. Calls that still wait, of a turn that another process left open, are run first.
   *
   * @return the last reply, for {@link Turn#finish(Reply)}
   * @throws ContextureException {@code limit_exceeded} after the most calls of the model, and all
   *     that building, reading and recording throw
   */
  public Reply post(ModelPost model) throws IOException, InterruptedException {
    return loop(request -> turn.record(request, model.post(request.body())));
  }

  /** As {@link #post}, with a model whose answers are read by the caller. */
  public Reply send(ModelSend model) throws IOException, InterruptedException {
    return loop(request -> turn.record(request, model.send(request), false));
  }

  private Reply loop(Exchange exchange) throws IOException, InterruptedException {
    turn.waitingCalls().forEach(this::answer);
    for (int calls = 0; calls < maxModelCalls; calls++) {
      Reply reply = ask(exchange);
      reply.calls().forEach(this::answer);
      if (reply.done()) {
        return reply;
      }
    }
    throw ContextureException.limit(
        ErrorCode.LIMIT_EXCEEDED, "model_calls", maxModelCalls, maxModelCalls + 1L, "calls");
  }

  /** Asks once; twice if the context was too long. */
  private Reply ask(Exchange exchange) throws IOException, InterruptedException {
    ContextRequest request = build(false);
    Reply reply;
    try {
      reply = exchange.reply(request);
    } catch (IOException | RuntimeException failure) {
      if (!ContextLimitErrors.isContextLimit(failure)) {
        throw failure;
      }
      ContextRequest shorter = build(true);
      if (shorter.body().equals(request.body())) {
        failure.addSuppressed(noProgress());
        throw failure;
      }
      return exchange.reply(shorter);
    }
    return reply.outcome() == AnswerOutcome.CONTEXT_LIMIT
        ? exchange.reply(build(false)) // which compacts by itself
        : reply;
  }

  private static ContextureException noProgress() {
    return new ContextureException(
        ErrorCode.NO_PROGRESS,
        "a forced compaction changed nothing, so that the call was not repeated; shorten what"
            + " stands beside the conversation");
  }

  private ContextRequest build(boolean force) {
    RequestBuilder builder = turn.request(provider, model);
    options.accept(builder);
    if (force) {
      builder.forceCompaction(true);
    }
    return builder.build();
  }

  private void answer(ToolCall call) {
    try {
      turn.answer(call, runner.run(call));
    } catch (IOException failure) {
      LOG.log(System.Logger.Level.WARNING, "a tool failed; the model is told that it did", failure);
      turn.fail(call, "the tool failed: nothing more is known here; try something else");
    }
  }
}
