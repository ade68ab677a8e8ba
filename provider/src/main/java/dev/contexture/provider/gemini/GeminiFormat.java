package dev.contexture.provider.gemini;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.history.ForeignHistoryReader;
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
import dev.contexture.provider.wire.ToolNames;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.render.Message;
import dev.contexture.request.Endpoint;
import dev.contexture.request.FittedMessages;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/** Gemini's generateContent. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class GeminiFormat implements WireFormat {
  static final String CONFIG = "generationConfig";
  private static final Map<String, ParamType> PARAM_TYPES =
      Map.ofEntries(
          Map.entry(CONFIG, ParamType.OBJECT),
          Map.entry(CONFIG + ".temperature", ParamType.SPELT_NUMBER),
          Map.entry(CONFIG + ".topP", ParamType.SPELT_NUMBER),
          Map.entry(CONFIG + ".topK", ParamType.SPELT_NUMBER),
          Map.entry(CONFIG + ".seed", ParamType.SPELT_NUMBER),
          Map.entry(CONFIG + ".candidateCount", ParamType.SPELT_NUMBER),
          Map.entry(CONFIG + ".presencePenalty", ParamType.SPELT_NUMBER),
          Map.entry(CONFIG + ".frequencyPenalty", ParamType.SPELT_NUMBER),
          Map.entry(CONFIG + ".stopSequences", ParamType.TEXTS),
          Map.entry(CONFIG + ".responseMimeType", ParamType.TEXT),
          Map.entry(CONFIG + ".thinkingConfig", ParamType.OBJECT),
          Map.entry(CONFIG + ".thinkingConfig.thinkingBudget", ParamType.SPELT_NUMBER),
          Map.entry(CONFIG + ".thinkingConfig.thinkingLevel", ParamType.TEXT),
          Map.entry(CONFIG + ".thinkingConfig.includeThoughts", ParamType.FLAG),
          Map.entry("safetySettings", ParamType.LIST),
          Map.entry("toolConfig", ParamType.OBJECT));

  /** Dots and colons, too, a letter or an underscore first, 128 at most. */
  static final ToolNames TOOL_NAMES = new ToolNames("A-Za-z_", "A-Za-z0-9_.:-", 128);

  @Override
  public String name() {
    return "gemini-generate-content";
  }

  @Override
  public Optional<ForeignHistoryReader> history() {
    return Optional.of(new GeminiImport());
  }

  @Override
  public String provider() {
    return "gemini";
  }

  @Override
  public BodyWriter writer(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    return new GeminiWriter(this, input, profiles, before);
  }

  @Override
  public BodyParser parser() {
    return new GeminiParser(this);
  }

  @Override
  public AnswerReader reader() {
    return new GeminiReader();
  }

  @Override
  public Optional<FittedMessages> fit(ModelRef model, List<Message> messages) {
    return GeminiMessages.isFor(model)
        ? Optional.of(GeminiMessages.of(messages))
        : Optional.empty();
  }

  @Override
  public String messages() {
    return "contents";
  }

  @Override
  public List<String> head() {
    return List.of("tools", "systemInstruction");
  }

  /** The model and whether to stream are part of the address. */
  @Override
  public Endpoint endpoint(RequestInput input) {
    String model = URLEncoder.encode(input.model().model(), StandardCharsets.UTF_8);
    return Endpoint.of(
        "/v1beta/models/"
            + model.replace("+", "%20")
            + (input.stream() ? ":streamGenerateContent?alt=sse" : ":generateContent"));
  }

  @Override
  public JsonObject asked(RequestInput input) {
    return GeminiAsk.of(input.params());
  }

  @Override
  public Optional<ForcedCall> forced(JsonObject settings) {
    JsonObject calling =
        settings
            .object("toolConfig")
            .flatMap(config -> config.object("functionCallingConfig"))
            .orElse(JsonObject.EMPTY);
    List<String> names =
        calling.array("allowedFunctionNames").orElse(JsonArray.of()).items().stream()
            .filter(JsonString.class::isInstance)
            .map(name -> ((JsonString) name).value())
            .toList();
    boolean any = calling.string("mode").orElse("").equals("ANY");
    return any || !names.isEmpty()
        ? Optional.of(new ForcedCall("/toolConfig/functionCallingConfig", names, false))
        : Optional.empty();
  }

  @Override
  public Map<String, ParamType> paramTypes() {
    return PARAM_TYPES;
  }

  @Override
  public Map<String, RequestBlock.Tier> cacheSettings() {
    return Map.of(
        CONFIG + ".responseJsonSchema", RequestBlock.Tier.TOOLS,
        CONFIG + ".responseSchema", RequestBlock.Tier.TOOLS);
  }

  @Override
  public List<String> outputTokens() {
    return List.of(CONFIG + ".maxOutputTokens");
  }

  @Override
  public ToolNames toolNames() {
    return TOOL_NAMES;
  }

  @Override
  public String roleName(BodyMessage.Role role) {
    return role == BodyMessage.Role.ASSISTANT ? "model" : WireFormat.super.roleName(role);
  }

  @Override
  public boolean beginsElsewhere(JsonObject settings) {
    return settings.has("cachedContent");
  }

  @Override
  public boolean alternates() {
    return true;
  }

  @Override
  public RequestRule adjacent(BodyMessage message) {
    return message.has(BodyPart.Kind.CALL) ? RequestRule.V19 : RequestRule.V03;
  }

  @Override
  public boolean pairsByOrder() {
    return true;
  }

  @Override
  public boolean takesMedia(
      BodyMessage message, BodyPart media, boolean inResult, ModelProfile profile) {
    return !inResult || profile.has(ModelFlag.FUNCTION_RESPONSE_MEDIA);
  }

  @Override
  public Set<String> thinking() {
    return Set.of(GeminiParts.THOUGHT);
  }

  /** V18: the first call of each step of the current turn is signed. */
  @Override
  public void check(BodyView body, ModelProfile profile, ProofFacts facts, Findings findings) {
    if (!profile.has(ModelFlag.THOUGHT_SIGNATURES)) {
      return;
    }
    List<BodyMessage> messages = body.entries();
    int turn = 0;
    for (int i = 0; i < messages.size(); i++) {
      BodyMessage message = messages.get(i);
      boolean speaks =
          message.is(BodyMessage.Role.USER)
              && message.items().stream().anyMatch(part -> !part.is(BodyPart.Kind.RESULT));
      turn = speaks && !message.has(BodyPart.Kind.RESULT) ? i : turn;
    }
    for (BodyMessage message : messages.subList(turn, messages.size())) {
      List<BodyPart> calls = message.all(BodyPart.Kind.CALL);
      if (!calls.isEmpty() && !calls.getFirst().signed()) {
        BodyPart call = calls.getFirst();
        findings.warning(
            RequestRule.V18, call.pointer(), "call " + call.name() + " lacks thoughtSignature");
      }
    }
  }

  @Override
  public boolean judgesCurrentTurn() {
    return true;
  }

  @Override
  public List<Message> repaired(
      List<Message> messages, ModelProfile profile, RequestRule broken, List<Repair> repairs) {
    return broken == RequestRule.V18
        ? SignatureRepair.repaired(messages, profile, repairs)
        : messages;
  }
}
