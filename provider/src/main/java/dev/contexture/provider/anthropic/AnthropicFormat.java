package dev.contexture.provider.anthropic;

import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.wire.AnswerReader;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.BodyWriter;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.Findings;
import dev.contexture.provider.wire.ProofFacts;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.request.RequestInput;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/** Anthropic Messages. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AnthropicFormat implements WireFormat {
  private static final Set<String> MARKABLE =
      Set.of("tool", "text", "image", "document", "tool_use", "tool_result");

  @Override
  public String name() {
    return "anthropic-messages";
  }

  @Override
  public String provider() {
    return "anthropic";
  }

  @Override
  public BodyWriter writer(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    return new AnthropicWriter(this, input, profiles, before);
  }

  @Override
  public BodyParser parser() {
    return new AnthropicParser(this);
  }

  @Override
  public AnswerReader reader() {
    return new AnthropicReader();
  }

  @Override
  public Optional<ForeignHistoryReader> history() {
    return Optional.of(new AnthropicImport());
  }

  @Override
  public List<String> head() {
    return List.of("tools", "system");
  }

  @Override
  public boolean alternates() {
    return true;
  }

  @Override
  public boolean resultsFirst() {
    return true;
  }

  /** What the provider compacted itself stands for all that was before it. */
  @Override
  public boolean mayBegin(BodyMessage message) {
    return message.is(BodyMessage.Role.USER)
        || (!message.items().isEmpty() && message.items().getFirst().type().equals("compaction"));
  }

  @Override
  public Marks marks() {
    return Marks.STRICT;
  }

  @Override
  public boolean takesMark(BodyMessage message, BodyPart part) {
    return MARKABLE.contains(part.type());
  }

  @Override
  public boolean takesMediaType(String mime) {
    return false;
  }

  @Override
  public boolean takesPrefill(ModelProfile profile) {
    return profile.has(ModelFlag.ASSISTANT_PREFILL);
  }

  @Override
  public Set<String> thinking() {
    return Set.of("thinking", "redacted_thinking");
  }

  /** V25: instructions among the messages. */
  @Override
  public void check(BodyView body, ModelProfile profile, ProofFacts facts, Findings findings) {
    List<BodyMessage> messages = body.entries();
    for (int i = 0; i < messages.size(); i++) {
      BodyMessage note = messages.get(i);
      if (note.is(BodyMessage.Role.SYSTEM)) {
        boolean afterUser = i > 0 && messages.get(i - 1).is(BodyMessage.Role.USER);
        boolean before =
            i == messages.size() - 1 || messages.get(i + 1).is(BodyMessage.Role.ASSISTANT);
        boolean texts = note.items().stream().allMatch(part -> part.is(BodyPart.Kind.TEXT));
        if (!profile.has(ModelFlag.MID_CONVERSATION_SYSTEM) || !afterUser || !before || !texts) {
          findings.error(RequestRule.V25, note.pointer(), "system note not allowed here");
        }
      }
    }
  }
}
