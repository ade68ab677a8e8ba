package dev.contexture.springboot;

import dev.contexture.error.ContextureException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in plain words why an application does not start that asks too little of its engine. */
final class ContextureFailureAnalyzer extends AbstractFailureAnalyzer<ContextureException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, ContextureException cause) {
    return new FailureAnalysis(
        cause.getMessage(),
        "Correct the properties under contexture (code " + cause.code().wireName() + ").",
        cause);
  }
}
