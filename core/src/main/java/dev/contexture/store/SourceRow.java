package dev.contexture.store;

import dev.contexture.json.JsonObject;
import org.apiguardian.api.API;

/**
 * One source of the pool. A row is never removed, so that its sid never returns for another.
 *
 * @param sid its number, from 1
 * @param key what makes two sources the same
 * @param visible whether the pool shows it
 * @param row title, url, text and so on
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SourceRow(long sid, String key, boolean visible, JsonObject row) {}
