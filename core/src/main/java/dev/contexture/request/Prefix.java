package dev.contexture.request;

import java.util.Optional;
import org.apiguardian.api.API;

/** The relation of a request to the one before it. */
@API(status = API.Status.STABLE, since = "0.1")
public sealed interface Prefix {
  /** Everything stable is repeated, and more follows. */
  record Extends() implements Prefix {}

  /** It is the same request again. */
  record Identical() implements Prefix {}

  /**
   * Something that was sent is another one now.
   *
   * @param block the first one
   */
  record Diverges(int block) implements Prefix {}

  /**
   * There is no request that it had to repeat.
   *
   * @param reason why
   */
  record Rebased(Reason reason) implements Prefix {
    /** The reason why nothing had to be repeated. */
    public enum Reason {
      /** It is the first one. */
      FIRST("first"),
      /** The last one went to another model or provider. */
      MODEL("model"),
      /** A new epoch began: what was sent before may change. */
      EPOCH("epoch"),
      /** What was sent before was erased. */
      ERASED("erased");

      private final String word;

      Reason(String word) {
        this.word = word;
      }
    }
  }

  /** The word for it on the wire: a repetition extends by nothing. */
  default String wireName() {
    return switch (this) {
      case Extends _unused -> "extends";
      case Identical _unused -> "extends";
      case Diverges _unused -> "diverges";
      case Rebased _unused -> "rebased";
    };
  }

  /** Why nothing had to be repeated, in a word for the wire; empty if something had. */
  default Optional<String> rebasedBy() {
    return this instanceof Rebased rebased ? Optional.of(rebased.reason.word) : Optional.empty();
  }

  /**
   * Compares a request with the last one of the same model and epoch.
   *
   * @param shared how many blocks they begin with together
   * @param bound how many blocks of the last one it has to repeat
   */
  static Prefix of(LedgerView last, int shared, int size, int bound) {
    if (shared < bound) {
      return new Diverges(shared);
    }
    return shared == size && size == last.blocks().size() ? new Identical() : new Extends();
  }
}
