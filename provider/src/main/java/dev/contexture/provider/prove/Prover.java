package dev.contexture.provider.prove;

import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestRule;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Finds the rules that a body breaks. It reads the body as it would be sent, so that it judges
 * bodies built elsewhere, too. Thread-safe.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Prover {
  private final ModelProfiles profiles;

  private Prover(ModelProfiles profiles) {
    this.profiles = profiles;
  }

  /** Judges with the facts about models from there. */
  public static Prover of(ModelProfiles profiles) {
    return new Prover(profiles);
  }

  /** Judges one body, knowing nothing else. */
  public Proof check(String format, ModelRef model, String body) {
    return check(format, model, body, ProofFacts.NONE);
  }

  /**
   * Judges one body.
   *
   * @param format the catalogue's name of the wire format
   * @throws dev.contexture.error.ContextureException {@code malformed_json} or {@code
   *     invalid_params} if it is no body of the format at all
   */
  public Proof check(String format, ModelRef model, String body, ProofFacts facts) {
    return series(format).check(model, body, facts);
  }

  /** For the bodies of one conversation: what they share is read once. */
  public Series series(String format) {
    return new Series(BodyReader.of(Format.named(format)), profiles);
  }

  /** Judges body after body. Confined to one thread. */
  public static final class Series {
    private final BodyReader reader;
    private final ModelProfiles profiles;

    private Series(BodyReader reader, ModelProfiles profiles) {
      this.reader = reader;
      this.profiles = profiles;
    }

    public Proof check(ModelRef model, String body, ProofFacts facts) {
      View view = reader.read(body);
      ModelProfile profile = profiles.profile(model);
      Findings findings = new Findings();
      if (view.entries().stream().allMatch(entry -> entry.is(Entry.Role.SYSTEM))) {
        findings.error(RequestRule.V01, "/" + view.format().messages(), "no message to send");
        return new Proof(findings.all(), List.of());
      }
      Pairs pairs = Pairs.of(view);
      new PlaceRules(view, profile, pairs, findings).check();
      new PairRules(view, pairs, findings).check();
      new ThinkingRules(view, profile, profiles, findings).check(model, facts);
      new MarkRules(view, profile, findings).check(facts.volatileBlocks());
      new ToolRules(view, profile, findings).check();
      new SettingRules(view, profile, findings).check(facts.highTokens());
      return new Proof(
          findings.all(),
          view.thinking().stream()
              .map(item -> new Proof.Thought(item.pointer(), item.raw()))
              .toList());
    }
  }
}
