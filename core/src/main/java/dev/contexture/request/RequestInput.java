package dev.contexture.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelRef;
import dev.contexture.prompt.SystemPart;
import dev.contexture.render.Message;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a request is made of, in a form that no provider owns.
 *
 * @param model whom it is for
 * @param maxOutputTokens how much the model may say
 * @param system texts before all messages
 * @param systemTokens low estimate of tools and system together; {@link PointPlace#UNKNOWN_TOKENS}
 *     if nobody counted
 * @param tools what it may call, in any order
 * @param toolChoice which of them it may or must call
 * @param params what else is asked of the model
 * @param messages the conversation
 * @param points where caches should end, oldest first
 * @param volatileParts how many parts at the end the next request will not repeat
 * @param key names the conversation to the provider's cache router
 * @param stream whether the answer is to be streamed
 * @param cache how the prompt cache is asked for
 * @param last what is known of the request before it
 * @param highTokens the high estimate of all of it; 0: nobody counted
 * @param proof what happens if its provider would refuse it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequestInput(
    ModelRef model,
    int maxOutputTokens,
    List<SystemPart> system,
    long systemTokens,
    List<ToolDef> tools,
    ToolChoice toolChoice,
    RequestParams params,
    List<Message> messages,
    List<PointPlace> points,
    int volatileParts,
    @Nullable String key,
    boolean stream,
    CachePolicy cache,
    LedgerView last,
    long highTokens,
    ProofMode proof) {
  public RequestInput {
    if (maxOutputTokens < 1 || volatileParts < 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "request",
          maxOutputTokens + " output tokens, " + volatileParts + " volatile parts",
          "at least 1 output token, no fewer than 0 volatile parts");
    }
    system = List.copyOf(system);
    tools = List.copyOf(tools);
    messages = List.copyOf(messages);
    points = List.copyOf(points);
  }

  public Optional<String> cacheKey() {
    return Optional.ofNullable(key);
  }

  public static Builder builder(ModelRef model, int maxOutputTokens) {
    return new Builder(model, maxOutputTokens);
  }

  public Builder toBuilder() {
    return builder(model, maxOutputTokens)
        .system(system)
        .systemTokens(systemTokens)
        .tools(tools)
        .toolChoice(toolChoice)
        .params(params)
        .messages(messages)
        .points(points)
        .volatileParts(volatileParts)
        .cacheKey(key)
        .stream(stream)
        .cache(cache)
        .last(last)
        .highTokens(highTokens)
        .proof(proof);
  }

  /** Collects what is not always there. Confined to one thread. */
  public static final class Builder {
    private final ModelRef model;
    private final int maxOutputTokens;
    private List<SystemPart> system = List.of();
    private long systemTokens = PointPlace.UNKNOWN_TOKENS;
    private List<ToolDef> tools = List.of();
    private ToolChoice toolChoice = ToolChoice.AUTO;
    private RequestParams params = RequestParams.NONE;
    private List<Message> messages = List.of();
    private List<PointPlace> points = List.of();
    private int volatileParts;
    private @Nullable String key;
    private boolean stream;
    private CachePolicy cache = CachePolicy.DEFAULT;
    private LedgerView last = LedgerView.NONE;
    private long highTokens;
    private ProofMode proof = ProofMode.REPAIR;

    private Builder(ModelRef model, int maxOutputTokens) {
      this.model = model;
      this.maxOutputTokens = maxOutputTokens;
    }

    public Builder system(List<SystemPart> parts) {
      system = parts;
      return this;
    }

    public Builder systemTokens(long tokens) {
      systemTokens = tokens;
      return this;
    }

    public Builder tools(List<ToolDef> defs) {
      tools = defs;
      return this;
    }

    public Builder toolChoice(ToolChoice choice) {
      toolChoice = choice;
      return this;
    }

    public Builder params(RequestParams asked) {
      params = asked;
      return this;
    }

    public Builder messages(List<Message> all) {
      messages = all;
      return this;
    }

    public Builder points(List<PointPlace> places) {
      points = places;
      return this;
    }

    public Builder volatileParts(int count) {
      volatileParts = count;
      return this;
    }

    public Builder cacheKey(@Nullable String cacheKey) {
      key = cacheKey;
      return this;
    }

    public Builder stream(boolean streamed) {
      stream = streamed;
      return this;
    }

    public Builder cache(CachePolicy policy) {
      cache = policy;
      return this;
    }

    public Builder last(LedgerView request) {
      last = request;
      return this;
    }

    public Builder highTokens(long tokens) {
      highTokens = tokens;
      return this;
    }

    public Builder proof(ProofMode mode) {
      proof = mode;
      return this;
    }

    public RequestInput build() {
      return new RequestInput(
          model,
          maxOutputTokens,
          system,
          systemTokens,
          tools,
          toolChoice,
          params,
          messages,
          points,
          volatileParts,
          key,
          stream,
          cache,
          last,
          highTokens,
          proof);
    }
  }
}
