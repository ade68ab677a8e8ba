package dev.contexture.provider.rules;

import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import java.util.List;

/** V02 to V05, V19, V25, V26: what may stand where. */
record PlaceRules(BodyView view, ModelProfile profile, Pairs pairs, Findings findings) {
  void check() {
    List<BodyMessage> spoken =
        view.entries().stream().filter(entry -> !entry.is(BodyMessage.Role.SYSTEM)).toList();
    if (view.format().alternates()) {
      boolean begins = !view.before().any() && !view.format().beginsElsewhere(view.settings());
      if (begins) {
        first(spoken.getFirst());
      }
      turns(spoken);
    }
    last(spoken.getLast());
    view.system().forEach(this::notEmpty);
    for (BodyMessage entry : view.entries()) {
      content(entry);
      entry.items().forEach(item -> media(entry, item, false));
    }
  }

  private void first(BodyMessage entry) {
    if (!view.format().mayBegin(entry)) {
      findings.error(RequestRule.V02, entry.pointer(), "first message is " + shown(entry));
    }
  }

  private void turns(List<BodyMessage> spoken) {
    for (int i = 1; i < spoken.size(); i++) {
      BodyMessage entry = spoken.get(i);
      if (entry.role() != spoken.get(i - 1).role()) {
        continue;
      }
      if (view.format().adjacent(entry) != RequestRule.V03) {
        findings.error(
            view.format().adjacent(entry),
            entry.pointer(),
            "call turn follows " + shown(spoken.get(i - 1)));
      } else if (!splitsGroup(entry)) {
        findings.error(
            RequestRule.V03, entry.pointer(), "2 adjacent " + shown(entry) + " messages");
      }
    }
  }

  /** Whether two messages of the user hold the results of one group: that is V12. */
  private boolean splitsGroup(BodyMessage entry) {
    int index = view.entries().indexOf(entry);
    Pairs.Group last = null;
    for (Pairs.Group group : pairs.groups()) {
      last = group.entry() < index ? group : last;
    }
    return last != null && last.isSplit() && entry.has(BodyPart.Kind.RESULT);
  }

  private void last(BodyMessage entry) {
    boolean waits =
        pairs.groups().stream()
            .anyMatch(
                group ->
                    view.entries().get(group.entry()).pointer().equals(entry.pointer())
                        && !group.unanswered().isEmpty());
    boolean allowed = view.format().takesPrefill(profile) || view.format().goesOn(entry);
    if (entry.is(BodyMessage.Role.ASSISTANT) && !waits && !allowed) {
      findings.add(
          RequestRule.V05,
          !view.format().alternates(),
          entry.pointer(),
          "request ends with assistant");
    }
  }

  private void content(BodyMessage entry) {
    if (entry.items().isEmpty()) {
      findings.error(RequestRule.V04, entry.pointer(), "empty content at " + entry.pointer());
    }
    entry.items().forEach(this::notEmpty);
  }

  private void notEmpty(BodyPart item) {
    if (item.blank()) {
      findings.error(RequestRule.V04, item.pointer(), "empty content at " + item.pointer());
    }
  }

  private void media(BodyMessage entry, BodyPart item, boolean inResult) {
    item.nested().forEach(inner -> media(entry, inner, true));
    if (!item.is(BodyPart.Kind.MEDIA)) {
      return;
    }
    String place = inResult ? "a result" : "a message of " + shown(entry);
    if (!known(item.name()) || !view.format().takesMedia(entry, item, inResult, profile)) {
      String what = item.name().isEmpty() ? item.type() : item.name();
      findings.error(RequestRule.V26, item.pointer(), what + " not allowed in " + place);
    }
  }

  private boolean known(String mime) {
    if (mime.startsWith("image/")) {
      return profile.has(ModelFlag.IMAGES);
    }
    if (mime.equals("application/pdf")) {
      return profile.has(ModelFlag.DOCUMENTS);
    }
    return mime.isEmpty() || mime.startsWith("text/") || view.format().takesMediaType(mime);
  }

  private String shown(BodyMessage entry) {
    return view.format().roleName(entry.role());
  }
}
