package dev.contexture.provider.openai;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
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
import dev.contexture.provider.wire.StrictSchema;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.request.Endpoint;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.view.Part;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** OpenAI Chat Completions, which others speak, too. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ChatFormat implements WireFormat {
  static final String EFFORT = "reasoning_effort";
  private static final String SCHEMA = "response_format";
  private static final Map<String, ParamType> PARAM_TYPES =
      Map.ofEntries(
          Map.entry("temperature", ParamType.NUMBER),
          Map.entry("top_p", ParamType.NUMBER),
          Map.entry("frequency_penalty", ParamType.NUMBER),
          Map.entry("presence_penalty", ParamType.NUMBER),
          Map.entry("n", ParamType.INTEGER),
          Map.entry("seed", ParamType.INTEGER),
          Map.entry("top_logprobs", ParamType.INTEGER),
          Map.entry("stop", ParamType.TEXT_OR_TEXTS),
          Map.entry("logprobs", ParamType.FLAG),
          Map.entry("parallel_tool_calls", ParamType.FLAG),
          Map.entry("store", ParamType.FLAG),
          Map.entry("stream", ParamType.FLAG),
          Map.entry("logit_bias", ParamType.OBJECT),
          Map.entry("metadata", ParamType.OBJECT),
          Map.entry(SCHEMA, ParamType.OBJECT),
          Map.entry("stream_options", ParamType.OBJECT),
          Map.entry("user", ParamType.TEXT),
          Map.entry("service_tier", ParamType.TEXT),
          Map.entry("verbosity", ParamType.TEXT),
          Map.entry(EFFORT, ParamType.TEXT),
          Map.entry("tool_choice", ParamType.TEXT_OR_OBJECT));

  @Override
  public String name() {
    return "openai-chat";
  }

  @Override
  public String wireName() {
    return "openai_chat";
  }

  @Override
  public String provider() {
    return OpenAiWriter.OPENAI;
  }

  @Override
  public BodyWriter writer(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    return new ChatWriter(this, input, profiles, before);
  }

  @Override
  public BodyParser parser() {
    return new ChatParser(this);
  }

  @Override
  public AnswerReader reader() {
    return new ChatReader();
  }

  @Override
  public Optional<ForeignHistoryReader> history() {
    return Optional.of(new OpenAiImport());
  }

  @Override
  public Endpoint endpoint(RequestInput input) {
    return Endpoint.of("/v1/chat/completions");
  }

  @Override
  public boolean takesCompat() {
    return true;
  }

  @Override
  public JsonObject asked(RequestInput input) {
    JsonObject.Builder asked = JsonObject.builder();
    OpenAiAsk.effort(input.params()).ifPresent(effort -> asked.put(EFFORT, effort));
    OutputSchema schema = input.params().outputSchema();
    if (schema != null) {
      asked.put(
          SCHEMA,
          JsonObject.builder()
              .put("type", "json_schema")
              .put("json_schema", OpenAiAsk.schema(schema))
              .build());
    }
    return asked.build();
  }

  @Override
  public Optional<ForcedCall> forced(JsonObject settings) {
    return OpenAiChoice.forced(settings, "function");
  }

  @Override
  public Map<String, ParamType> paramTypes() {
    return PARAM_TYPES;
  }

  @Override
  public StrictSchema.Demand schemaDemand() {
    return StrictSchema.Demand.COMPLETE;
  }

  @Override
  public Optional<String> enforcedSchema(JsonObject settings) {
    return OpenAiAsk.enforcedSchema(settings, "response_format.json_schema");
  }

  @Override
  public Map<String, RequestBlock.Tier> cacheSettings() {
    return Map.of(SCHEMA, RequestBlock.Tier.TOOLS);
  }

  @Override
  public boolean namesModel() {
    return true;
  }

  @Override
  public List<String> outputTokens() {
    return List.of("max_completion_tokens", "max_tokens");
  }

  @Override
  public String parameter(String path) {
    return path.equals("reasoning.effort") ? EFFORT : path;
  }

  @Override
  public Marks marks() {
    return Marks.HINTS;
  }

  @Override
  public boolean takes(Part.Opaque opaque, ModelProfile profile) {
    return switch (opaque.kind()) {
      case ChatEncoder.CONTENT -> true;
      case ChatEncoder.FUNCTION -> opaque.verbatim();
      case ChatParts.REASONING -> profile.has(ModelFlag.REASONING_CONTENT);
      default -> false;
    };
  }

  @Override
  public boolean takesMedia(
      BodyMessage message, BodyPart media, boolean inResult, ModelProfile profile) {
    return message.is(BodyMessage.Role.USER);
  }

  /** V28: some models take tools only without reasoning. */
  @Override
  public void checkHead(BodyView body, ModelProfile profile, Findings findings) {
    JsonString none = new JsonString("none");
    if (profile.has(ModelFlag.CHAT_TOOLS_NEED_NO_EFFORT)
        && !body.tools().isEmpty()
        && body.settings().find(EFFORT).filter(none::equals).isEmpty()) {
      findings.error(RequestRule.V28, "/" + EFFORT, EFFORT + " conflicts with tools");
    }
  }

  /** V30: some models want their reasoning back. */
  @Override
  public void check(BodyView body, ModelProfile profile, ProofFacts facts, Findings findings) {
    for (int i = 0; profile.has(ModelFlag.REASONING_CONTENT) && i < body.entries().size(); i++) {
      BodyMessage message = body.entries().get(i);
      if (message.has(BodyPart.Kind.CALL) && !message.reasoning()) {
        String missing = "turn " + i + " lacks reasoning_content";
        findings.error(RequestRule.V30, message.pointer(), missing);
      }
    }
  }
}
