package dev.contexture.summarizer;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonField;
import com.anthropic.core.JsonValue;
import com.anthropic.errors.AnthropicException;
import com.anthropic.errors.AnthropicInvalidDataException;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.models.messages.ContentBlock;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.StopReason;
import com.anthropic.models.messages.TextBlock;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.error.ContextureException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Asks a Claude model through the official library. Thread-safe. Close it to let connections go.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AnthropicSummarizer implements Summarizer, AutoCloseable {
  private final AnthropicClient client;
  private final SummaryAnswer answer;

  private AnthropicSummarizer(AnthropicClient client, SummaryAnswer answer) {
    this.client = client;
    this.answer = answer;
  }

  public static AnthropicSummarizer of(ModelEndpoint endpoint) {
    AnthropicOkHttpClient.Builder client =
        AnthropicOkHttpClient.builder()
            .apiKey(endpoint.key())
            .timeout(endpoint.timeout())
            .maxRetries(endpoint.maxRetries());
    endpoint.url().ifPresent(client::baseUrl);
    return new AnthropicSummarizer(client.build(), new SummaryAnswer("anthropic", endpoint));
  }

  /**
   * @throws ContextureException {@code summarizer_failed} if there is no text
   */
  @Override
  public String summarize(SummaryRequest request) {
    MessageCreateParams params =
        MessageCreateParams.builder()
            .model(answer.model(request))
            .maxTokens(SummaryAnswer.outputTokens(request))
            .system(SummaryAnswer.instructions(request))
            .addUserMessage(request.material())
            .build();
    try {
      return read(client.messages().create(params));
    } catch (AnthropicServiceException error) {
      throw answer.error(
          error.statusCode(), said(error.body(), "type"), said(error.body(), "message"), error);
    } catch (AnthropicInvalidDataException malformed) {
      throw answer.unreadable();
    } catch (AnthropicException failed) {
      throw answer.unreachable(failed);
    }
  }

  private String read(Message message) {
    Optional<StopReason> stop = message.stopReason();
    if (stop.filter(StopReason.REFUSAL::equals).isPresent()) {
      throw answer.refused("stop_reason is refusal");
    }
    if (stop.filter(StopReason.MODEL_CONTEXT_WINDOW_EXCEEDED::equals).isPresent()) {
      throw answer.tooLong();
    }
    String text =
        message.content().stream()
            .map(ContentBlock::text)
            .flatMap(Optional::stream)
            .map(TextBlock::text)
            .collect(Collectors.joining("\n"));
    return answer.text(text, stop.filter(StopReason.MAX_TOKENS::equals).isPresent());
  }

  /** A member of {@code error} in the body of a failure. */
  private static @Nullable String said(JsonValue body, String member) {
    return object(body)
        .map(fields -> fields.get("error"))
        .flatMap(AnthropicSummarizer::object)
        .map(fields -> fields.get(member))
        .map(AnthropicSummarizer::text)
        .orElse(null);
  }

  private static @Nullable String text(JsonField<?> value) {
    return value.asString().orElse(null);
  }

  private static Optional<Map<String, JsonValue>> object(JsonField<?> value) {
    return value.asObject();
  }

  @Override
  public void close() {
    client.close();
  }
}
