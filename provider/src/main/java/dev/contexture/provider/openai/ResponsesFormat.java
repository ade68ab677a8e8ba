package dev.contexture.provider.openai;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** OpenAI Responses. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ResponsesFormat implements WireFormat {
  private static final Map<String, ParamType> PARAM_TYPES =
      Map.ofEntries(
          Map.entry("temperature", ParamType.NUMBER),
          Map.entry("top_p", ParamType.NUMBER),
          Map.entry("top_logprobs", ParamType.INTEGER),
          Map.entry("max_tool_calls", ParamType.INTEGER),
          Map.entry("background", ParamType.FLAG),
          Map.entry("parallel_tool_calls", ParamType.FLAG),
          Map.entry("store", ParamType.FLAG),
          Map.entry("stream", ParamType.FLAG),
          Map.entry("include", ParamType.TEXTS),
          Map.entry("metadata", ParamType.OBJECT),
          Map.entry("reasoning", ParamType.OBJECT),
          Map.entry("text", ParamType.OBJECT),
          Map.entry("user", ParamType.TEXT),
          Map.entry("service_tier", ParamType.TEXT),
          Map.entry("truncation", ParamType.TEXT),
          Map.entry("tool_choice", ParamType.TEXT_OR_OBJECT));

  /** Kinds of opaque parts that only Chat Completions makes and takes. */
  private static final Set<String> CHAT_KINDS =
      Set.of("content", "function", "custom", "refusal", "reasoning_content", "audio");

  @Override
  public String name() {
    return "openai-responses";
  }

  @Override
  public String wireName() {
    return "openai_responses";
  }

  @Override
  public Optional<ForeignHistoryReader> history() {
    return Optional.of(new ResponsesImport());
  }

  @Override
  public String provider() {
    return OpenAiWriter.OPENAI;
  }

  @Override
  public BodyWriter writer(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    return new ResponsesWriter(this, input, profiles, before);
  }

  @Override
  public BodyParser parser() {
    return new ResponsesParser(this);
  }

  @Override
  public AnswerReader reader() {
    return new ResponsesReader();
  }

  @Override
  public String messages() {
    return "input";
  }

  @Override
  public List<String> head() {
    return List.of("tools", "instructions");
  }

  @Override
  public Endpoint endpoint(RequestInput input) {
    return Endpoint.of("/v1/responses");
  }

  @Override
  public JsonObject asked(RequestInput input) {
    JsonObject.Builder asked = JsonObject.builder();
    OpenAiAsk.effort(input.params())
        .ifPresent(effort -> asked.put("reasoning", JsonObject.of("effort", JsonValue.of(effort))));
    OutputSchema schema = input.params().outputSchema();
    if (schema != null) {
      asked.put(
          "text",
          JsonObject.of(
              "format",
              JsonObject.builder()
                  .put("type", "json_schema")
                  .putAll(OpenAiAsk.schema(schema))
                  .build()));
    }
    return asked.build();
  }

  @Override
  public Optional<ForcedCall> forced(JsonObject settings) {
    return OpenAiChoice.forced(settings, "");
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
    return OpenAiAsk.enforcedSchema(settings, "text.format");
  }

  @Override
  public Map<String, RequestBlock.Tier> cacheSettings() {
    return Map.of("text.format", RequestBlock.Tier.TOOLS);
  }

  @Override
  public boolean namesModel() {
    return true;
  }

  @Override
  public List<String> outputTokens() {
    return List.of("max_output_tokens");
  }

  @Override
  public Marks marks() {
    return Marks.HINTS;
  }

  /** Items of this interface. A call that is no verbatim form is a member of a chat message. */
  @Override
  public boolean takes(Part.Opaque opaque, ModelProfile profile) {
    return !CHAT_KINDS.contains(opaque.kind())
        && (opaque.verbatim() || !opaque.kind().equals(ResponsesEncoder.CALL));
  }

  @Override
  public Set<String> thinking() {
    return Set.of(ResponsesEncoder.REASONING);
  }

  @Override
  public boolean thinkingNeedsMore() {
    return true;
  }

  @Override
  public ModelFlag preservedThinking() {
    return ModelFlag.PRESERVED_REASONING;
  }

  /** V17: reasoning needs what it led to, and the other way round. */
  @Override
  public void check(BodyView body, ModelProfile profile, ProofFacts facts, Findings findings) {
    Set<@Nullable String> reasoning = new HashSet<>();
    for (BodyMessage message : body.entries()) {
      for (int i = 0; i < message.items().size(); i++) {
        BodyPart item = message.items().get(i);
        boolean isReasoning = item.is(BodyPart.Kind.THINKING);
        if (isReasoning) {
          reasoning.add(item.id());
        }
        String own = item.is(BodyPart.Kind.CALL) ? item.raw() : item.id();
        String needs = own == null ? null : facts.pairs().get(own);
        boolean alone =
            isReasoning
                && message.items().subList(i, message.items().size()).stream()
                    .allMatch(rest -> rest.is(BodyPart.Kind.THINKING));
        if (alone || (needs != null && !reasoning.contains(needs))) {
          findings.error(
              RequestRule.V17,
              item.pointer(),
              own + " lacks its pair " + (needs == null ? "" : needs));
        }
      }
    }
  }
}
