package dev.contexture.adk;

import com.google.adk.events.Event;
import com.google.genai.types.Blob;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.Part;
import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.TurnStep;
import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.CallResult;
import dev.contexture.turn.Finish;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnStart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes one step of a turn of an event: what the user says opens a turn, what a model says is its
 * answer, what tools give are results. Confined to one thread.
 */
final class EventStep {
  private static final String USER = "user";

  private final AdkContext context;
  private final ContextBrowser chat;
  private final Event event;
  private final AdkContext.@Nullable Asked asked;
  private final boolean late; // of a run whose turn is over
  private final TurnStep step = new TurnStep();
  private final List<Block.Builder> blocks = new ArrayList<>();

  /**
   * Prepares it.
   *
   * @param asked the request that the event may answer; null: none is known
   */
  EventStep(
      AdkContext context, ContextBrowser chat, Event event, AdkContext.@Nullable Asked asked) {
    this.context = context;
    this.chat = chat;
    this.event = event;
    this.asked = asked;
    this.late = !opensTurn(event) && context.isSuperseded(chat.scope(), event.invocationId());
  }

  /** Whether the user speaks, so that a turn begins. */
  static boolean opensTurn(Event event) {
    return USER.equals(event.author()) && event.content().isPresent();
  }

  /** Whether it is an answer of a model. */
  boolean answers() {
    return answer() != null;
  }

  /**
   * The step.
   *
   * @param more blocks that are kept with the event
   */
  TurnStep make(List<Block.Builder> more) {
    step.id("adk:" + event.id());
    boolean open = chat.timeline().activeTurn().isPresent();
    if (opensTurn(event)) {
      step.turn(opening());
      notices(List.of());
    } else if (!open) {
      step.turn(ofAgent(TurnStart.prompt("")));
      record(List.of());
    } else {
      record(chat.openTurn().waitingCalls());
    }
    blocks.addAll(more);
    step.blocks(blocks);
    if (!open && !opensTurn(event) && !answers()) {
      step.finish(Finish.recorded()); // nobody speaks: a change of state, a summary of ADK
    }
    return step;
  }

  private TurnStart opening() {
    List<Part> parts = parts();
    String prompt =
        parts.stream()
            .filter(part -> !part.thought().orElse(false))
            .flatMap(part -> part.text().stream())
            .collect(Collectors.joining("\n"));
    TurnStart start = ofAgent(TurnStart.prompt(prompt));
    int files = 0;
    for (Part part : parts) {
      Blob data = part.inlineData().orElse(null);
      if (data != null) {
        String name = data.displayName().orElse("file-" + ++files);
        start.attach(
            Attachment.binary(name, mime(data), Binary.of(data.data().orElse(new byte[0]))));
      } else if (part.fileData().isPresent()) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT,
            "part of a message",
            part.toJson(),
            "text, and files with their bytes (inlineData): what is only an address cannot be"
                + " kept");
      }
    }
    return start
        .supersede(TurnStart.Supersede.INTERRUPT)
        .onIncomplete(TurnStart.OnIncomplete.INTERRUPT);
  }

  private static String mime(Blob data) {
    return data.mimeType().orElse(Block.DEFAULT_BINARY_MIME);
  }

  private TurnStart ofAgent(TurnStart start) {
    String agent = context.agent();
    return agent == null ? start : start.agent(agent);
  }

  private List<Part> parts() {
    return event.content().flatMap(Content::parts).orElse(List.of());
  }

  private void record(List<ToolCall> waiting) {
    ModelAnswer answer = answer();
    if (answer != null) {
      ModelRef model = new ModelRef(AdkContext.NAME, context.target().model().model());
      step.answer(asked == null ? null : asked.request(), model, answer, interrupted());
    }
    notices(waiting);
  }

  private boolean interrupted() {
    return event.interrupted().orElse(false);
  }

  private @Nullable ModelAnswer answer() {
    return opensTurn(event) || late
        ? null
        : EventAnswer.of(
            event, context.target().model().model(), asked == null ? null : asked.usage());
  }

  /**
   * Results of calls that wait; results of others, which came again or late, are told as notices.
   */
  private void notices(List<ToolCall> waiting) {
    if (late) {
      return;
    }
    List<ToolCall> left = new ArrayList<>(waiting);
    for (FunctionResponse response : event.functionResponses()) {
      if (EventAnswer.isOfAdk(response.name().orElse(null))) {
        continue;
      }
      Map<String, Object> content = response.response().orElse(Map.of());
      String text = AdkJson.write(content);
      ToolCall call = find(left, response);
      if (call != null) {
        left.remove(call);
        ToolAnswer answer = ToolAnswer.text(text);
        step.result(
            CallResult.of(call.id(), new ToolAnswer(answer.parts(), content.containsKey("error"))));
      } else {
        String name = response.name().orElse("a tool");
        blocks.add(
            Block.builder(BlockType.REACT_NOTICE)
                .author(Author.REACT)
                .text("The result of " + name + " is now: " + text));
      }
    }
  }

  private static @Nullable ToolCall find(List<ToolCall> waiting, FunctionResponse response) {
    String id = response.id().orElse(null);
    String name = response.name().orElse("");
    return waiting.stream()
        .filter(
            call ->
                id == null ? call.tool().equals(name) : Objects.equals(call.providerCallId(), id))
        .findFirst()
        .orElse(null);
  }

  /** Closes a turn: as finished if nothing waits, else as interrupted. */
  static void close(Turn turn, @Nullable String problem) {
    if (problem == null && turn.waitingCalls().isEmpty()) {
      turn.finish(Finish.recorded());
    } else {
      turn.interrupt(problem == null ? "calls without results" : problem);
    }
  }
}
