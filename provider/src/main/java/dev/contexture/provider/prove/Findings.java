package dev.contexture.provider.prove;

import dev.contexture.model.RequestRule;
import dev.contexture.model.RequestViolation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with one body. Confined to one thread. */
final class Findings {
  private final List<RequestViolation> violations = new ArrayList<>();

  void error(RequestRule rule, String pointer, String message) {
    violations.add(new RequestViolation(rule, false, pointer, message));
  }

  void warning(RequestRule rule, String pointer, String message) {
    violations.add(new RequestViolation(rule, true, pointer, message));
  }

  void add(RequestRule rule, boolean warning, String pointer, String message) {
    violations.add(new RequestViolation(rule, warning, pointer, message));
  }

  List<RequestViolation> all() {
    return violations.stream().sorted(Comparator.comparing(RequestViolation::rule)).toList();
  }
}
