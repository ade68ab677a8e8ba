package dev.contexture.engine.context;

import dev.contexture.render.Message;
import dev.contexture.request.AssembledContext;
import dev.contexture.request.ContextMetadata;
import dev.contexture.request.SystemPart;
import dev.contexture.tool.ToolSpec;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a model is told, in a form that no provider owns (M-87).
 *
 * @param system the parts before all messages, in order
 * @param messages the conversation
 * @param registry the tools by name; null: there is no registry
 * @param metadata what is in it and why
 */
@API(status = API.Status.STABLE, since = "0.1")
public record RequestSpec(
    List<String> system,
    List<Message> messages,
    @Nullable List<ToolSpec> registry,
    ContextMetadata metadata) {
  public RequestSpec {
    system = List.copyOf(system);
    messages = List.copyOf(messages);
    registry = registry == null ? null : List.copyOf(registry);
  }

  static RequestSpec of(AssembledContext assembled) {
    return new RequestSpec(
        assembled.system().stream().map(SystemPart::text).toList(),
        assembled.messages(),
        assembled.tools(),
        assembled.metadata());
  }

  /** The tools by name; empty: there is no registry, which is not the same as no tools. */
  public Optional<List<ToolSpec>> tools() {
    return Optional.ofNullable(registry);
  }
}
