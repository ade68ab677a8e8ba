package dev.contexture.engine.session;

import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelRef;
import dev.contexture.token.Calibration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * The calibrations of token counts, by model, that this engine has learned since it was opened.
 * They affect the counts that are reported with requests, and nothing that is rendered.
 * Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ModelCalibrations {
  private static final int MAX_MODELS = 1_000;

  private final Map<ModelRef, Calibration> byModel = new ConcurrentHashMap<>();

  /** The calibration of a model; it starts again when the catalogue names a new tokenizer. */
  public Calibration of(ModelRef model, ModelProfile profile) {
    Calibration known = byModel.get(model);
    return known != null && known.tokenizer().equals(profile.tokenizer())
        ? known
        : Calibration.start(profile.tokenizer());
  }

  /** Learns from the usage that a provider reported for a request. */
  public void learn(ModelRef model, ModelProfile profile, long totalInput, long media, long base) {
    if (byModel.size() < MAX_MODELS || byModel.containsKey(model)) { // names come from outside
      byModel.compute(model, (unused, known) -> of(model, profile).learn(totalInput, media, base));
    }
  }
}
