package dev.contexture.provider.rules;

import dev.contexture.json.JsonObject;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.AskedMembers;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import dev.contexture.provider.wire.StrictSchema;

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
}
