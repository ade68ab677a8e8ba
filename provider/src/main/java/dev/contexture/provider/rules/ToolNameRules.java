package dev.contexture.provider.rules;

import dev.contexture.error.Choices;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import dev.contexture.provider.wire.ForcedCall;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** V23, V24, V33, V36, V40: tools, their names and schemas, and which must be called. */
record ToolNameRules(BodyView view, Findings findings) {
  /** Their definitions. */
  void tools() {
    Set<String> names = new HashSet<>();
    for (BodyPart tool : view.tools()) {
      if (tool.type().equals(BodyPart.NATIVE_TOOL)) {
        continue; // its maker knows it
      }
      if (tool.type().equals(BodyPart.FOREIGN_TOOL)) {
        findings.error(
            RequestRule.V40,
            tool.pointer(),
            "tool "
                + tool.name()
                + " is not one of "
                + view.format().name()
                + ": leave it out, or give this provider's own");
        continue;
      }
      if (tool.blank()) {
        findings.error(
            RequestRule.V33,
            tool.pointer(),
            "the schema of tool " + tool.name() + " lacks \"type\":\"object\"");
      }
      boolean twice = !names.add(tool.name());
      if (twice || !view.format().toolNames().takes(tool.name())) {
        findings.error(
            RequestRule.V24, tool.pointer(), "tool name " + tool.name() + " not accepted");
      }
    }
  }

  /** The choice that leaves the model none. */
  void choice() {
    if (!view.format().beginsElsewhere(view.settings())) {
      view.format().forced(view.settings()).ifPresent(this::demanded);
    }
  }

  private void demanded(ForcedCall forced) {
    List<String> offered =
        view.tools().stream()
            .filter(tool -> forced.ofProvider() || !tool.type().equals(BodyPart.NATIVE_TOOL))
            .map(BodyPart::name)
            .toList();
    if (offered.isEmpty()) {
      findings.error(
          RequestRule.V36,
          forced.pointer(),
          "a call is demanded, but no tool is offered: give tools, or let the model choose");
      return;
    }
    for (String name : forced.names()) {
      if (!offered.contains(name)) {
        findings.error(
            RequestRule.V36,
            forced.pointer(),
            "tool "
                + name
                + " is demanded, offered: "
                + Choices.few(offered)
                + "; offer it, or choose one of them");
      }
    }
  }

  /** Their use. */
  void calls() {
    boolean elsewhere = view.format().beginsElsewhere(view.settings());
    if (view.tools().isEmpty() && !elsewhere && view.hasCalls()) {
      findings.error(RequestRule.V23, "/tools", "history has calls, tools is empty");
    }
    for (BodyMessage entry : view.entries()) {
      for (BodyPart call : entry.all(BodyPart.Kind.CALL)) {
        if (!view.format().toolNames().takes(call.name()) && !isDefined(call.name())) {
          findings.error(
              RequestRule.V24, call.pointer(), "tool name " + call.name() + " not accepted");
        }
      }
    }
  }

  private boolean isDefined(String name) {
    return view.tools().stream().anyMatch(tool -> tool.name().equals(name));
  }
}
