package dev.contexture.provider.prove;

import dev.contexture.model.RequestRule;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** V23, V24: tools and their names. */
record ToolNameRules(BodyView view, Findings findings) {
  private static final Pattern COMMON = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern GEMINI = Pattern.compile("[A-Za-z_][A-Za-z0-9_.:-]{0,127}");

  /** Their definitions. */
  void tools() {
    Set<String> names = new HashSet<>();
    for (BodyPart tool : view.tools()) {
      boolean twice = !names.add(tool.name());
      if (twice || !pattern().matcher(tool.name()).matches()) {
        findings.error(
            RequestRule.V24, tool.pointer(), "tool name " + tool.name() + " not accepted");
      }
    }
  }

  /** Their use. */
  void calls() {
    boolean elsewhere = view.settings().has("cachedContent");
    if (view.tools().isEmpty() && !elsewhere && view.hasCalls()) {
      findings.error(RequestRule.V23, "/tools", "history has calls, tools is empty");
    }
    for (BodyMessage entry : view.entries()) {
      for (BodyPart call : entry.all(BodyPart.Kind.CALL)) {
        if (!pattern().matcher(call.name()).matches() && !isDefined(call.name())) {
          findings.error(
              RequestRule.V24, call.pointer(), "tool name " + call.name() + " not accepted");
        }
      }
    }
  }

  private boolean isDefined(String name) {
    return view.tools().stream().anyMatch(tool -> tool.name().equals(name));
  }

  private Pattern pattern() {
    return view.format() == Format.GEMINI ? GEMINI : COMMON;
  }
}
