package dev.contexture.model;

import dev.contexture.json.SendableText;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A call that an answer asks for.
 *
 * @param order its place among the parts of the answer
 * @param providerCallId the provider's id, as received
 * @param tool the tool's name on the wire; an alias is mapped back by whoever made the request
 * @param arguments the argument text, byte for byte but for halves of surrogate pairs; JSON, unless
 *     the model failed to write it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReplyCall(int order, @Nullable String providerCallId, String tool, String arguments) {
  public ReplyCall {
    tool = SendableText.of(tool);
    arguments = SendableText.paired(arguments);
  }

  public Optional<String> providerId() {
    return Optional.ofNullable(providerCallId);
  }
}
