package dev.contexture.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.FactSource;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelRef;
import dev.contexture.request.history.HistoryFormat;
import dev.contexture.request.history.ImportedFile;
import dev.contexture.request.history.ImportedHistory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Knows which wire format and which facts belong to a model. Thread-safe. */
@FunctionalInterface
@API(status = API.Status.STABLE, since = "0.1")
public interface Providers {
  /** Knows none: requests can neither be built nor answers read. */
  Providers NONE =
      (provider, model) -> {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "model", model, "none: no provider is set up");
      };

  /**
   * Finds a model.
   *
   * @param provider the name of a wire format; null: the first one under whose provider the
   *     catalogue lists the model
   * @param model the provider's name for it
   * @throws ContextureException {@code invalid_argument} if the provider is not known, or none is
   *     named and the catalogue does not list the model
   */
  Target resolve(@Nullable String provider, String model);

  /** The date of the catalogue that facts come from; empty without one. */
  default String revision() {
    return "";
  }

  /** What is known about a model; empty without a catalogue. */
  default Optional<ModelProfile> profile(ModelRef model) {
    return Optional.empty();
  }

  /** All models that the catalogue lists, by provider and id. */
  default List<ModelProfile> models() {
    return List.of();
  }

  /** The names by which requests for a model of the catalogue ask for a format. */
  default List<String> formats(ModelProfile model) {
    return model.apis();
  }

  /** Where facts come from, by the ids that profiles name. */
  default Map<String, FactSource> sources() {
    return Map.of();
  }

  /** The files of other programs that are read. */
  default List<HistoryFormat> historyFormats() {
    return List.of();
  }

  /**
   * Reads a message list that another program made.
   *
   * @param format a name of {@link #historyFormats}, or {@link HistoryFormat#AUTO}
   * @param json the list, or a body that holds it
   * @throws ContextureException {@code invalid_argument} if the format is not known, {@code
   *     import_malformed} if it is no such list
   */
  default ImportedHistory importHistory(
      String format, String json, ImportedHistory.Options options) {
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "format", format, "none: no provider is set up");
  }

  /**
   * Reads a file that another program made.
   *
   * @throws ContextureException {@code malformed_json} or {@code import_malformed} with the place
   *     if it is of no format that is known, or of another one than it is to be
   */
  default ImportedFile importFile(String text, ImportedFile.Options options) {
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "format", "any", "none: no provider is set up");
  }

  /**
   * The target of a request.
   *
   * @param format how it is written and its answer read
   * @param model whom it is for
   * @param profile what is known about the model
   */
  record Target(ProviderFormat format, ModelRef model, ModelProfile profile) {}
}
