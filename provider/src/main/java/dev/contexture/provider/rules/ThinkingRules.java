package dev.contexture.provider.rules;

import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import dev.contexture.provider.wire.ProofFacts;
import dev.contexture.provider.wire.ToolNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** V13 to V16: what a model thought. */
record ThinkingRules(
    BodyView view, ModelProfile profile, ModelProfiles profiles, Findings findings) {
  void check(ModelRef model, ProofFacts facts) {
    for (BodyMessage entry : view.entries()) {
      entry.all(BodyPart.Kind.THINKING).forEach(item -> received(item, model, facts));
      order(entry, facts);
    }
    missing(facts);
    facts.prefixChangedAt().ifPresent(this::prefix);
  }

  private void received(BodyPart item, ModelRef model, ProofFacts facts) {
    List<ProofFacts.Received> places = places(item, facts);
    if (!item.signed() || (places.isEmpty() && !facts.received().isEmpty())) {
      findings.error(
          RequestRule.V14, item.pointer(), "thinking " + item.pointer() + " is not as received");
    } else if (!places.isEmpty() && places.stream().noneMatch(made -> reads(model, made))) {
      findings.error(
          RequestRule.V15,
          item.pointer(),
          model.model() + " cannot read thinking of " + places.getFirst().model());
    }
  }

  private boolean reads(ModelRef model, ProofFacts.Received made) {
    boolean account = made.sameAccount() || !profile.has(ModelFlag.ACCOUNT_BOUND_THINKING);
    return account
        && made.provider().equals(model.provider())
        && (made.model().equals(model.model())
            || profile.canRead(profiles.profile(new ModelRef(made.provider(), made.model()))));
  }

  /** Each item takes the first of its places that is free and not before those already taken. */
  private void order(BodyMessage entry, ProofFacts facts) {
    Map<String, Integer> last = new HashMap<>();
    Map<String, List<ProofFacts.Received>> free = new HashMap<>();
    for (BodyPart item : entry.all(BodyPart.Kind.THINKING)) {
      List<ProofFacts.Received> places =
          free.computeIfAbsent(item.raw(), unused -> new ArrayList<>(places(item, facts)));
      Optional<ProofFacts.Received> place =
          places.stream()
              .filter(made -> last.getOrDefault(made.reply(), Integer.MIN_VALUE) <= made.order())
              .findFirst();
      if (place.isPresent()) {
        places.remove(place.get());
        last.put(place.get().reply(), place.get().order());
      } else if (!places(item, facts).isEmpty()) {
        findings.error(RequestRule.V13, item.pointer(), "thinking moved at " + item.pointer());
      }
    }
  }

  /** Where an item came, oldest first; empty if it is not known. */
  private static List<ProofFacts.Received> places(BodyPart item, ProofFacts facts) {
    return facts.received().getOrDefault(ToolNames.sha256(item.raw()), List.of());
  }

  /** The answer whose calls are answered now must have all of its thinking. */
  private void missing(ProofFacts facts) {
    List<BodyMessage> spoken =
        view.entries().stream().filter(entry -> entry.is(BodyMessage.Role.ASSISTANT)).toList();
    if (facts.received().isEmpty()
        || spoken.isEmpty()
        || !spoken.getLast().has(BodyPart.Kind.CALL)) {
      return;
    }
    Map<String, Integer> present = new HashMap<>();
    Set<String> replies = new HashSet<>();
    for (BodyPart item : spoken.getLast().all(BodyPart.Kind.THINKING)) {
      present.merge(ToolNames.sha256(item.raw()), 1, Integer::sum);
      List<ProofFacts.Received> places = places(item, facts);
      if (!places.isEmpty()) {
        replies.add(places.getLast().reply());
      }
    }
    boolean lacks =
        facts.received().entrySet().stream()
            .anyMatch(
                known ->
                    known.getValue().stream().filter(made -> replies.contains(made.reply())).count()
                        > present.getOrDefault(known.getKey(), 0));
    if (lacks) {
      String pointer = spoken.getLast().pointer();
      findings.error(RequestRule.V13, pointer, "thinking is missing at " + pointer);
    }
  }

  private void prefix(int changedAt) {
    boolean bound = profile.has(view.format().preservedThinking());
    List<BodyPart> blocks = view.blocks();
    for (int i = changedAt; bound && i < blocks.size(); i++) {
      if (blocks.get(i).is(BodyPart.Kind.THINKING)) {
        String pointer = blocks.get(i).pointer();
        findings.error(
            RequestRule.V16,
            pointer,
            "prefix of thinking " + pointer + " changed at block " + changedAt);
      }
    }
  }
}
