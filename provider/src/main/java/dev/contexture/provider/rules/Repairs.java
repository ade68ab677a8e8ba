package dev.contexture.provider.rules;

import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.Repair;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.RequestRule;
import dev.contexture.model.RequestViolation;
import dev.contexture.provider.wire.ToolNames;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.request.PointPlace;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Repairs a request in its neutral form. A repair depends on what stands before it alone, so that
 * later requests repeat it byte for byte. Confined to one thread, used once.
 */
final class Repairs {
  private static final String OPEN_SCHEMA = "{\"type\":\"object\"}";

  private final WireFormat format;
  private final RequestInput input;
  private final ModelProfile profile;
  private final Proof proof;
  private final ThinkingParts thinking;
  private final Set<RequestRule> broken = EnumSet.noneOf(RequestRule.class);
  private final List<Repair> made = new ArrayList<>();

  Repairs(WireFormat format, RequestInput input, ModelProfile profile, Proof proof) {
    this.format = format;
    this.input = input;
    this.profile = profile;
    this.proof = proof;
    this.thinking = new ThinkingParts(format);
    proof.violations().forEach(violation -> broken.add(violation.rule()));
  }

  List<Repair> made() {
    return made;
  }

  RequestInput repaired() {
    List<Message> messages = joined(thinking(withoutMedia(input.messages())));
    messages = new PairRepair(format, messages, made).repaired();
    messages = format.alternates() ? framed(joined(messages)) : messages;
    for (RequestRule rule : broken) {
      messages = format.repaired(messages, profile, rule, made);
    }
    return input.toBuilder()
        .tools(tools())
        .toolChoice(toolChoice())
        .messages(messages)
        .points(points(input.points(), input.messages(), messages))
        .build();
  }

