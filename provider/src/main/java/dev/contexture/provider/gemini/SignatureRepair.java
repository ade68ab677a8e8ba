package dev.contexture.provider.gemini;

import dev.contexture.json.JsonText;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.render.Message;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives the first call of each step of the current turn the sentinel that Gemini takes for a
 * signature. The reasoning that the signature stood for is lost.
 */
final class SignatureRepair {
  /** The text {@code skip_thought_signature_validator}: signatures are bytes, so in base64. */
  private static final String SENTINEL =
      ",\"thoughtSignature\":\"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=\"}";

  private SignatureRepair() {}

  static List<Message> repaired(
      List<Message> messages, ModelProfile profile, List<Repair> repairs) {
    List<Message> repaired = new ArrayList<>(messages);
    for (int i = turnStart(messages); i < messages.size(); i++) {
      Message message = messages.get(i);
      int first = firstCall(message);
      if (message.role() == MessageRole.ASSISTANT && first >= 0) {
        List<Part> parts = new ArrayList<>(message.parts());
        if (sign(parts, first, profile)) {
          repaired.set(i, new Message(message.role(), parts));
          repairs.add(
              new Repair(
                  RequestRule.V18,
                  "/messages/" + i + "/parts/" + first,
                  "the call got the sentinel for a signature: its reasoning is lost"));
        }
      }
    }
    return repaired;
  }

  private static int turnStart(List<Message> messages) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      Message message = messages.get(i);
      boolean answers = message.parts().stream().anyMatch(p -> p instanceof Part.ToolResult);
      if (message.role() == MessageRole.USER && !answers) {
        return i;
      }
    }
    return 0;
  }

  private static int firstCall(Message message) {
    for (int i = 0; i < message.parts().size(); i++) {
      if (message.parts().get(i) instanceof Part.ToolCall) {
        return i;
      }
    }
    return -1;
  }

  private static boolean sign(List<Part> parts, int index, ModelProfile profile) {
    Part.ToolCall call = (Part.ToolCall) parts.get(index);
    if (index > 0
        && parts.get(index - 1) instanceof Part.Opaque known
        && known.verbatim()
        && known.provider().equals(profile.provider())) {
      if (JsonText.member(known.raw(), "thoughtSignature").isPresent()) {
        return false;
      }
      parts.set(index - 1, opaque(known.model(), profile, known.raw().strip()));
      return true;
    }
    String id = EncodedPart.callId(call);
    Part.ToolCall named = new Part.ToolCall(call.id(), id, call.name(), call.arguments());
    String raw =
        "{\"functionCall\":{\"id\":"
            + EncodedPart.quoted(id)
            + ","
            + new GeminiEncoder(EncodingCache.EMPTY.search()).encode(named).text()
            + "}";
    parts.set(index, named);
    parts.add(index, opaque(profile.id(), profile, raw));
    return true;
  }

  private static Part opaque(String model, ModelProfile profile, String raw) {
    return new Part.Opaque(
        profile.provider(),
        model,
        GeminiEncoder.CALL,
        raw.substring(0, raw.length() - 1) + SENTINEL,
        true);
  }
}
