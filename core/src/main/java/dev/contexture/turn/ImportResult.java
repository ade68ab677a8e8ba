package dev.contexture.turn;

import dev.contexture.request.history.ImportedHistory;
import org.apiguardian.api.API;

/**
 * The result of importing a history of another program.
 *
 * @param history the turns as they were read, with instructions and repairs
 * @param turns how many were stored; the others existed
 * @param blocks how many were stored
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ImportResult(ImportedHistory history, int turns, int blocks) {}
