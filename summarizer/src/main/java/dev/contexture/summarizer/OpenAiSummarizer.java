package dev.contexture.summarizer;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonField;
import com.openai.core.JsonValue;
import com.openai.errors.OpenAIException;
import com.openai.errors.OpenAIInvalidDataException;
import com.openai.errors.OpenAIServiceException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletion.Choice.FinishReason;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.error.ContextureException;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Asks a model through OpenAI's official library: one of OpenAI's, or, with an address, one behind
 * any endpoint that speaks Chat Completions. Thread-safe. Close it to let connections go.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class OpenAiSummarizer implements Summarizer, AutoCloseable {
  private final OpenAIClient client;
  private final SummaryAnswer answer;
  private final boolean elsewhere;

  private OpenAiSummarizer(OpenAIClient client, SummaryAnswer answer, boolean elsewhere) {
    this.client = client;
    this.answer = answer;
    this.elsewhere = elsewhere;
  }

  public static OpenAiSummarizer of(ModelEndpoint endpoint) {
    OpenAIOkHttpClient.Builder client =
        OpenAIOkHttpClient.builder()
            .apiKey(endpoint.key())
            .timeout(endpoint.timeout())
            .maxRetries(endpoint.maxRetries());
    endpoint.url().ifPresent(client::baseUrl);
    return new OpenAiSummarizer(
        client.build(), new SummaryAnswer("openai", endpoint), endpoint.url().isPresent());
  }

  /**
   * @throws ContextureException {@code summarizer_failed} if there is no text
   */
  @Override
  public String summarize(SummaryRequest request) {
    try {
      return read(client.chat().completions().create(params(request)));
    } catch (OpenAIServiceException error) {
      throw answer.error(
          error.statusCode(), error.code().orElse(null), message(error.body()), error);
    } catch (OpenAIInvalidDataException malformed) {
      throw answer.unreadable();
    } catch (OpenAIException failed) {
      throw answer.unreachable(failed);
    }
  }

  private ChatCompletionCreateParams params(SummaryRequest request) {
    ChatCompletionCreateParams.Builder params =
        ChatCompletionCreateParams.builder()
            .model(answer.model(request))
            .addSystemMessage(SummaryAnswer.instructions(request))
            .addUserMessage(request.material());
    long most = SummaryAnswer.outputTokens(request);
    return elsewhere ? olderName(params, most) : params.maxCompletionTokens(most).build();
  }

  /** OpenAI's models want the new name of the limit, most other servers know the old one only. */
  @SuppressWarnings("deprecation")
  private static ChatCompletionCreateParams olderName(
      ChatCompletionCreateParams.Builder params, long most) {
    return params.maxTokens(most).build();
  }

  private String read(ChatCompletion completion) {
    if (completion.choices().isEmpty()) {
      throw answer.unreadable();
    }
    ChatCompletion.Choice choice = completion.choices().getFirst();
    Optional<String> refusal = choice.message().refusal().filter(text -> !text.isBlank());
    if (refusal.isPresent()) {
      throw answer.refused(refusal.get());
    }
    FinishReason end = choice.finishReason();
    if (end.equals(FinishReason.CONTENT_FILTER)) {
      throw answer.refused("finish_reason is content_filter");
    }
    return answer.text(choice.message().content().orElse(""), end.equals(FinishReason.LENGTH));
  }

  /** The words of a failure, in {@code error} or, by some servers, at the top. */
  private static @Nullable String message(JsonValue body) {
    Optional<Map<String, JsonValue>> top = object(body);
    Optional<Map<String, JsonValue>> error =
        top.map(fields -> fields.get("error")).flatMap(OpenAiSummarizer::object);
    return error
        .or(() -> top)
        .map(fields -> fields.get("message"))
        .map(OpenAiSummarizer::text)
        .orElse(null);
  }

  private static Optional<Map<String, JsonValue>> object(JsonField<?> value) {
    return value.asObject();
  }

  private static @Nullable String text(JsonField<?> value) {
    return value.asString().orElse(null);
  }

  @Override
  public void close() {
    client.close();
  }
}
