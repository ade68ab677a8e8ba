package dev.contexture.request;

import dev.contexture.json.JsonObject;
import dev.contexture.json.SendableText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of a model call, beside the conversation and its tools. Immutable.
 *
 * @param thinking whether it thinks; null: as the model does by itself
 * @param effort how hard it tries; null: as the model does by itself
 * @param outputSchema the form of its answer; null: any
 * @param open members of the body, merged into it as they are
 * @param apiVersion the version of the provider's interface; null: the newest that is known
 * @param compat whether the body is one for servers that are compatible with chat completions
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequestParams(
    @Nullable ThinkingChoice thinking,
    @Nullable Effort effort,
    @Nullable OutputSchema outputSchema,
    JsonObject open,
    @Nullable String apiVersion,
    boolean compat) {
  /** Nothing is asked. */
  public static final RequestParams NONE =
      new RequestParams(null, null, null, JsonObject.EMPTY, null, false);

  public RequestParams {
    open = SendableText.of(open);
  }

  public RequestParams withThinking(ThinkingChoice asked) {
    return new RequestParams(asked, effort, outputSchema, open, apiVersion, compat);
  }

  public RequestParams withEffort(Effort asked) {
    return new RequestParams(thinking, asked, outputSchema, open, apiVersion, compat);
  }

  public RequestParams withOutputSchema(OutputSchema asked) {
    return new RequestParams(thinking, effort, asked, open, apiVersion, compat);
  }

  public RequestParams withOpen(JsonObject members) {
    return new RequestParams(thinking, effort, outputSchema, members, apiVersion, compat);
  }

  public RequestParams withApiVersion(String version) {
    return new RequestParams(thinking, effort, outputSchema, open, version, compat);
  }

  public RequestParams withCompat(boolean compatible) {
    return new RequestParams(thinking, effort, outputSchema, open, apiVersion, compatible);
  }

  /** What is asked, as the record of a request says it; what is not asked is absent. */
  public JsonObject toJson() {
    JsonObject.Builder json = JsonObject.builder();
    if (thinking != null) {
      json.put("thinking", thinking.toJson());
    }
    if (effort != null) {
      json.put("effort", effort.wireName());
    }
    if (outputSchema != null) {
      json.put("output_schema", outputSchema.toJson());
    }
    if (!open.isEmpty()) {
      json.put("params", open);
    }
    json.putIfPresent("api_version", apiVersion);
    if (compat) {
      json.put("compat", true);
    }
    return json.build();
  }
}
