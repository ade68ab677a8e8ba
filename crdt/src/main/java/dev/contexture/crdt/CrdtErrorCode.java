package dev.contexture.crdt;

import org.apiguardian.api.API;

/** The stable codes of everything that this module refuses. A code never changes its meaning. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CrdtErrorCode {
  /** An argument that no document can accept. */
  INVALID_ARGUMENT,
  /** A position or range beyond the length of a text or list. */
  INDEX_OUT_OF_RANGE,
  /** More than {@link CrdtLimits} allows. */
  LIMIT_EXCEEDED,
  /** Bytes whose magic, length, checksum or structure is wrong. */
  CORRUPT_DATA,
  /** Bytes of a format version that this release does not know. */
  UNSUPPORTED_FORMAT,
  /** A version that this document has not seen. */
  UNKNOWN_VERSION,
  /** A version or base below the trim point: refresh and redo. */
  HISTORY_TRIMMED
}
