package dev.contexture.adk;

import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.genai.types.Content;
import com.google.genai.types.FinishReason;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.GenerateContentResponseUsageMetadata;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Flowable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers as it is told, without a network, and keeps what it was sent. */
final class ScriptedLlm extends BaseLlm {
  final List<LlmRequest> sent = new ArrayList<>();
  private final Function<LlmRequest, List<Part>> script;

  ScriptedLlm(Function<LlmRequest, List<Part>> script) {
    super("gemini-3.7-flash");
    this.script = script;
  }

  @Override
  public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
    return Flowable.fromCallable(
        () -> {
          sent.add(request);
          return LlmResponse.builder()
              .content(Content.builder().role("model").parts(script.apply(request)).build())
              .finishReason(new FinishReason(FinishReason.Known.STOP))
              .usageMetadata(
                  GenerateContentResponseUsageMetadata.builder()
                      .promptTokenCount(1_000 + sent.size())
                      .cachedContentTokenCount(900)
                      .candidatesTokenCount(20)
                      .build())
              .build();
        });
  }

  @Override
  public BaseLlmConnection connect(LlmRequest request) {
    throw new UnsupportedOperationException("live");
  }

  List<Content> last() {
    return sent.getLast().contents();
  }

  /** Whether the user spoke last, so that a turn begins. */
  static boolean begins(LlmRequest request) {
    Part last = request.contents().getLast().parts().orElseThrow().getLast();
    return last.functionResponse().isEmpty();
  }

  static Part thought(String text) {
    return Part.builder().text(text).thought(true).build();
  }

  /** A call as a model that thinks makes it, with the signature of its thought. */
  static Part call(@Nullable String id, String tool, Map<String, Object> arguments, String signed) {
    FunctionCall.Builder call = FunctionCall.builder().name(tool).args(arguments);
    return Part.builder()
        .functionCall((id == null ? call : call.id(id)).build())
        .thoughtSignature(signed.getBytes(StandardCharsets.UTF_8))
        .build();
  }

  static Part text(String text, String signed) {
    return Part.builder()
        .text(text)
        .thoughtSignature(signed.getBytes(StandardCharsets.UTF_8))
        .build();
  }
}
