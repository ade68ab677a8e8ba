package dev.contexture.provider.request;

import dev.contexture.model.ModelProfiles;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.apiguardian.api.API;

/**
 * The writers of the wire formats. No request leaves them that its provider would refuse: what can
 * be repaired is, and reported with the request; the rest is {@code invalid_request}.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class RequestWriters {
  private RequestWriters() {}

  /** Writes Anthropic Messages. */
  public static RequestWriter anthropicMessages(ModelProfiles profiles) {
    return writer(
        WireTraits.ANTHROPIC,
        profiles,
        (input, memory) -> new AnthropicBody(input, profiles, memory));
  }

  /** Writes OpenAI Chat Completions. */
  public static RequestWriter openAiChat(ModelProfiles profiles) {
    return writer(
        WireTraits.CHAT, profiles, (input, memory) -> new ChatBody(input, profiles, memory));
  }

  /** Writes OpenAI Responses. */
  public static RequestWriter openAiResponses(ModelProfiles profiles) {
    return writer(
        WireTraits.RESPONSES,
        profiles,
        (input, memory) -> new ResponsesBody(input, profiles, memory));
  }

  /** Writes Gemini's generateContent. */
  public static RequestWriter gemini(ModelProfiles profiles) {
    return writer(
        WireTraits.GEMINI, profiles, (input, memory) -> new GeminiBody(input, profiles, memory));
  }

  private static RequestWriter writer(
      WireTraits traits,
      ModelProfiles profiles,
      BiFunction<RequestInput, EncodingCache, BodyWriter> bodies) {
    return new ProvingWriter(remembering(bodies), traits, profiles);
  }

  /** Writes without judging: what it is given must be in order. */
  static RequestWriter remembering(BiFunction<RequestInput, EncodingCache, BodyWriter> bodies) {
    AtomicReference<EncodingCache> memory = new AtomicReference<>(EncodingCache.EMPTY);
    return input -> {
      BodyWriter body = bodies.apply(input, memory.get());
      ProviderRequest request = body.write();
      memory.set(body.memory());
      return request;
    };
  }
}
