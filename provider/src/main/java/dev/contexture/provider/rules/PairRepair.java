package dev.contexture.provider.rules;

import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.ToolNames;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts calls and results together. Confined to one thread, used once.
 *
 * <p>1. A result belongs to the last call of its id before it, and if a message has several, to the
 * one with the same id of the engine, else to the first that has no result; of several results the
 * newest counts. 2. A call whose id another one has, or whose id has a form that is not taken, gets
 * a new one, and its result too. 3. Behind the message with the calls come their results, in the
 * order of the calls; a call without one gets an error result. 4. A result without a call becomes
 * text.
 */
final class PairRepair {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  static final String MISSING = "no result recorded";

  private final WireFormat format;
  private final List<Message> messages;
  private final List<Repair> repairs;
  private final List<Call> calls = new ArrayList<>();
  private final Map<Place, Call> byCall = new HashMap<>();
  private final Set<Place> answers = new HashSet<>(); // results that have a call

  PairRepair(WireFormat format, List<Message> messages, List<Repair> repairs) {
    this.format = format;
    this.messages = messages;
    this.repairs = repairs;
  }

  /** The place of a part; one part may stand in several places. */
  private record Place(int message, int part) {}

  /** A call and what answers it. */
  private static final class Call {
    private final Part.ToolCall part;
    private final int message;
    private String wireId;
    private Part.@Nullable ToolResult result;
    private int resultMessage;
    private int resultPart;

    private Call(Part.ToolCall part, int message, String wireId) {
      this.part = part;
      this.message = message;
      this.wireId = wireId;
    }

    private boolean renamed() {
      return !wireId.equals(EncodedPart.callId(part));
    }
  }

