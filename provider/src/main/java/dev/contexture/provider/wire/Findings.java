package dev.contexture.provider.wire;

import dev.contexture.model.RequestRule;
import dev.contexture.model.RequestViolation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apiguardian.api.API;

/** Collects what is wrong with one body. Confined to one thread. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Findings {
  private final List<RequestViolation> violations = new ArrayList<>();

  public void error(RequestRule rule, String pointer, String message) {
    violations.add(new RequestViolation(rule, false, pointer, message));
  }

  public void warning(RequestRule rule, String pointer, String message) {
    violations.add(new RequestViolation(rule, true, pointer, message));
  }

  public void add(RequestRule rule, boolean warning, String pointer, String message) {
    violations.add(new RequestViolation(rule, warning, pointer, message));
  }

  public List<RequestViolation> all() {
    return violations.stream().sorted(Comparator.comparing(RequestViolation::rule)).toList();
  }
}
