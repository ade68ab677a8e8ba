package dev.contexture.provider;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.answer.AnswerReader;
import dev.contexture.provider.prove.Prover;
import dev.contexture.provider.request.RequestWriters;
import dev.contexture.provider.request.ToolNames;
import dev.contexture.request.ProviderFormat;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** The wire formats that are built in. Thread-safe. */
@API(status = API.Status.STABLE, since = "0.1")
public final class ProviderFormats {
  private final ModelProfiles profiles;
  private final List<ProviderFormat> formats;

  private ProviderFormats(ModelProfiles profiles) {
    this.profiles = profiles;
    Prover prover = Prover.of(profiles);
    this.formats =
        List.of(
            new WireFormat(
                "anthropic-messages",
                AnswerReader.anthropicMessages(),
                () -> RequestWriters.anthropicMessages(profiles),
                ToolNames::wireName,
                prover),
            new WireFormat(
                "openai-chat",
                AnswerReader.openAiChat(),
                () -> RequestWriters.openAiChat(profiles),
                ToolNames::wireName,
                prover),
            new WireFormat(
                "openai-responses",
                AnswerReader.openAiResponses(),
                () -> RequestWriters.openAiResponses(profiles),
                ToolNames::wireName,
                prover),
            new WireFormat(
                "gemini-generate-content",
                AnswerReader.gemini(),
                () -> RequestWriters.gemini(profiles),
                ToolNames::geminiName,
                prover));
  }

  /**
   * All formats, with the facts about models from there. Their writers judge what they wrote,
   * repair what can be repaired and refuse the rest; of requests of one conversation they judge
   * what is new.
   */
  public static ProviderFormats of(ModelProfiles profiles) {
    return new ProviderFormats(profiles);
  }

  public List<ProviderFormat> all() {
    return formats;
  }

  public Optional<ProviderFormat> named(String name) {
    return formats.stream().filter(format -> format.name().equals(name)).findFirst();
  }

  /**
   * The first format that the model is served in and that is built in.
   *
   * @throws ContextureException {@code invalid_argument} if there is none
   */
  public ProviderFormat forModel(ModelRef model) {
    List<String> apis = profiles.profile(model).apis();
    return apis.stream()
        .flatMap(api -> named(api).stream())
        .findFirst()
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "model",
                    model.provider() + " " + model.model() + ", served as " + apis,
                    "a model served in one of "
                        + formats.stream().map(ProviderFormat::name).toList()));
  }
}
