package dev.contexture.crdt;

import org.apiguardian.api.API;

/**
 * Hears of every commit, once, after it is applied, on the thread that committed or merged.
 *
 * <p>It may read the document and must not edit, commit or merge. What it throws reaches the caller
 * of commit or merge; the commit stays.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface CommitListener {
  void committed(CommitEvent event);
}
