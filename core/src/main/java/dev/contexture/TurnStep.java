package dev.contexture;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.StepRecorder;
import dev.contexture.engine.turn.TurnOpener;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.request.Providers;
import dev.contexture.turn.CallResult;
import dev.contexture.turn.Finish;
import dev.contexture.turn.TurnStart;
import dev.contexture.turn.WaitingPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One step of a loop, for {@link ContextBrowser#step}: what is given is done in the order turn,
 * answer, results, blocks, finish, request. All but the request is one commit. With both a finish
 * and a request, the answer decides: if it is done, the turn is finished; else, and if the window
 * was full, the request is built.
 *
 * <pre>{@code
 * StepAnswer next =
 *     chat.step(
 *         new TurnStep()
 *             .answer(request, body)
 *             .result(CallResult.ofCall(0, ToolAnswer.text("4 degrees")))
 *             .request(null, model, builder -> builder.tools(tools)));
 * }</pre>
 *
 * <p>Confined to one thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public final class TurnStep {
  private @Nullable String id;
  private @Nullable String content;
  private @Nullable TurnStart start;
  private StepRecorder.@Nullable GivenAnswer answer;
  private final List<CallResult> results = new ArrayList<>();
  private final List<Block.Builder> blocks = new ArrayList<>();
  private @Nullable Finish finish;
  private @Nullable String provider;
  private @Nullable String model;
  private Consumer<RequestBuilder> options = builder -> {};
  private WaitingPolicy waiting = WaitingPolicy.REFUSE;
  private boolean follows;

  /** A key of the caller's: the same step again stores nothing and answers as the first time. */
  public TurnStep id(String id) {
    this.id = id;
    return this;
  }

  /** What tells the step from another one of its id, in place of its parts. */
  @API(status = API.Status.INTERNAL, since = "0.3")
  public TurnStep content(String content) {
    this.content = content;
    return this;
  }

  /** Begins a turn, or goes on with the open one that it names. */
  public TurnStep turn(TurnStart start) {
    this.start = start;
    return this;
  }

  /** Records the provider's answer to a request: its body as it came. */
  public TurnStep answer(ContextRequest request, String body) {
    Providers.Target target = request.target();
    return answer(
        request.id(), target.model(), target.format().readAnswer(body, target.model()), false);
  }

  /**
   * Records an answer.
   *
   * @param requestId the request that it answers; null: not known
   * @param partial whether the stream was cancelled
   */
  public TurnStep answer(
      @Nullable String requestId, ModelRef asked, ModelAnswer said, boolean partial) {
    boolean cut = partial || said.cut().isPresent();
    this.answer = new StepRecorder.GivenAnswer(requestId, asked, said, cut);
    return this;
  }

  /** Answers a call. */
  public TurnStep result(CallResult result) {
    results.add(result);
    return this;
  }

  /** Answers calls. */
  public TurnStep results(List<CallResult> more) {
    results.addAll(more);
    return this;
  }

  /** Adds blocks to the turn, behind its answer and results and before its end. */
  public TurnStep blocks(List<Block.Builder> more) {
    blocks.addAll(more);
    return this;
  }

  /** Closes the turn. */
  public TurnStep finish(Finish finish) {
    this.finish = finish;
    return this;
  }

  /**
   * Builds the next request once everything else is stored.
   *
   * @param provider null: the one that the catalogue names for the model
   */
  public TurnStep request(
      @Nullable String provider, String model, Consumer<RequestBuilder> options) {
    this.provider = provider;
    this.model = model;
    this.options = options;
    return this;
  }

  /** Says that the caller builds a request when the rest is stored: it is checked for that. */
  @API(status = API.Status.INTERNAL, since = "0.3")
  public TurnStep requestFollows() {
    this.follows = true;
    return this;
  }

  /** What the request does about calls that wait; by default the step is refused. */
  public TurnStep waiting(WaitingPolicy policy) {
    this.waiting = policy;
    return this;
  }

  /**
   * The parts to be stored.
   *
   * @throws ContextureException {@code invalid_argument} if there is nothing to do, or a request is
   *     to follow the end of the turn
   */
  StepRecorder.Parts parts() {
    boolean adds = !results.isEmpty() || !blocks.isEmpty();
    boolean stores = start != null || answer != null || finish != null || adds;
    boolean asks = follows || model != null;
    if (!stores && !asks) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "step",
          "nothing",
          "at least one of turn, response, results, finish and request");
    }
    if (finish != null && asks && answer == null) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "request",
          "with finish",
          "with finish only beside a response, which says which of both is done");
    }
    return new StepRecorder.Parts(
        id, fingerprint(), start, answer, results, blocks, finish, asks ? waiting : null);
  }

  private String fingerprint() {
    String all = content;
    if (all == null) {
      TurnStart begins = start;
      Finish ends = finish;
      List<Object> parts = new ArrayList<>();
      if (begins != null) {
        parts.add(begins.prompt());
        parts.add(begins.id());
        parts.add(String.valueOf(begins.agent()));
        parts.add(String.valueOf(begins.parent()));
        parts.add(begins.attachments());
        parts.add(begins.supersede());
      }
      parts.add(String.valueOf(answer));
      parts.add(results);
      blocks.forEach(block -> parts.add(block.build(TurnId.of("none"), Instant.EPOCH)));
      parts.add(ends == null ? "" : ends.content());
      parts.add(String.valueOf(model));
      all = parts.toString();
    }
    return Binary.of(all.getBytes(StandardCharsets.UTF_8)).sha256();
  }

  /** The answer to the step when it is stored, with the request that follows. */
  StepAnswer next(StepRecorder.Stored stored, Supplier<Turn> handle, Session session) {
    TurnOpener.Opened opened = stored.opened();
    TurnStart begins = start;
    Turn turn =
        opened == null || begins == null
            ? handle.get()
            : new Turn(session, opened, begins.pruning());
    try {
      ContextRequest next = stored.step().closure().isPresent() ? null : build(turn);
      return new StepAnswer(turn, stored.step(), stored.repeated(), next, null);
    } catch (ContextureException problem) {
      return new StepAnswer(turn, stored.step(), stored.repeated(), null, problem);
    }
  }

  private @Nullable ContextRequest build(Turn turn) {
    String asked = model;
    if (asked == null) {
      return null;
    }
    RequestBuilder builder = turn.request(provider, asked);
    options.accept(builder);
    return builder.waiting(waiting).build();
  }
}
