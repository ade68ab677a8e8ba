package dev.contexture.provider.prove;

import dev.contexture.model.RequestRule;
import dev.contexture.model.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with one body. Confined to one thread. */
final class Findings {
  private final List<Violation> violations = new ArrayList<>();

  void error(RequestRule rule, String pointer, String message) {
    violations.add(new Violation(rule, false, pointer, message));
  }

  void warning(RequestRule rule, String pointer, String message) {
    violations.add(new Violation(rule, true, pointer, message));
  }

  void add(RequestRule rule, boolean warning, String pointer, String message) {
    violations.add(new Violation(rule, warning, pointer, message));
  }

  List<Violation> all() {
    return violations.stream().sorted(Comparator.comparing(Violation::rule)).toList();
  }
}
