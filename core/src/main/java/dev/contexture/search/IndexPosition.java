package dev.contexture.search;

import org.apiguardian.api.API;

/**
 * The position up to which an index has processed the outbox.
 *
 * @param text the outbox number up to which words are indexed
 * @param vectors the outbox number up to which vectors are made
 * @param model whose vectors they are; empty: nobody's
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record IndexPosition(long text, long vectors, String model) {
  /** Where an empty index stands. */
  public static final IndexPosition START = new IndexPosition(0, 0, "");

  public IndexPosition withText(long number) {
    return new IndexPosition(number, vectors, model);
  }

  public IndexPosition withVectors(long number, String ofModel) {
    return new IndexPosition(text, number, ofModel);
  }
}
