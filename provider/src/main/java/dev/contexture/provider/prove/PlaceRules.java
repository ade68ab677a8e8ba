package dev.contexture.provider.prove;

import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.RequestRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** V02 to V05, V19, V25, V26: what may stand where. */
record PlaceRules(BodyView view, ModelProfile profile, Pairs pairs, Findings findings) {
  void check() {
    List<BodyMessage> spoken = new ArrayList<>();
    for (int i = 0; i < view.entries().size(); i++) {
      if (!view.entries().get(i).is(BodyMessage.Role.SYSTEM)) {
        spoken.add(view.entries().get(i));
      } else if (view.format() == Format.ANTHROPIC) {
        note(i);
      }
    }
    if (view.format().alternates()) {
      boolean begins = !view.before().any() && !view.settings().has("cachedContent");
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
    boolean compaction =
        view.format() == Format.ANTHROPIC
            && entry.items().stream()
                .findFirst()
                .filter(i -> i.type().equals("compaction"))
                .isPresent();
    if (!entry.is(BodyMessage.Role.USER) && !compaction) {
      findings.error(RequestRule.V02, entry.pointer(), "first message is " + shown(entry));
    }
  }

  private void turns(List<BodyMessage> spoken) {
    for (int i = 1; i < spoken.size(); i++) {
      BodyMessage entry = spoken.get(i);
      if (entry.role() != spoken.get(i - 1).role()) {
        continue;
      }
      if (view.format() == Format.GEMINI && entry.has(BodyPart.Kind.CALL)) {
        findings.error(
            RequestRule.V19, entry.pointer(), "call turn follows " + shown(spoken.get(i - 1)));
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
    boolean allowed = view.format() == Format.ANTHROPIC && profile.has(ModelFlag.ASSISTANT_PREFILL);
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

  private void note(int index) {
    List<BodyMessage> entries = view.entries();
    boolean afterUser = index > 0 && entries.get(index - 1).is(BodyMessage.Role.USER);
    boolean before =
        index == entries.size() - 1 || entries.get(index + 1).is(BodyMessage.Role.ASSISTANT);
    boolean texts = entries.get(index).items().stream().allMatch(i -> i.is(BodyPart.Kind.TEXT));
    if (!profile.has(ModelFlag.MID_CONVERSATION_SYSTEM) || !afterUser || !before || !texts) {
      findings.error(RequestRule.V25, entries.get(index).pointer(), "system note not allowed here");
    }
  }

  private void media(BodyMessage entry, BodyPart item, boolean inResult) {
    item.nested().forEach(inner -> media(entry, inner, true));
    if (!item.is(BodyPart.Kind.MEDIA)) {
      return;
    }
    String place = inResult ? "a result" : "a message of " + shown(entry);
    if (!known(item.name()) || !placed(entry, inResult)) {
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
    return mime.isEmpty() || mime.startsWith("text/") || view.format() != Format.ANTHROPIC;
  }

  private boolean placed(BodyMessage entry, boolean inResult) {
    return switch (view.format()) {
      case ANTHROPIC, RESPONSES -> inResult || entry.is(BodyMessage.Role.USER);
      case CHAT -> entry.is(BodyMessage.Role.USER);
      case GEMINI -> !inResult || profile.has(ModelFlag.FUNCTION_RESPONSE_MEDIA);
    };
  }

  private String shown(BodyMessage entry) {
    boolean model = view.format() == Format.GEMINI && entry.is(BodyMessage.Role.ASSISTANT);
    return model ? "model" : entry.role().name().toLowerCase(Locale.ROOT);
  }
}
