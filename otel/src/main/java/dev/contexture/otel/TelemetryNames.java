package dev.contexture.otel;

import dev.contexture.event.EngineWork;
import dev.contexture.model.Stop;
import io.opentelemetry.api.common.AttributeKey;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The names of spans, attributes and metrics, all of them. Those that begin with {@code gen_ai} are
 * of OpenTelemetry's conventions for generative AI as of November 2026, which are in development
 * and have no library for Java; the others are Contexture's own.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public final class TelemetryNames {
  /** The instrumentation scope. */
  public static final String SCOPE = "dev.contexture";

  public static final String REQUEST_SPAN = "contexture.request";
  public static final String RECORD_SPAN = "contexture.record";
  public static final String COMPACTION_SPAN = "contexture.compaction";

  public static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

  public static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("gen_ai.operation.name");
  public static final AttributeKey<String> PROVIDER =
      AttributeKey.stringKey("gen_ai.provider.name");
  public static final AttributeKey<String> REQUEST_MODEL =
      AttributeKey.stringKey("gen_ai.request.model");
  public static final AttributeKey<Long> REQUEST_MAX_TOKENS =
      AttributeKey.longKey("gen_ai.request.max_tokens");
  public static final AttributeKey<String> RESPONSE_MODEL =
      AttributeKey.stringKey("gen_ai.response.model");
  public static final AttributeKey<String> RESPONSE_ID =
      AttributeKey.stringKey("gen_ai.response.id");
  public static final AttributeKey<List<String>> FINISH_REASONS =
      AttributeKey.stringArrayKey("gen_ai.response.finish_reasons");
  public static final AttributeKey<String> CONVERSATION =
      AttributeKey.stringKey("gen_ai.conversation.id");

  /** Set to true, or not at all. */
  public static final AttributeKey<Boolean> COMPACTED =
      AttributeKey.booleanKey("gen_ai.conversation.compacted");

  public static final AttributeKey<String> AGENT = AttributeKey.stringKey("gen_ai.agent.id");
  public static final AttributeKey<Long> INPUT_TOKENS =
      AttributeKey.longKey("gen_ai.usage.input_tokens");
  public static final AttributeKey<Long> CACHE_READ_TOKENS =
      AttributeKey.longKey("gen_ai.usage.cache_read.input_tokens");
  public static final AttributeKey<Long> CACHE_WRITE_TOKENS =
      AttributeKey.longKey("gen_ai.usage.cache_write.input_tokens");
  public static final AttributeKey<Long> OUTPUT_TOKENS =
      AttributeKey.longKey("gen_ai.usage.output_tokens");

  /** On counters of tokens; the engine does not know it. */
  public static final AttributeKey<String> TOKEN_MODALITY =
      AttributeKey.stringKey("gen_ai.token.modality");

  public static final AttributeKey<String> MEMORY_STORE =
      AttributeKey.stringKey("gen_ai.memory.store.id");
  public static final AttributeKey<String> MEMORY_RECORD =
      AttributeKey.stringKey("gen_ai.memory.record.id");
  public static final AttributeKey<Long> MEMORY_RECORDS =
      AttributeKey.longKey("gen_ai.memory.record.count");
  public static final AttributeKey<Long> TOP_K = AttributeKey.longKey("gen_ai.retrieval.top_k");

  public static final AttributeKey<String> TENANT = AttributeKey.stringKey("contexture.tenant");
  public static final AttributeKey<String> PROJECT = AttributeKey.stringKey("contexture.project");
  public static final AttributeKey<String> REQUEST_ID =
      AttributeKey.stringKey("contexture.request.id");
  public static final AttributeKey<Long> REQUEST_TOKENS =
      AttributeKey.longKey("contexture.request.tokens");
  public static final AttributeKey<Long> REQUEST_BUDGET =
      AttributeKey.longKey("contexture.request.budget");
  public static final AttributeKey<Long> REQUEST_MESSAGES =
      AttributeKey.longKey("contexture.request.messages");
  public static final AttributeKey<Long> REQUEST_REPAIRS =
      AttributeKey.longKey("contexture.request.repairs");

  /** {@code extends}, {@code diverges} or {@code rebased}. */
  public static final AttributeKey<String> PREFIX = AttributeKey.stringKey("contexture.prefix");

  public static final AttributeKey<Long> TOKENS_LOST =
      AttributeKey.longKey("contexture.prefix.tokens_lost");
  public static final AttributeKey<Boolean> REPEATED =
      AttributeKey.booleanKey("contexture.record.repeated");
  public static final AttributeKey<Long> CALLS = AttributeKey.longKey("contexture.record.calls");
  public static final AttributeKey<String> COMPACTION_STATUS =
      AttributeKey.stringKey("contexture.compaction.status");
  public static final AttributeKey<String> COMPACTION_REASON =
      AttributeKey.stringKey("contexture.compaction.reason");
  public static final AttributeKey<Long> TOKENS_BEFORE =
      AttributeKey.longKey("contexture.compaction.tokens_before");
  public static final AttributeKey<Long> TOKENS_AFTER =
      AttributeKey.longKey("contexture.compaction.tokens_after");
  public static final AttributeKey<Long> COMPACTED_BLOCKS =
      AttributeKey.longKey("contexture.compaction.blocks");
  public static final AttributeKey<List<String>> WARNINGS =
      AttributeKey.stringArrayKey("contexture.compaction.warnings");
  public static final AttributeKey<Boolean> CHANGED =
      AttributeKey.booleanKey("contexture.memory.changed");
  public static final AttributeKey<String> SEARCH_MODE =
      AttributeKey.stringKey("contexture.search.mode");
  public static final AttributeKey<List<String>> FALLBACKS =
      AttributeKey.stringArrayKey("contexture.search.fallbacks");

  /** Seconds from a request that was built to its answer. */
  public static final String INFERENCE_DURATION = "gen_ai.client.inference.duration";

  public static final String USAGE_INPUT = "gen_ai.client.inference.usage.input_tokens";
  public static final String USAGE_CACHE_READ =
      "gen_ai.client.inference.usage.cache_read.input_tokens";
  public static final String USAGE_CACHE_WRITE =
      "gen_ai.client.inference.usage.cache_write.input_tokens";
  public static final String USAGE_OUTPUT = "gen_ai.client.inference.usage.output_tokens";

  /** Seconds of what is done to memory and of searches, by {@link #OPERATION}. */
  public static final String MEMORY_DURATION = "contexture.memory.duration";

  /** Seconds that it took to build a request, a compaction in it included. */
  public static final String REQUEST_DURATION = "contexture.request.duration";

  /** Tokens of requests as estimated before they were sent. */
  public static final String REQUEST_SIZE = "contexture.request.size";

  /** Tokens that a provider's cache could have served, had the prefix not been changed. */
  public static final String PREFIX_LOST = "contexture.prefix.lost";

  public static final String RECORD_DURATION = "contexture.record.duration";
  public static final String COMPACTION_DURATION = "contexture.compaction.duration";

  /** Tokens that compactions took out of context. */
  public static final String COMPACTION_REMOVED = "contexture.compaction.removed";

  static final String SEARCH_MEMORY = "search_memory";
  static final String UNKNOWN = "unknown";

  private static final Map<String, String> PROVIDERS =
      Map.of(
          "bedrock", "aws.bedrock",
          "gemini", "gcp.gemini",
          "mistral", "mistral_ai",
          "moonshotai", "moonshot_ai",
          "xai", "x_ai");

  private static final Map<String, String> STOPS =
      Map.of(
          Stop.END.wireName(), "stop",
          Stop.TOOL_USE.wireName(), "tool_call",
          Stop.MAX_TOKENS.wireName(), "length",
          Stop.CONTEXT_LIMIT.wireName(), "length",
          Stop.REFUSAL.wireName(), "content_filter");

  private TelemetryNames() {}

  /** The conventions' name of a provider of the catalogue; its own if they have none. */
  static String provider(String name) {
    return PROVIDERS.getOrDefault(name, name);
  }

  /** What a call of a model of this provider is called. */
  static String inference(String provider) {
    return provider.equals("gemini") ? "generate_content" : "chat";
  }

  /** The conventions' word for why a model stopped; the engine's own if they have none. */
  static String finishReason(String stop) {
    return STOPS.getOrDefault(stop, stop);
  }

  /** What a change of memory is called. */
  static String memory(EngineWork.MemoryWrite.Kind kind) {
    return kind.wireName() + "_memory";
  }
}
