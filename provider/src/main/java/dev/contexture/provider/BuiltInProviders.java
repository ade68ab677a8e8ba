package dev.contexture.provider;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.FactSource;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestViolation;
import dev.contexture.provider.anthropic.AnthropicFormat;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.provider.foreign.ForeignFormat;
import dev.contexture.provider.foreign.HistoryFiles;
import dev.contexture.provider.gemini.GeminiFormat;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.openai.ChatFormat;
import dev.contexture.provider.openai.ResponsesFormat;
import dev.contexture.provider.rules.Prover;
import dev.contexture.provider.rules.ProvingWriter;
import dev.contexture.provider.wire.AskedMembers;
import dev.contexture.provider.wire.ProofFacts;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.request.FittedMessages;
import dev.contexture.request.ProviderFormat;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestParams;
import dev.contexture.request.RequestWriter;
import dev.contexture.request.history.HistoryFormat;
import dev.contexture.request.history.ImportedFile;
import dev.contexture.request.history.ImportedHistory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The wire formats and the catalogue of this release, by the names that callers use. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BuiltInProviders implements Providers {
  /** All formats, in the order in which a model is looked for. A new provider is one line here. */
  public static final List<WireFormat> FORMATS =
      List.of(new AnthropicFormat(), new ChatFormat(), new ResponsesFormat(), new GeminiFormat());

  /** Reads files of other programs, whatever models are known. */
  public static final HistoryFiles FILES =
      new HistoryFiles(
          Map.of(
              ForeignFormat.ANTHROPIC, reader(0),
              ForeignFormat.OPENAI, reader(1),
              ForeignFormat.OPENAI_RESPONSES, reader(2),
              ForeignFormat.GEMINI, reader(3)));

  private static ForeignHistoryReader reader(int format) {
    return FORMATS.get(format).history().orElseThrow();
  }

  private final ModelCatalogue catalogue;
  private final List<WireFormat> formats;

  private BuiltInProviders(ModelCatalogue catalogue, List<WireFormat> formats) {
    this.catalogue = catalogue;
    this.formats = List.copyOf(formats);
  }

  /** The names of all formats, in their order. */
  public static List<String> names() {
    return FORMATS.stream().map(WireFormat::wireName).toList();
  }

  public static BuiltInProviders of(ModelCatalogue catalogue) {
    return new BuiltInProviders(catalogue, FORMATS);
  }

  /** The same for another list of formats. */
  public static BuiltInProviders of(ModelCatalogue catalogue, List<WireFormat> formats) {
    return new BuiltInProviders(catalogue, formats);
  }

  @Override
  public Target resolve(@Nullable String provider, String model) {
    if (model.isBlank()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "model", model, "the name of a model");
    }
    if (provider != null) {
      return formats.stream()
          .filter(format -> format.wireName().equals(provider))
          .findFirst()
          .map(format -> target(format, model))
          .orElseThrow(
              () ->
                  ContextureException.invalid(
                      ErrorCode.INVALID_ARGUMENT, "provider", provider, known()));
    }
    return formats.stream()
        .map(format -> target(format, model))
        .filter(target -> !target.profile().unknownModel())
        .findFirst()
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "model",
                    model,
                    "a model of the catalogue, or name its provider, too: " + known()));
  }

  /** A model of the format's own provider, or of another one that speaks it. */
  private Target target(WireFormat format, String model) {
    ModelRef own = new ModelRef(format.provider(), model);
    ModelProfile profile = catalogue.profile(own);
    if (profile.unknownModel()) {
      profile = catalogue.served(format.name(), model).orElse(profile);
    }
    return new Target(
        new Proved(format, catalogue, formats), new ModelRef(profile.provider(), model), profile);
  }

  @Override
  public String revision() {
    return catalogue.revision();
  }

  @Override
  public Optional<ModelProfile> profile(ModelRef model) {
    return Optional.of(catalogue.profile(model));
  }

  @Override
  public List<ModelProfile> models() {
    return catalogue.models();
  }

  @Override
  public List<String> formats(ModelProfile model) {
    return formats.stream()
        .filter(format -> model.apis().contains(format.name()))
        .map(WireFormat::wireName)
        .toList();
  }

  @Override
  public Map<String, FactSource> sources() {
    return catalogue.sources();
  }

  @Override
  public List<HistoryFormat> historyFormats() {
    return List.of(ForeignFormat.values());
  }

  @Override
  public ImportedHistory importHistory(
      String format, String json, ImportedHistory.Options options) {
    return FILES.read(format, json, options);
  }

  @Override
  public ImportedFile importFile(String text, ImportedFile.Options options) {
    return FILES.read(text, options);
  }

  /**
   * A format whose writers let no request out that its provider would refuse: what can be repaired
   * is, and reported with the request; the rest is {@code invalid_request}.
   *
   * @param profiles the facts about models
   */
  public static ProviderFormat proved(WireFormat format, ModelProfiles profiles) {
    return new Proved(format, profiles, FORMATS);
  }

  /** A format with the facts about models. */
  private record Proved(WireFormat format, ModelProfiles profiles, List<WireFormat> all)
      implements ProviderFormat {
    @Override
    public String name() {
      return format.name();
    }

    @Override
    public ModelAnswer readAnswer(byte[] answer, ModelRef model) {
      return format.reader().read(answer, model);
    }

    @Override
    public AnswerStream openStream(ModelRef model) {
      return format.reader().open(model);
    }

    @Override
    public RequestWriter writer() {
      return new ProvingWriter(format, profiles);
    }

    @Override
    public List<RequestViolation> check(ModelRef model, String body, RequestParams params) {
      AskedMembers.checkCompat(format, params);
      ProofFacts facts =
          ProofFacts.NONE
              .withApiVersion(AskedMembers.apiVersion(format, params))
              .withCompat(params.compat());
      return Prover.of(profiles).check(format, model, body, facts).violations();
    }

    @Override
    public void checkParams(RequestInput asked) {
      ProvingWriter.checkParams(format, profiles, asked);
    }

    @Override
    public String wireName(String tool) {
      return format.toolNames().wireName(tool);
    }

    /** A model may be served in the format of another provider. */
    @Override
    public Optional<FittedMessages> fit(ModelRef model, List<Message> messages) {
      return all.stream().flatMap(each -> each.fit(model, messages).stream()).findFirst();
    }
  }

  private String known() {
    return Choices.inWords(formats.stream().map(WireFormat::wireName).toList());
  }
}
