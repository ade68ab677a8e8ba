package dev.contexture.error;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The stable codes of everything that can be refused.
 *
 * <p>A code never changes its meaning and is never reused. Its wire form is the lower-case name,
 * for example {@code invalid_path}.
 */
@API(status = API.Status.STABLE, since = "0.1")
public enum ErrorCode {
  /** A part of the scope is missing or blank. */
  SCOPE_REQUIRED,
  /** A part of the scope has a character or length that is not allowed. */
  INVALID_SCOPE,
  /** Text that should be JSON is not, or it is larger or deeper than allowed. */
  MALFORMED_JSON,
  /** A field that this object does not have. */
  UNKNOWN_FIELD,
  /** A field that must be given is absent. */
  FIELD_REQUIRED,
  /** A field holds another JSON type than it takes. */
  FIELD_TYPE,
  /** A caller's block id has another form than allowed. */
  INVALID_ID,
  /** A block type that is no dotted lower-case name. */
  INVALID_TYPE,
  /** An author that is empty or too long. */
  INVALID_AUTHOR,
  /** A turn id with a character or length that is not allowed. */
  INVALID_TURN_ID,
  /** A call id with a character or length that is not allowed. */
  INVALID_CALL_ID,
  /** A path that does not follow the grammar. */
  INVALID_PATH,
  /** A file path that would leave its folder. */
  UNSAFE_PATH,
  /** A time that cannot be read. */
  INVALID_TS,
  /** A media type that is empty or has a line break. */
  INVALID_MIME,
  /** Binary content that is not base64. */
  INVALID_DATA,
  /** A block names another turn than the active one. */
  TURN_MISMATCH,
  /** The ids of a call are not those of the bound conversation and turn. */
  CONTEXT_MISMATCH,
  /** An operation needs an open turn and there is none. */
  NO_ACTIVE_TURN,
  /** The turn is closed. */
  TURN_CLOSED,
  /** The text of a block is larger than allowed. */
  TEXT_TOO_LARGE,
  /** The binary content of a block is larger than allowed. */
  DATA_TOO_LARGE,
  /** The metadata of a block is larger or deeper than allowed. */
  META_TOO_LARGE,
  /** More blocks in one call than allowed. */
  TOO_MANY_BLOCKS,
  /** The turn holds as many blocks as allowed. */
  TURN_FULL,
  /** A replacement text is longer than allowed. */
  REPLACEMENT_TOO_LONG,
  /** The announce blocks are too many or too large. */
  ANNOUNCE_TOO_LARGE,
  /** More rows in the sources pool than allowed. */
  SOURCES_TOO_MANY,
  /** The text of a source is larger than allowed. */
  SOURCE_TOO_LARGE,
  /** A source id that another source of the conversation has. */
  SID_CONFLICT,
  /** A caller's id that is already used for other content. */
  ID_CONFLICT,
  /** A setting outside its range. */
  INVALID_CONFIG,
  /** A command line or option that is not understood. */
  INVALID_PARAMS,
  /** What was asked for does not exist. */
  NOT_FOUND,
  /** The context is larger than the budget and the caller asked for an error in this case. */
  CONTEXT_TOO_LARGE,
  /** What a provider sent is no answer in its format. */
  ANSWER_MALFORMED,
  /** A provider answered with an error of its own. */
  ANSWER_ERROR,
  /** An answer is larger or deeper than allowed. */
  ANSWER_TOO_LARGE;

  private final String wireName = name().toLowerCase(Locale.ROOT);

  /** The code as callers see it: lower snake case. */
  public String wireName() {
    return wireName;
  }
}
