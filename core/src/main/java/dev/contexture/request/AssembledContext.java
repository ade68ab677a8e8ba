package dev.contexture.request;

import dev.contexture.render.Message;
import dev.contexture.render.RenderedContext;
import dev.contexture.tool.ToolSpec;
import dev.contexture.view.Part;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a request holds, before a provider's format is written.
 *
 * @param system the parts before all messages, none of them empty
 * @param systemTokens of system and tools together
 * @param tools by name; null: there is no registry
 * @param messages the conversation, then what the next request will not repeat
 * @param points where caches should end, oldest first
 * @param volatileParts how many parts at the end the next request will not repeat
 * @param rendered the conversation as it was rendered; null: there is none
 * @param metadata what it holds and why
 * @param memory ids of the memory blocks that it shows or names
 * @param places by rendered message: which of the messages it is, or -1; empty: the same one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record AssembledContext(
    List<SystemPart> system,
    long systemTokens,
    @Nullable List<ToolSpec> tools,
    List<Message> messages,
    List<PointPlace> points,
    int volatileParts,
    @Nullable RenderedContext rendered,
    ContextMetadata metadata,
    Set<String> memory,
    List<Integer> places) {
  public AssembledContext {
    system = List.copyOf(system);
    tools = tools == null ? null : List.copyOf(tools);
    points = List.copyOf(points);
    memory = Set.copyOf(memory);
    places = List.copyOf(places);
  }

  /** Tokens behind the conversation: what is told at the end, and what is new in memory. */
  public long tailTokens() {
    ContextMetadata.Tokens tokens = metadata.tokens();
    return tokens.tail()
        + tokens.memoryUpdate()
        + (metadata.epoch() == null ? 0 : tokens.activity());
  }

  /** The texts that the next request will not repeat. */
  public List<String> tail() {
    List<Part> parts = messages.isEmpty() ? List.of() : messages.getLast().parts();
    return parts.subList(Math.max(0, parts.size() - volatileParts), parts.size()).stream()
        .flatMap(part -> part instanceof Part.Text text ? Stream.of(text.text()) : Stream.empty())
        .toList();
  }

  /** The tools as a format takes them. */
  public List<ToolDef> toolDefs() {
    return tools == null
        ? List.of()
        : tools.stream()
            .map(tool -> new ToolDef(tool.name(), tool.description(), tool.parameters().toJson()))
            .toList();
  }
}