  /** V26: what the model does not see, or the assistant cannot have shown, becomes text. */
  private List<Message> withoutMedia(List<Message> messages) {
    if (!broken.contains(RequestRule.V26) && !broken.contains(RequestRule.V32)) {
      return messages;
    }
    List<Message> kept = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      List<Part> parts = new ArrayList<>();
      for (int j = 0; j < message.parts().size(); j++) {
        String where = "/messages/" + i + "/parts/" + j;
        parts.add(shown(message.parts().get(j), message.role() == MessageRole.ASSISTANT, where));
      }
      kept.add(new Message(message.role(), parts));
    }
    return kept;
  }

  private Part shown(Part part, boolean said, String where) {
    return switch (part) {
      case Part.Image image when said || !profile.has(ModelFlag.IMAGES) ->
          omitted(image.mediaType(), where);
      case Part.Document document when said || !profile.has(ModelFlag.DOCUMENTS) ->
          omitted(document.mediaType(), where);
      case Part.ToolResult result ->
          new Part.ToolResult(
              result.id(),
              result.providerCallId(),
              result.isError(),
              result.content().stream().map(inner -> shown(inner, false, where)).toList());
      default -> part;
    };
  }

  private Part omitted(String mediaType, String where) {
    repair(RequestRule.V26, where, mediaType + " became text: it is not taken there");
    return new Part.Text("[" + mediaType + " omitted]");
  }

  /** V13: thinking comes in the order in which it was made, where that is known. */
  private List<Message> thinking(List<Message> messages) {
    if (!broken.contains(RequestRule.V13)) {
      return withoutThinking(messages, RequestRule.V14);
    }
    List<Message> ordered = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      Message message = thinking.inOrder(messages.get(i));
      if (!message.equals(messages.get(i))) {
        repair(RequestRule.V13, "/messages/" + i, "thinking is in its order again");
      }
      ordered.add(message);
    }
    boolean moved = !ordered.equals(messages);
    return withoutThinking(ordered, moved ? RequestRule.V14 : RequestRule.V13);
  }

  /**
   * V13 to V16: thinking that is not as it was goes, and every later one where they depend.
   *
   * @param first the first rule that counts
   */
  private List<Message> withoutThinking(List<Message> messages, RequestRule first) {
    Map<String, RequestRule> dropped = new HashMap<>();
    RequestRule later = null;
    for (Proof.Thought thought : proof.thinking()) {
      RequestRule rule = later;
      for (RequestViolation violation : proof.violations()) {
        if (isAbout(violation, thought, first)) {
          rule = violation.rule();
          later = rule == RequestRule.V16 || isPreserved() ? rule : later;
        }
      }
      if (rule != null) {
        dropped.put(ToolNames.sha256(thought.json()), rule);
      }
    }
    if (dropped.isEmpty()) {
      return messages;
    }
    report(messages, dropped);
    return thinking.without(messages, dropped.keySet());
  }

  private void report(List<Message> messages, Map<String, RequestRule> dropped) {
    for (int i = 0; i < messages.size(); i++) {
      List<Part> parts = messages.get(i).parts();
      for (int j = 0; j < parts.size(); j++) {
        if (parts.get(j) instanceof Part.Opaque opaque && thinking.is(opaque)) {
          String hash = ThinkingParts.hash(opaque);
          RequestRule rule = dropped.get(hash);
          if (rule != null) {
            String where = "/messages/" + i + "/parts/" + j;
            made.add(new Repair(rule, where, "thinking was left out", hash));
          }
        }
      }
    }
  }

  private boolean isPreserved() {
    return profile.has(ModelFlag.PRESERVED_THINKING) || profile.has(ModelFlag.PRESERVED_REASONING);
  }

  /** What is missing is missing from a whole message. */
  private static boolean isAbout(RequestViolation found, Proof.Thought thought, RequestRule first) {
    RequestRule rule = found.rule();
    boolean counts = rule.compareTo(first) >= 0 && rule.compareTo(RequestRule.V16) <= 0;
    return counts
        && (found.pointer().equals(thought.pointer())
            || (rule == RequestRule.V13 && thought.pointer().startsWith(found.pointer() + "/")));
  }

  /** V03: messages in a row of one role are one; those that say nothing are none. */
  private List<Message> joined(List<Message> messages) {
    List<Message> joined = new ArrayList<>();
    for (Message message : messages) {
      if (!says(message)) {
        continue;
      }
      if (!joined.isEmpty() && joined.getLast().role() == message.role()) {
        List<Part> parts = new ArrayList<>(joined.removeLast().parts());
        parts.addAll(message.parts());
        joined.add(new Message(message.role(), parts));
      } else {
        joined.add(message);
      }
    }
    return joined;
  }

  private boolean says(Message message) {
    return message.parts().stream()
        .anyMatch(
            part ->
                switch (part) {
                  case Part.Text text -> !text.text().isBlank();
                  case Part.Opaque opaque ->
                      !opaque.verbatim()
                          && ReplyOpaque.isSendable(opaque.kind())
                          && opaque.provider().equals(input.model().provider());
                  case Part.Image _unused -> true;
                  case Part.Document _unused -> true;
                  case Part.ToolCall _unused -> true;
                  case Part.ToolResult _unused -> true;
                });
  }

  /** V02, V05: the user begins and has the last word. */
  private List<Message> framed(List<Message> messages) {
    List<Message> framed = new ArrayList<>(messages);
    if (framed.isEmpty()) {
      return framed;
    }
    if (framed.getFirst().role() == MessageRole.ASSISTANT && !isCompaction(framed.getFirst())) {
      framed.addFirst(new Message(MessageRole.USER, List.of(Part.FILLER)));
      repair(RequestRule.V02, "/messages/0", "the user now begins: " + text(Part.FILLER));
    }
    if (framed.getLast().role() == MessageRole.ASSISTANT && broken.contains(RequestRule.V05)) {
      framed.add(new Message(MessageRole.USER, List.of(Part.FILLER)));
      String where = "/messages/" + (framed.size() - 1);
      repair(RequestRule.V05, where, "the user now has the last word: " + text(Part.FILLER));
    }
    return framed;
  }

  private static boolean isCompaction(Message message) {
    return message.parts().getFirst() instanceof Part.Opaque opaque
        && opaque.kind().equals("compaction");
  }

  private static String text(Part part) {
    return ((Part.Text) part).text();
  }

  /** V23: tools that were called are declared by name, so that the calls can stay calls. */
  private List<ToolDef> tools() {
    if (!broken.contains(RequestRule.V23)) {
      return input.tools();
    }
    Set<String> names = new TreeSet<>();
    for (Message message : input.messages()) {
      for (Part part : message.parts()) {
        if (part instanceof Part.ToolCall call) {
          names.add(call.name());
        }
      }
    }
    repair(
        RequestRule.V23, "/tools", "tools that were called are declared, and none may be called");
    return names.stream().map(name -> new ToolDef(name, "", OPEN_SCHEMA)).toList();
  }

  private ToolChoice toolChoice() {
    if (broken.contains(RequestRule.V23)) {
      return ToolChoice.NONE;
    }
    boolean refused =
        proof.violations().stream()
            .anyMatch(
                violation ->
                    violation.rule() == RequestRule.V28
                        && violation.pointer().startsWith("/tool_choice"));
    if (refused) {
      repair(RequestRule.V28, "/tool_choice", "the model refuses this choice, it may choose now");
      return ToolChoice.AUTO;
    }
    return input.toolChoice();
  }

  /**
   * Points stay on their parts; on the nearest one before that is still there.
   *
   * @param points as they were in the messages before
   */
  static List<PointPlace> points(
      List<PointPlace> points, List<Message> before, List<Message> messages) {
    IdentityHashMap<Part, int[]> places = new IdentityHashMap<>();
    for (int i = 0; i < messages.size(); i++) {
      List<Part> parts = messages.get(i).parts();
      for (int j = 0; j < parts.size(); j++) {
        places.put(parts.get(j), new int[] {i, j});
      }
    }
    followReplaced(Part.ToolCall.class, before, messages, places);
    followReplaced(Part.ToolResult.class, before, messages, places);
    List<PointPlace> moved = new ArrayList<>();
    for (PointPlace point : points) {
      int[] place = place(point, before, places);
      if (place != null) {
        moved.add(new PointPlace(point.point(), place[0], place[1], point.tokens()));
      }
    }
    return moved;
  }

  /** A call or result with another id or content stands where the one it replaces stood. */
  private static void followReplaced(
      Class<? extends Part> kind,
      List<Message> before,
      List<Message> after,
      IdentityHashMap<Part, int[]> places) {
    List<Part> old = parts(kind, before);
    List<Part> now = parts(kind, after);
    for (int i = 0; i < now.size() && old.size() == now.size(); i++) {
      places.putIfAbsent(old.get(i), places.get(now.get(i)));
    }
  }

  private static List<Part> parts(Class<? extends Part> kind, List<Message> messages) {
    return messages.stream()
        .flatMap(message -> message.parts().stream())
        .filter(kind::isInstance)
        .toList();
  }

  private static int @Nullable [] place(
      PointPlace point, List<Message> before, IdentityHashMap<Part, int[]> places) {
    for (int i = Math.min(point.message(), before.size() - 1); i >= 0; i--) {
      List<Part> parts = before.get(i).parts();
      int last = i == point.message() ? point.part() : parts.size() - 1;
      for (int j = Math.min(last, parts.size() - 1); j >= 0; j--) {
        int[] place = places.get(parts.get(j));
        if (place != null) {
          return place;
        }
      }
    }
    return null;
  }

  private void repair(RequestRule rule, String pointer, String reason) {
    made.add(new Repair(rule, pointer, reason));
  }
}
