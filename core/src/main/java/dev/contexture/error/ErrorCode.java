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
  SCOPE_REQUIRED(400),
  /** A part of the scope has a character or length that is not allowed. */
  INVALID_SCOPE(400),
  /** Text that should be JSON is not, or it is larger or deeper than allowed. */
  MALFORMED_JSON(400),
  /** A field that this object does not have. */
  UNKNOWN_FIELD(400),
  /** A field that must be given is absent. */
  FIELD_REQUIRED(400),
  /** A field holds another JSON type than it takes. */
  FIELD_TYPE(400),
  /** A caller's block id has another form than allowed. */
  INVALID_ID(400),
  /** A block type that is no dotted lower-case name. */
  INVALID_TYPE(400),
  /** An author that is empty or too long. */
  INVALID_AUTHOR(400),
  /** A turn id with a character or length that is not allowed. */
  INVALID_TURN_ID(400),
  /** A call id with a character or length that is not allowed. */
  INVALID_CALL_ID(400),
  /** A path that does not follow the grammar. */
  INVALID_PATH(400),
  /** A file path that would leave its folder. */
  UNSAFE_PATH(400),
  /** A time that cannot be read. */
  INVALID_TS(400),
  /** A media type that is empty or has a line break. */
  INVALID_MIME(400),
  /** Binary content that is not base64. */
  INVALID_DATA(400),
  /** A block names another turn than the active one. */
  TURN_MISMATCH(400),
  /** The ids of a call are not those of the bound conversation and turn. */
  CONTEXT_MISMATCH(400),
  /** An operation needs an open turn and there is none. */
  NO_ACTIVE_TURN(409),
  /** The turn is closed. */
  TURN_CLOSED(409),
  /** The text of a block is larger than allowed. */
  TEXT_TOO_LARGE(422),
  /** The binary content of a block is larger than allowed. */
  DATA_TOO_LARGE(422),
  /** The metadata of a block is larger or deeper than allowed. */
  META_TOO_LARGE(422),
  /** More blocks in one call than allowed. */
  TOO_MANY_BLOCKS(422),
  /** The turn holds as many blocks as allowed. */
  TURN_FULL(422),
  /** A replacement text is longer than allowed. */
  REPLACEMENT_TOO_LONG(422),
  /** The announce blocks are too many or too large. */
  ANNOUNCE_TOO_LARGE(422),
  /** More rows in the sources pool than allowed. */
  SOURCES_TOO_MANY(422),
  /** The text of a source is larger than allowed. */
  SOURCE_TOO_LARGE(422),
  /** A source id that another source of the conversation has. */
  SID_CONFLICT(409),
  /** A caller's id that is already used for other content. */
  ID_CONFLICT(409),
  /** The store cannot be used now; the message says why and what to do. */
  STORE_UNAVAILABLE(503),
  /** The store may not be written: its directory or file is read-only for this process. */
  STORE_READ_ONLY(503),
  /** The store has no room left. */
  STORE_FULL(503),
  /** Stored data fails its checksum or cannot be read; the message names it. */
  STORE_DAMAGED(500),
  /** Another process owns the store. */
  STORE_IN_USE(503),
  /** The store was written by a newer version. */
  STORE_NEWER(500),
  /** The file is no store of Contexture. */
  STORE_FOREIGN(500),
  /** A setting outside its range. */
  INVALID_CONFIG(400),
  /** A command line or option that is not understood. */
  INVALID_PARAMS(400),
  /** What was asked for does not exist. */
  NOT_FOUND(404),
  /** The path exists, but not with this HTTP method. */
  METHOD_NOT_ALLOWED(405),
  /** The context is larger than the budget and the caller asked for an error in this case. */
  CONTEXT_TOO_LARGE(422),
  /** A request that its provider would refuse and that could not be repaired. */
  INVALID_REQUEST(422),
  /** A foreign history that is no list of messages. */
  IMPORT_MALFORMED(400),
  /** What a provider sent is no answer in its format. */
  ANSWER_MALFORMED(400),
  /** A provider answered with an error of its own. */
  ANSWER_ERROR(422),
  /** An answer is larger or deeper than allowed. */
  ANSWER_TOO_LARGE(422),
  /** Another turn of the conversation is being worked on. */
  TURN_IN_PROGRESS(409),
  /** The conversation has another version than the caller expected. */
  VERSION_CONFLICT(409),
  /** The turn has no call of this id. */
  UNKNOWN_CALL(409),
  /** The call has a result with other content. */
  ALREADY_ANSWERED(409),
  /** More attachments in one turn than allowed. */
  TOO_MANY_ATTACHMENTS(422),
  /** The attachments of a turn are together larger than allowed. */
  ATTACHMENTS_TOO_LARGE(422),
  /** The title is longer than allowed. */
  TITLE_TOO_LONG(422),
  /** The body of a request is larger than allowed. */
  BODY_TOO_LARGE(413),
  /** The caller may not do this. */
  FORBIDDEN(403),
  /** Something failed that nobody foresaw; the log has more. */
  INTERNAL(500);

  private final String wireName = name().toLowerCase(Locale.ROOT);
  private final int httpStatus;

  ErrorCode(int httpStatus) {
    this.httpStatus = httpStatus;
  }

  /** The code as callers see it: lower snake case. */
  public String wireName() {
    return wireName;
  }

  /** What the HTTP API answers with. */
  public int httpStatus() {
    return httpStatus;
  }
}