  List<Message> repaired() {
    pair();
    List<Message> repaired = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      List<Part> parts = new ArrayList<>();
      int before = i;
      if (message.role() == MessageRole.USER) {
        List<Call> waiting = calls.stream().filter(call -> regionStart(call) == before).toList();
        waiting.forEach(call -> parts.add(result(call, before)));
        others(message, i, parts);
      } else {
        said(message, i, parts);
      }
      if (!parts.isEmpty()) {
        repaired.add(parts.equals(message.parts()) ? message : new Message(message.role(), parts));
      }
      if (message.role() == MessageRole.ASSISTANT && !isUser(i + 1)) {
        List<Part> results = new ArrayList<>();
        calls.stream()
            .filter(call -> call.message == before)
            .forEach(call -> results.add(result(call, before)));
        if (!results.isEmpty()) {
          repaired.add(new Message(MessageRole.USER, results));
        }
      }
    }
    return repaired;
  }

  private boolean isUser(int index) {
    return index < messages.size() && messages.get(index).role() == MessageRole.USER;
  }

  /** The message that the results of a call stand in; -1 if none follows it. */
  private int regionStart(Call call) {
    return isUser(call.message + 1) ? call.message + 1 : -1;
  }

  private void pair() {
    Map<String, List<Call>> last = new HashMap<>(); // by id, those of one message
    Set<String> used = new HashSet<>();
    for (int i = 0; i < messages.size(); i++) {
      List<Part> parts = messages.get(i).parts();
      for (int j = 0; j < parts.size(); j++) {
        if (parts.get(j) instanceof Part.ToolCall part) {
          Call call = new Call(part, i, id(part, i, j, used));
          calls.add(call);
          byCall.put(new Place(i, j), call);
          List<Call> same =
              last.computeIfAbsent(EncodedPart.callId(part), unused -> new ArrayList<>());
          same.removeIf(other -> other.message != call.message);
          same.add(call);
        } else if (parts.get(j) instanceof Part.ToolResult result) {
          List<Call> same = last.get(EncodedPart.callId(result));
          if (same != null) {
            answer(called(same, result), result, i, j);
          }
        }
      }
    }
  }

  private static Call called(List<Call> same, Part.ToolResult result) {
    List<Call> own = same.stream().filter(call -> call.part.id().equals(result.id())).toList();
    List<Call> asked = own.isEmpty() ? same : own;
    return asked.stream().filter(call -> call.result == null).findFirst().orElseGet(asked::getLast);
  }

  private void answer(Call call, Part.ToolResult result, int message, int part) {
    if (call.result != null) {
      repair(
          RequestRule.V10,
          call.resultMessage,
          call.resultPart,
          "a newer result of " + call.wireId + " follows, this one was left out");
    }
    call.result = result;
    call.resultMessage = message;
    call.resultPart = part;
    answers.add(new Place(message, part));
  }

  private boolean takesId(String id) {
    return format.pairsByOrder() || ID.matcher(id).matches();
  }

  private String id(Part.ToolCall call, int message, int part, Set<String> used) {
    String id = EncodedPart.callId(call);
    if (!takesId(id)) {
      id = "c_" + ToolNames.sha256(id).substring(0, 24);
      repair(RequestRule.V11, message, part, "the id of the call is now " + id);
    }
    String unique = id;
    for (int n = 2; !used.add(unique); n++) {
      unique = id + "_" + n;
    }
    if (!unique.equals(id)) {
      repair(RequestRule.V10, message, part, "the id " + id + " is taken, it is now " + unique);
    }
    return unique;
  }

  /** A renamed call goes in its neutral form: the verbatim one has the old id. */
  private void said(Message message, int index, List<Part> parts) {
    for (int j = 0; j < message.parts().size(); j++) {
      Part part = message.parts().get(j);
      Call call = byCall.get(new Place(index, j));
      Call following = byCall.get(new Place(index, j + 1));
      boolean verbatim = part instanceof Part.Opaque opaque && opaque.verbatim();
      if (verbatim && following != null && following.renamed()) {
        continue;
      }
      parts.add(
          call == null || !call.renamed()
              ? part
              : new Part.ToolCall(
                  call.part.id(), call.wireId, call.part.name(), call.part.arguments()));
    }
  }

  private Part result(Call call, int place) {
    Part.ToolResult result = call.result;
    if (result == null) {
      repair(RequestRule.V07, call.message, 0, "call " + call.wireId + " got an error result");
      return new Part.ToolResult(
          call.part.id(), call.wireId, true, List.of(new Part.Text(MISSING)));
    }
    if (isElsewhere(call)) {
      repair(
          RequestRule.V08,
          call.resultMessage,
          call.resultPart,
          "result " + call.wireId + " moved behind its call");
    } else if (call.resultMessage != place && format.alternates()) {
      repair(
          RequestRule.V12,
          call.resultMessage,
          call.resultPart,
          "result " + call.wireId + " joined the others of its group");
    } else if (format.resultsFirst() && isBehindOthers(call)) {
      repair(
          RequestRule.V09,
          call.resultMessage,
          call.resultPart,
          "result " + call.wireId + " moved before the other parts");
    }
    boolean same = EncodedPart.callId(result).equals(call.wireId);
    return same
        ? result
        : new Part.ToolResult(result.id(), call.wireId, result.isError(), result.content());
  }

  /** Whether another message of the assistant stands between a call and its result. */
  private boolean isElsewhere(Call call) {
    return messages
        .subList(call.message + 1, Math.max(call.message + 1, call.resultMessage))
        .stream()
        .anyMatch(message -> message.role() == MessageRole.ASSISTANT);
  }

  private boolean isBehindOthers(Call call) {
    return messages.get(call.resultMessage).parts().subList(0, call.resultPart).stream()
        .anyMatch(part -> !(part instanceof Part.ToolResult));
  }

  /** What is no result that was placed; a result without a call says what it is. */
  private void others(Message message, int index, List<Part> parts) {
    for (int j = 0; j < message.parts().size(); j++) {
      Part part = message.parts().get(j);
      if (!(part instanceof Part.ToolResult result)) {
        parts.add(part);
      } else if (!answers.contains(new Place(index, j))) {
        String id = EncodedPart.callId(result);
        parts.add(new Part.Text("[result of tool " + id + ", call not in context]"));
        parts.addAll(result.content());
        repair(RequestRule.V06, index, j, "result " + id + " became text: its call is not there");
      }
    }
  }

  private void repair(RequestRule rule, int message, int part, String reason) {
    repairs.add(new Repair(rule, "/messages/" + message + "/parts/" + part, reason));
  }
}
