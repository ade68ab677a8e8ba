package dev.contexture.memory;

import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentRequest;
import dev.contexture.memory.permission.Decision;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.permission.PermissionGate;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.MemoryErrors;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Edits of a handle that are to be published as one step. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PendingCommit {
  private static final int SHOWN_OPERATIONS = 3;

  private final long base;
  private final byte[] delta;
  private final List<Edit> edits;
  private final Actor actor;
  private final String message;

  PendingCommit(Source source, byte[] delta, List<Edit> edits) {
    this.base = source.base();
    this.actor = source.actor();
    this.message = source.message();
    this.delta = delta.clone();
    this.edits = List.copyOf(edits);
  }

  /** The source of a commit. */
  record Source(long base, Actor actor, String message) {}

  /** The version that the handle knew: everything up to it is merged already. */
  public long base() {
    return base;
  }

  /** What the step adds to the document, as encoded updates. */
  public byte[] delta() {
    return delta.clone();
  }

  /** All operations of the step, in order; never empty. */
  public List<Edit> edits() {
    return edits;
  }

  /** Who commits. */
  public Actor actor() {
    return actor;
  }

  /** What the committer says about it; may be empty. */
  public String message() {
    return message;
  }

  /** The names of its operations, for example {@code append}, for the history. */
  public String operation() {
    List<String> names =
        edits.stream().map(edit -> edit.operation().operationName()).distinct().toList();
    String shown = names.stream().limit(SHOWN_OPERATIONS).collect(Collectors.joining(", "));
    return names.size() > SHOWN_OPERATIONS ? shown + ", …" : shown;
  }

  /** The text form of who did what: {@code append by agent:entropy}. */
  public String attribution() {
    return operation() + " by " + actor;
  }

  /** The edit that the gate looks at most strictly: a refused one, else one to be asked for. */
  public Verdict decide(MemoryPermission level, @Nullable String partner) {
    Verdict worst = null;
    for (Edit edit : edits) {
      Decision decision =
          PermissionGate.decide(edit.actor(), edit.operationClass(), level, partner);
      if (worst == null || rank(decision) > rank(worst.decision())) {
        worst = new Verdict(edit, decision);
      }
    }
    return Objects.requireNonNull(worst);
  }

  /**
   * Decides with the level in force and refuses what is denied.
   *
   * @return the consent that is needed, yet without a preview, or null
   */
  public @Nullable ConsentRequest requireAllowed(DocumentSettings settings) {
    Verdict verdict = decide(settings.permission(), settings.partnerId());
    Edit edit = verdict.edit();
    return switch (verdict.decision()) {
      case Decision.Allowed _unused -> null;
      case Decision.Denied denied ->
          throw MemoryErrors.denied(
              settings, edit.operation().operationName(), edit.actor(), denied);
      case Decision.Ask ask ->
          new ConsentRequest(
              edit.actor(),
              ask.kind(),
              new ConsentRequest.Subject(
                  settings.owner(),
                  settings.label(),
                  operation(),
                  edit.operationClass(),
                  "",
                  0,
                  base));
    };
  }

  /** The decision of the gate, and the edit that it is about. */
  public record Verdict(Edit edit, Decision decision) {}

  private static int rank(Decision decision) {
    return switch (decision) {
      case Decision.Allowed _unused -> 0;
      case Decision.Ask _unused -> 1;
      case Decision.Denied _unused -> 2;
    };
  }
}
