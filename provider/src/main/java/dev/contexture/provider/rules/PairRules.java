package dev.contexture.provider.rules;

import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** V06 to V12: calls and their results. */
record PairRules(BodyView view, Pairs pairs, Findings findings) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  void check() {
    for (BodyPart orphan : pairs.orphans()) {
      findings.error(
          RequestRule.V06, orphan.pointer(), "result " + shown(orphan) + " answers no call");
    }
    for (Pairs.Group group : pairs.groups()) {
      for (BodyPart call : group.unanswered()) {
        findings.error(RequestRule.V07, call.pointer(), "call " + shown(call) + " has no result");
      }
      group(group);
    }
    for (Pairs.Late late : pairs.late()) {
      BodyPart result = late.result();
      findings.error(
          RequestRule.V08,
          result.pointer(),
          "result " + shown(result) + " is " + Math.max(1, late.messages()) + " messages late");
    }
    ids();
    if (view.format().resultsFirst()) {
      view.entries().forEach(this::resultsFirst);
    }
  }

  private void group(Pairs.Group group) {
    boolean unordered = view.format().pairsByOrder() && !group.isOrdered();
    if (view.format().alternates() && (group.isSplit() || unordered)) {
      findings.error(
          RequestRule.V12,
          group.calls().getFirst().pointer(),
          "the results of "
              + group.calls().size()
              + " calls are "
              + (unordered ? "not in the order of the calls" : "in several messages"));
    }
  }

  private void ids() {
    Map<String, List<BodyPart>> repeated = new TreeMap<>(pairs.repeated());
    repeated.forEach(
        (id, calls) ->
            findings.error(
                RequestRule.V10,
                calls.get(1).pointer(),
                "id " + id + " used " + calls.size() + " times"));
    for (Pairs.Group group : pairs.groups()) {
      for (BodyPart call : group.calls()) {
        if (call.id() != null && view.before().hasCall(call.id())) {
          findings.error(RequestRule.V10, call.pointer(), "id " + call.id() + " used before");
        }
      }
    }
    for (BodyPart second : pairs.seconds()) {
      findings.error(
          RequestRule.V10, second.pointer(), "id " + shown(second) + " used by a second result");
    }
    if (view.format().pairsByOrder()) {
      return;
    }
    for (BodyMessage entry : view.entries()) {
      for (BodyPart item : entry.items()) {
        boolean paired = item.is(BodyPart.Kind.CALL) || item.is(BodyPart.Kind.RESULT);
        if (paired && (item.id() == null || !ID.matcher(item.id()).matches())) {
          findings.error(RequestRule.V11, item.pointer(), "id " + shown(item) + " not accepted");
        }
      }
    }
  }

  private void resultsFirst(BodyMessage entry) {
    int others = 0;
    for (BodyPart item : entry.items()) {
      if (item.is(BodyPart.Kind.RESULT) && others > 0) {
        findings.error(
            RequestRule.V09, item.pointer(), others + " parts before result " + shown(item));
        return;
      }
      others += item.is(BodyPart.Kind.RESULT) ? 0 : 1;
    }
  }

  private static String shown(BodyPart item) {
    return item.id() == null ? "of " + item.name() : item.id();
  }
}
