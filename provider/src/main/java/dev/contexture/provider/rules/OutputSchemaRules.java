package dev.contexture.provider.rules;

import dev.contexture.json.JsonObject;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.AskedMembers;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import dev.contexture.provider.wire.StrictSchema;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.ProofMode;
import dev.contexture.request.RequestInput;
import java.util.List;

/** V39: the schema of an answer that the provider enforces. */
final class OutputSchemaRules {
  private OutputSchemaRules() {}

  static void check(BodyView view, Findings findings) {
    String path = view.format().enforcedSchema(view.settings()).orElse("");
    if (AskedMembers.at(view.settings(), path).orElse(null) instanceof JsonObject schema) {
      for (StrictSchema.Gap gap : StrictSchema.of(schema, view.format().schemaDemand()).gaps()) {
        findings.error(
            RequestRule.V39, "/" + path.replace('.', '/') + gap.pointer(), gap.message());
      }
    }
  }

  /** A request whose schema has what it can lack, if it may be repaired. */
  static RequestInput mended(WireFormat format, RequestInput input, List<Repair> repairs) {
    OutputSchema asked = input.params().outputSchema();
    if (asked == null || input.proof() != ProofMode.REPAIR) {
      return input;
    }
    StrictSchema strict = StrictSchema.of(asked.schema(), format.schemaDemand());
    for (StrictSchema.Gap gap : strict.gaps()) {
      if (!gap.repair().isEmpty()) {
        repairs.add(
            new Repair(RequestRule.V39, "/output_schema/schema" + gap.pointer(), gap.repair()));
      }
    }
    if (strict.gaps().isEmpty()) {
      return input;
    }
    OutputSchema sent = new OutputSchema(asked.name(), strict.schema());
    return input.toBuilder().params(input.params().withOutputSchema(sent)).build();
  }
}
