package dev.contexture.provider.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.Finding;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.model.Violation;
import dev.contexture.provider.prove.Proof;
import dev.contexture.provider.prove.ProofFacts;
import dev.contexture.provider.prove.Prover;
import dev.contexture.render.Message;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets no request out that its provider would refuse (P-14): what was written is judged, repaired
 * in its neutral form, written and judged again. Thread-safe.
 */
final class ProvingWriter implements RequestWriter {
  private final RequestWriter writer;
  private final WireTraits traits;
  private final ModelProfiles profiles;
  private final Prover.Series prover;

  ProvingWriter(RequestWriter writer, WireTraits traits, ModelProfiles profiles) {
    this.writer = writer;
    this.traits = traits;
    this.profiles = profiles;
    this.prover = Prover.of(profiles).series(traits.name());
  }

  /** What writes, without judging. */
  RequestWriter writer() {
    return writer;
  }

  @Override
  public synchronized ProviderRequest write(RequestInput input) {
    ProviderRequest request = writer.write(input);
    List<Repair> repairs = blanks(input);
    Proof proof = prove(request);
    if (needsRepair(proof)) {
      Repairs repair = new Repairs(traits, input, profiles.profile(input.model()), proof);
      request = writer.write(repair.repaired());
      repairs.addAll(repair.made());
      proof = prove(request);
    }
    proof.violations().stream()
        .filter(violation -> !violation.warning())
        .findFirst()
        .ifPresent(
            violation -> {
              throw refused(violation);
            });
    List<Finding> warnings =
        proof.violations().stream()
            .map(warning -> new Finding(warning.code(), warning.pointer(), warning.message()))
            .toList();
    return request.with(warnings, repairs);
  }

  private Proof prove(ProviderRequest request) {
    return prover.check(request.model(), request.body().text(), ProofFacts.NONE);
  }

  /** A missing signature is taken, but there is a better way to say so. */
  private static boolean needsRepair(Proof proof) {
    return proof.violations().stream()
        .anyMatch(violation -> !violation.warning() || violation.rule() == RequestRule.V18);
  }

  /** Blank texts, which no writer sends (V04). */
  private static List<Repair> blanks(RequestInput input) {
    List<Repair> repairs = new ArrayList<>();
    for (int i = 0; i < input.messages().size(); i++) {
      Message message = input.messages().get(i);
      for (int j = 0; j < message.parts().size(); j++) {
        if (message.parts().get(j) instanceof Part.Text text && text.text().isBlank()) {
          String where = "/messages/" + i + "/parts/" + j;
          repairs.add(new Repair(RequestRule.V04, where, "the text is blank and was left out"));
        }
      }
    }
    return repairs;
  }

  private static ContextureException refused(Violation violation) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("violation", violation.code());
    details.put("where", violation.pointer());
    return new ContextureException(
        ErrorCode.INVALID_REQUEST,
        "the provider would refuse this request: "
            + violation.code()
            + " "
            + violation.rule().wireName()
            + ", "
            + violation.message(),
        details,
        null);
  }
}
