package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.wire.AskedMembers;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.BodyWriter;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.Findings;
import dev.contexture.provider.wire.ForcedCall;
import dev.contexture.provider.wire.ParamType;
import dev.contexture.provider.wire.ProofFacts;
import dev.contexture.provider.wire.StrictSchema;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.render.Message;
import dev.contexture.request.Endpoint;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** Anthropic Messages. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AnthropicFormat implements WireFormat {
  private static final Set<String> MARKABLE =
      Set.of(
          "tool",
          BodyPart.NATIVE_TOOL,
          "text",
          BodyPart.CITED_TEXT,
          "image",
          "document",
          "tool_use",
          "tool_result");

  /** Since this version sampling parameters and more are refused, whatever the model. */
  private static final String STRICTER = "2026-10-21";

  private static final List<String> VERSIONS = List.of(STRICTER, "2023-06-01");
  private static final String CHOICE = "/tool_choice";
  private static final Map<String, ParamType> PARAM_TYPES =
      Map.ofEntries(
          Map.entry("temperature", ParamType.NUMBER),
          Map.entry("top_p", ParamType.NUMBER),
          Map.entry("top_k", ParamType.INTEGER),
          Map.entry("stop_sequences", ParamType.TEXTS),
          Map.entry("metadata", ParamType.OBJECT),
          Map.entry("service_tier", ParamType.TEXT),
          Map.entry("stream", ParamType.FLAG),
          Map.entry("thinking", ParamType.OBJECT),
          Map.entry("output_config", ParamType.OBJECT),
          Map.entry("tool_choice", ParamType.OBJECT));

  private static final List<String> SAMPLING = List.of("temperature", "top_p", "top_k");

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
  public List<String> apiVersions() {
    return VERSIONS;
  }

  @Override
  public Endpoint endpoint(RequestInput input) {
    return new Endpoint(
        "/v1/messages",
        Map.of(
            "content-type",
            "application/json",
            "anthropic-version",
            AskedMembers.apiVersion(this, input.params())));
  }

  @Override
  public JsonObject asked(RequestInput input) {
    return AnthropicAsk.of(input.params());
  }

  @Override
  public Optional<ForcedCall> forced(JsonObject settings) {
    JsonObject choice = settings.object("tool_choice").orElse(JsonObject.EMPTY);
    return switch (choice.string("type").orElse("")) {
      case "any" -> Optional.of(new ForcedCall(CHOICE, List.of(), true));
      case "tool" ->
          Optional.of(
              new ForcedCall(CHOICE + "/name", List.of(choice.string("name").orElse("")), true));
      default -> Optional.empty();
    };
  }

  @Override
  public Map<String, ParamType> paramTypes() {
    return PARAM_TYPES;
  }

  @Override
  public StrictSchema.Demand schemaDemand() {
    return StrictSchema.Demand.CLOSED;
  }

  @Override
  public Optional<String> enforcedSchema(JsonObject settings) {
    return Stream.of("output_config.format.schema", "output_format.schema")
        .filter(path -> AskedMembers.at(settings, path).isPresent())
        .findFirst();
  }

  @Override
  public Map<String, RequestBlock.Tier> cacheSettings() {
    return Map.of(
        "speed", RequestBlock.Tier.SYSTEM,
        "tool_choice", RequestBlock.Tier.MESSAGES,
        "thinking", RequestBlock.Tier.MESSAGES,
        "output_config.effort", RequestBlock.Tier.MESSAGES);
  }

  @Override
  public boolean namesModel() {
    return true;
  }

  @Override
  public boolean needsOutputTokens() {
    return true;
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

  /** Documents of the assistant are a matter of the version. */
  @Override
  public boolean takesMedia(
      BodyMessage message, BodyPart media, boolean inResult, ModelProfile profile) {
    return inResult || message.is(BodyMessage.Role.USER) || media.type().equals("document");
  }

  @Override
  public boolean takesMediaType(String mime) {
    return false;
  }

  @Override
  public boolean goesOn(BodyMessage last) {
    BodyPart end = last.items().isEmpty() ? null : last.items().getLast();
    return end != null && end.is(BodyPart.Kind.SERVER_CALL);
  }

  @Override
  public boolean takesPrefill(ModelProfile profile) {
    return profile.has(ModelFlag.ASSISTANT_PREFILL);
  }

  @Override
  public Set<String> thinking() {
    return Set.of("thinking", "redacted_thinking");
  }

  /** V28, V32, V37: thinking, and what the version refuses before all messages. */
  @Override
  public void checkHead(BodyView body, ModelProfile profile, Findings findings) {
    for (String name : body.apiVersion().equals(STRICTER) ? SAMPLING : List.<String>of()) {
      if (body.settings().has(name) && !profile.params().rejects().contains(name)) {
        refused(body, "/" + name, name, findings);
      }
    }
    new AnthropicThinkingRules(body, findings).check();
  }

  private static void refused(BodyView body, String where, String what, Findings findings) {
    findings.error(
        RequestRule.V32, where, what + " is refused by API version " + body.apiVersion());
  }

  /** V32: what the version refuses in a message. */
  private static void checkVersion(BodyView body, BodyMessage message, Findings findings) {
    for (BodyPart part : message.items()) {
      if (message.is(BodyMessage.Role.ASSISTANT) && part.type().equals("document")) {
        refused(body, part.pointer(), "a document of the assistant", findings);
      } else if (message.is(BodyMessage.Role.USER)) {
        Stream.concat(Stream.of(part), part.nested().stream())
            .filter(text -> text.type().equals(BodyPart.CITED_TEXT))
            .forEach(text -> refused(body, text.pointer(), "a citation of the user", findings));
      }
    }
  }

  /** V25, V42: instructions among the messages, and calls of tools of the provider. */
  @Override
  public void check(BodyView body, ModelProfile profile, ProofFacts facts, Findings findings) {
    ServerToolPairs.check(body, findings);
    List<BodyMessage> messages = body.entries();
    for (int i = 0; i < messages.size(); i++) {
      BodyMessage note = messages.get(i);
      if (body.apiVersion().equals(STRICTER)) {
        checkVersion(body, note, findings);
      }
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

  @Override
  public List<Message> repaired(
      List<Message> messages, ModelProfile profile, RequestRule broken, List<Repair> repairs) {
    return broken == RequestRule.V42
        ? ServerToolPairs.repaired(messages, profile.provider(), repairs)
        : messages;
  }
}
