package dev.contexture.springboot;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.EnumSet;
import java.util.Set;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in plain words why an application does not start that asks too little of its engine. */
final class ContextureFailureAnalyzer extends AbstractFailureAnalyzer<ContextureException> {
  /** What a property can be the reason of. */
  private static final Set<ErrorCode> OF_PROPERTIES =
      EnumSet.of(
          ErrorCode.FIELD_REQUIRED,
          ErrorCode.INVALID_ARGUMENT,
          ErrorCode.INVALID_CONFIG,
          ErrorCode.INVALID_SCOPE,
          ErrorCode.SCOPE_REQUIRED);

  @Override
  protected FailureAnalysis analyze(Throwable root, ContextureException cause) {
    String code = cause.code().wireName();
    String action =
        OF_PROPERTIES.contains(cause.code())
            ? "Correct the properties under contexture (code " + code + ")."
            : "Do what the description says; docs/reference/errors.md explains the code "
                + code
                + ".";
    return new FailureAnalysis(cause.getMessage(), action, cause);
  }
}
