package dev.contexture.provider.request;

import dev.contexture.model.ModelProfiles;
import dev.contexture.request.RequestWriter;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;

/** The writers of the wire formats. */
@API(status = API.Status.STABLE, since = "0.1")
public final class RequestWriters {
  private RequestWriters() {}

  /** Writes Anthropic Messages. */
  public static RequestWriter anthropicMessages(ModelProfiles profiles) {
    AtomicReference<Memory> memory = new AtomicReference<>(Memory.EMPTY);
    return input -> {
      AnthropicBody body = new AnthropicBody(input, profiles, memory.get());
      var request = body.write();
      memory.set(body.memory());
      return request;
    };
  }

  /** Writes OpenAI Chat Completions. */
  public static RequestWriter openAiChat(ModelProfiles profiles) {
    AtomicReference<Memory> memory = new AtomicReference<>(Memory.EMPTY);
    return input -> {
      ChatBody body = new ChatBody(input, profiles, memory.get());
      var request = body.write();
      memory.set(body.memory());
      return request;
    };
  }
}
