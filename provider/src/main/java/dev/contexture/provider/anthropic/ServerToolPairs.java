package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import dev.contexture.render.Message;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * V42: calls of tools that the provider runs itself, and their results. Both stand in what the
 * model said. A call may wait for its result as long as its turn is open: until the user says
 * something that answers no call.
 */
final class ServerToolPairs {
  private static final String USE = "_tool_use";
  private static final String RESULT = "_tool_result";

  private ServerToolPairs() {}

  /** What a part of this type is, which is no call or result of a tool of ours. */
  static BodyPart.Kind kind(String type) {
    return type.endsWith(USE)
        ? BodyPart.Kind.SERVER_CALL
        : type.endsWith(RESULT) ? BodyPart.Kind.SERVER_RESULT : BodyPart.Kind.OTHER;
  }

  /** The id of the call that such a part is, or answers. */
  static Optional<String> id(JsonObject part) {
    return switch (kind(part.string("type").orElse(""))) {
      case SERVER_CALL -> part.string("id");
      case SERVER_RESULT -> part.string("tool_use_id");
      default -> Optional.empty();
    };
  }

  static void check(BodyView body, Findings findings) {
    Map<String, BodyPart> open = new LinkedHashMap<>();
    for (String id : body.before().openCalls()) {
      open.put(id, BodyPart.of(BodyPart.Kind.SERVER_CALL, USE, "/messages").id(id));
    }
    for (BodyMessage message : body.entries()) {
      if (message.is(BodyMessage.Role.USER) && !message.has(BodyPart.Kind.RESULT)) {
        open.values().forEach(call -> unanswered(call, findings));
        open.clear();
      }
      for (BodyPart part : message.items()) {
        String id = part.id();
        if (id != null && part.is(BodyPart.Kind.SERVER_CALL)) {
          open.put(id, part);
        } else if (id != null && part.is(BodyPart.Kind.SERVER_RESULT) && open.remove(id) == null) {
          findings.error(
              RequestRule.V42, part.pointer(), part.type() + " " + id + " answers no call");
        }
      }
    }
  }

  private static void unanswered(BodyPart call, Findings findings) {
    findings.error(
        RequestRule.V42, call.pointer(), call.type() + " " + call.id() + " has no result");
  }

  /** What has lost its other half becomes text. */
  static List<Message> repaired(List<Message> messages, String provider, List<Repair> repairs) {
    List<List<Part>> parts = new ArrayList<>();
    Map<String, Place> open = new LinkedHashMap<>();
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      parts.add(new ArrayList<>(message.parts()));
      if (message.role() == MessageRole.USER && !answers(message)) {
        open.values().forEach(place -> place.replace(parts, "no result recorded", repairs));
        open.clear();
      }
      for (int j = 0; j < message.parts().size(); j++) {
        if (message.parts().get(j) instanceof Part.Opaque opaque
            && opaque.provider().equals(provider)
            && kind(opaque.kind()) != BodyPart.Kind.OTHER) {
          JsonObject json = (JsonObject) JsonValue.parse(opaque.raw());
          String id = id(json).orElse("");
          Place place = new Place(i, j, json.string("name").orElse(opaque.kind()));
          if (kind(opaque.kind()) == BodyPart.Kind.SERVER_CALL) {
            open.put(id, place);
          } else if (open.remove(id) == null) {
            place.replace(parts, "call not in context", repairs);
          }
        }
      }
    }
    List<Message> repaired = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      repaired.add(
          parts.get(i).equals(message.parts())
              ? message
              : new Message(message.role(), parts.get(i)));
    }
    return repaired;
  }

  private static boolean answers(Message message) {
    return message.parts().stream().anyMatch(part -> part instanceof Part.ToolResult);
  }

  /** A part of a tool of the provider, and what it is called. */
  private record Place(int message, int part, String name) {
    private void replace(List<List<Part>> parts, String why, List<Repair> repairs) {
      parts.get(message).set(part, new Part.Text("[" + name + ": " + why + "]"));
      repairs.add(
          new Repair(
              RequestRule.V42,
              "/messages/" + message + "/parts/" + part,
              name + " became text: " + why));
    }
  }
}
