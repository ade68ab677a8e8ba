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
  /** A parameter, option or command that is missing, blank, not understood or out of its range. */
  INVALID_ARGUMENT(400),
  /** What was asked for does not exist. */
  NOT_FOUND(404),
  /** The path exists, but not with this HTTP method. */
  METHOD_NOT_ALLOWED(405),
  /** A body for a page is of another type than JSON. */
  UNSUPPORTED_TYPE(415),
  /** The server should get no requests now. */
  NOT_READY(503),
  /** The context is larger than the budget and the caller asked for an error in this case. */
  CONTEXT_TOO_LARGE(422),
  /** A request that its provider would refuse and that could not be repaired. */
  INVALID_REQUEST(422),
  /** A request does not repeat what was sent before it. */
  PREFIX_BROKEN(409),
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
  /** Calls of the turn have no result, so that no request can be built. */
  CALLS_WAITING(409),
  /** More attachments in one turn than allowed. */
  TOO_MANY_ATTACHMENTS(422),
  /** The attachments of a turn are together larger than allowed. */
  ATTACHMENTS_TOO_LARGE(422),
  /** The title is longer than allowed. */
  TITLE_TOO_LONG(422),
  /** The body of a request is larger than allowed. */
  BODY_TOO_LARGE(413),
  /** The caller takes more than its share of the server; others are waiting, or may come. */
  TOO_MANY_REQUESTS(429),
  /** The work took longer than allowed, or its caller left; it was stopped. */
  TIMED_OUT(503),
  /** The request has no key, or none that is taken. */
  UNAUTHENTICATED(401),
  /** The key was right once, and its time is over. */
  KEY_EXPIRED(401),
  /** The caller may not do this. */
  FORBIDDEN(403),
  /** The model that writes summaries failed, refused, or did not answer in time. */
  SUMMARIZER_FAILED(502),
  /** A forced compaction changed nothing, so that the same call would fail again. */
  NO_PROGRESS(422),
  /** A label or name with a character or length that is not allowed. */
  INVALID_LABEL(400),
  /** A write to a memory block that is missing, deleted or not shared. */
  BLOCK_NOT_FOUND(404),
  /** Another live memory block of the agent has this label. */
  LABEL_TAKEN(409),
  /** Several shared memory blocks have this label. */
  AMBIGUOUS_LABEL(409),
  /** The permission of a memory block does not allow the operation. */
  PERMISSION_DENIED(403),
  /** The approval that a write needs was refused or did not come. */
  CONSENT_DENIED(403),
  /** Memory of another agent, or a call that is kept for others. */
  ACCESS_DENIED(403),
  /** A read-only field or section, or a stored log entry. */
  READ_ONLY(403),
  /** An operation that does not fit the schema of the memory block. */
  WRONG_SCHEMA(400),
  /** A schema that cannot hold, or that existing content violates. */
  SCHEMA_INVALID(400),
  /** A schema of another kind than the memory block has. */
  SCHEMA_KIND_CHANGE(409),
  /** A field or section that the schema does not declare. */
  FIELD_NOT_FOUND(400),
  /** An index beyond the length. */
  INDEX_OUT_OF_RANGE(400),
  /** More than a limit allows. */
  LIMIT_EXCEEDED(422),
  /** The text to be replaced does not occur. */
  NO_MATCH(409),
  /** A patch whose context is not in the text. */
  PATCH_CONFLICT(409),
  /** A regular expression that cannot be read or takes too long. */
  INVALID_REGEX(400),
  /** There is no step to undo or redo. */
  NOTHING_TO_DO(409),
  /** Stored data of a format version that this release does not know. */
  UNSUPPORTED_FORMAT(500),
  /** A version whose history is no longer kept: refresh and redo. */
  HISTORY_TRIMMED(410),
  /** A parameter of a request that the engine writes itself. */
  PARAM_OWNED(400),
  /** A parameter that the model or the version of its interface refuses. */
  PARAM_REJECTED(400),
  /** A set of tool rules that cannot hold. */
  RULE_INVALID(400),
  /** A schema of a tool's parameters that cannot be used. */
  TOOL_SCHEMA_INVALID(400),
  /** The request cannot fit the budget. */
  BUDGET_TOO_SMALL(422),
  /** A part that every request needs could not be built. */
  BUILD_FAILED(500),
  /** A search takes too long for the words or patterns that it asks for. */
  SEARCH_TOO_COSTLY(422),
  /** There is no search index, or it cannot be used. */
  SEARCH_UNAVAILABLE(503),
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
