/**
 * An offline simulation of how prompt caches serve a sequence of requests.
 *
 * <p>In: {@link dev.contexture.simulator.SentRequest}s in the order in which they were sent, and
 * how the model's cache works. Out: a {@link dev.contexture.simulator.CacheReport} with tokens
 * read, written and uncached, their cost against no cache and against the best possible one, and
 * the cause of everything that was not read. No clock, no network: equal requests give an equal
 * report.
 */
@NullMarked
package dev.contexture.simulator;

import org.jspecify.annotations.NullMarked;
