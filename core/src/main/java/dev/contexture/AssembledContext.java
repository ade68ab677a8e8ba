package dev.contexture;

import dev.contexture.engine.request.RequestState;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.prompt.SystemPart;
import dev.contexture.render.Message;
import dev.contexture.tool.ToolSpec;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The complete content of a request to a model, in a form that belongs to no provider.
 *
 * @param system the parts before all messages, in order
 * @param messages the conversation
 * @param tools by name; null: there is no registry, which is not the same as no tools
 * @param metadata what is in it and why
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AssembledContext(
    List<String> system,
    List<Message> messages,
    @Nullable List<ToolSpec> tools,
    ContextMetadata metadata) {
  public AssembledContext {
    system = List.copyOf(system);
    messages = List.copyOf(messages);
    tools = tools == null ? null : List.copyOf(tools);
  }

  static AssembledContext of(RequestState done) {
    return new AssembledContext(
        done.system().stream().map(SystemPart::text).toList(),
        done.messages(),
        done.tools(),
        done.metadata());
  }
}
