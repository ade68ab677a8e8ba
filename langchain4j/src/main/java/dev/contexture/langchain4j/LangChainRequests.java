package dev.contexture.langchain4j;

import dev.contexture.ContextRequest;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.request.Mark;
import dev.contexture.request.ToolDef;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Makes each request of an AI service: system message, memory, conversation and tools within the
 * budget, compacted if need be, proved against the rules of the provider and kept in the ledger.
 * Parameters and tools stay as LangChain4j gives them.
 *
 * <p>For {@code AiServices.chatRequestTransformer}, the one place that sees the whole request
 * before every call, also between calls of tools. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LangChainRequests implements BiFunction<ChatRequest, Object, ChatRequest> {
  /** Anthropic takes four marks; system and tools have one each if LangChain4j is told so. */
  private static final int MAX_MARKS = 2;

  private static final Pattern MARKED_PART = Pattern.compile("/messages/(\\d+)/content/(\\d+)");
  private static final String SEPARATOR = "\n\n";

  private final LangChainContext context;

  LangChainRequests(LangChainContext context) {
    this.context = context;
  }

  /**
   * The request that is sent.
   *
   * @throws dev.contexture.error.ContextureException {@code scope_required} without a memory id,
   *     {@code no_active_turn} if nothing was added to the memory, {@code budget_too_small} if it
   *     cannot fit; then the turn is interrupted
   */
  @Override
  public ChatRequest apply(ChatRequest asked, Object memoryId) {
    LangChainMemory memory = context.memory(memoryId);
    try {
      return make(asked, memory);
    } catch (RuntimeException failure) {
      memory.failed(failure); // a stream that cannot begin tells no listener
      throw failure;
    }
  }

  private ChatRequest make(ChatRequest asked, LangChainMemory memory) {
    Turn turn = memory.requesting();
    RequestBuilder builder =
        turn.request(context.provider(), context.target().model().model())
            .carrier(LangChainContext.NAME)
            .adds(context.adds())
            .tools(tools(asked));
    if (context.agent() != null) {
      builder.agent(context.agent());
    }
    if (context.config() != null) {
      builder.config(context.config());
    }
    if (asked.maxOutputTokens() != null) {
      builder.maxOutputTokens(asked.maxOutputTokens());
    }
    for (ChatMessage message : asked.messages()) {
      if (message instanceof SystemMessage system && !system.text().isBlank()) {
        builder.instructions(system.text());
      }
    }
    ContextRequest made = builder.build();
    memory.requested(made);
    return asked.toBuilder().messages(messages(made, asked, memory)).build();
  }

  private static List<ToolDef> tools(ChatRequest asked) {
    List<ToolSpecification> given = asked.toolSpecifications();
    return given == null
        ? List.of()
        : given.stream()
            .map(
                tool ->
                    new ToolDef(
                        tool.name(),
                        tool.description() == null ? "" : tool.description(),
                        ToolSchemas.json(tool.parameters()).toJson()))
            .toList();
  }

  private static List<ChatMessage> messages(
      ContextRequest made, ChatRequest asked, LangChainMemory memory) {
    List<ChatMessage> messages = new ArrayList<>();
    if (!made.assembled().system().isEmpty()) {
      messages.add(SystemMessage.from(String.join(SEPARATOR, made.assembled().system())));
    }
    messages.addAll(ChatMessages.of(made.assembled().messages(), marks(made)));
    UserMessage.findLast(asked.messages())
        .ifPresent(
            sent -> {
              UserMessage raw = memory.replaced(sent);
              if (raw != null) {
                replace(messages, UserPrompt.text(raw), sent);
              }
            });
    return messages;
  }

  /** Says what the framework wants said in the place of the newest prompt. */
  private static void replace(List<ChatMessage> messages, String prompt, UserMessage sent) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      if (messages.get(i) instanceof UserMessage said) {
        List<Content> contents = new ArrayList<>(said.contents());
        int at = contents.lastIndexOf(TextContent.from(prompt));
        if (at >= 0) {
          contents.set(at, TextContent.from(UserPrompt.text(sent)));
          messages.set(i, said.toBuilder().contents(contents).build());
          return;
        }
      }
    }
  }

  /** Where the newest marks of a body lie; only Anthropic's bodies have some. */
  private static Set<List<Integer>> marks(ContextRequest made) {
    Set<List<Integer>> places = new HashSet<>();
    List<Mark> marks = made.request().marks();
    for (int i = marks.size() - 1; i >= 0 && places.size() < MAX_MARKS; i--) {
      Matcher place = MARKED_PART.matcher(marks.get(i).pointer());
      if (place.matches()) {
        places.add(List.of(Integer.parseInt(place.group(1)), Integer.parseInt(place.group(2))));
      }
    }
    return places;
  }
}
