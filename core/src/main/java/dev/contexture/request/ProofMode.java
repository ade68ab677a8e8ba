package dev.contexture.request;

import org.apiguardian.api.API;

/** The handling of a request that its provider would refuse. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ProofMode {
  /** What can be repaired is, and is reported; the rest is {@code invalid_request}. */
  REPAIR,
  /** It is {@code invalid_request}; nothing is repaired. */
  STRICT,
  /** It goes out as it is, with what is wrong as findings. */
  REPORT
}
