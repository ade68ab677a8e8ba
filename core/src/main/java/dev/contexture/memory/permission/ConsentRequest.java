package dev.contexture.memory.permission;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A question to a {@link ConsentBroker}. Immutable.
 *
 * @param actor who wants to write
 * @param kind whose approval is needed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConsentRequest(Actor actor, ConsentKind kind, Subject subject) {
  /**
   * The subject of an approval.
   *
   * @param owner the agent that owns the block
   * @param operation the document operations of the write, for example {@code appendText}
   * @param preview the change as lines that start with {@code -} and {@code +}, cut where it is
   *     long
   * @param previewOmitted how many characters of the preview were cut off; 0: it is whole
   * @param version the version of the block that the preview was made from: an approval holds for
   *     this one only
   */
  public record Subject(
      String owner,
      String label,
      String operation,
      OperationClass operationClass,
      String preview,
      long previewOmitted,
      long version) {}

  /** The same request with a preview of what a write would change at a version of the block. */
  public ConsentRequest showing(String preview, long omitted, long version) {
    return new ConsentRequest(
        actor,
        kind,
        new Subject(
            subject.owner(),
            subject.label(),
            subject.operation(),
            subject.operationClass(),
            preview,
            omitted,
            version));
  }

  /** The refusal of the write because approval was denied, failed or did not come. */
  public ContextureException refused(String reason, @Nullable Throwable cause) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("operation", subject.operationClass().wireName());
    details.put("required", subject.operationClass().sufficientLevel().identifier());
    details.put("actual", kind == ConsentKind.PARTNER ? "Partner" : "Human");
    details.put("actor", actor.toString());
    details.put("reason", reason);
    return new ContextureException(
        ErrorCode.CONSENT_DENIED,
        "cannot "
            + subject.operationClass().verb()
            + " block \""
            + subject.label()
            + "\" of agent \""
            + subject.owner()
            + "\": the approval of "
            + (kind == ConsentKind.PARTNER ? "the partner" : "a human")
            + " was not given: "
            + reason
            + "; ask for it and write again",
        details,
        cause);
  }
}
