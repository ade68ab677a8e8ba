package dev.contexture.memory;

import dev.contexture.error.ErrorCode;
import org.apiguardian.api.API;

/**
 * Something that a document lacks or has too much of. Immutable.
 *
 * @param code {@code FIELD_REQUIRED} or {@code LIMIT_EXCEEDED}
 * @param part the field, section or limit, for example {@code stats/count}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DocumentProblem(ErrorCode code, String part, String actual, String allowed) {}
