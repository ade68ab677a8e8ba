package dev.contexture.provider.rules;

import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.StrictSchema;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.ProofMode;
import dev.contexture.request.RequestInput;
import java.util.List;

/** Gives the schema of an answer what the provider demands of one (V39). */
final class OutputSchemaRepair {
  private OutputSchemaRepair() {}

  /** A request whose schema has what it can lack, if it may be repaired. */
  static RequestInput mended(WireFormat format, RequestInput input, List<Repair> repairs) {
    OutputSchema asked = input.params().outputSchema();
    if (asked == null || input.proof() != ProofMode.REPAIR) {
      return input;
    }
    StrictSchema strict = StrictSchema.of(asked.schema(), format.schemaDemand());
    if (strict.gaps().isEmpty()) {
      return input;
    }
    for (StrictSchema.Gap gap : strict.gaps()) {
      if (!gap.repair().isEmpty()) {
        repairs.add(
            new Repair(RequestRule.V39, "/output_schema/schema" + gap.pointer(), gap.repair()));
      }
    }
    OutputSchema sent = new OutputSchema(asked.name(), strict.schema());
    return input.toBuilder().params(input.params().withOutputSchema(sent)).build();
  }
}
