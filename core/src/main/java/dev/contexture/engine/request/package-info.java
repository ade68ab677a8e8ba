/**
 * The making of a request: the list of steps in {@link
 * dev.contexture.engine.request.RequestPipeline}, over one {@link
 * dev.contexture.engine.request.RequestState}.
 *
 * <p>In: {@link dev.contexture.engine.request.RequestOptions} and a memory, with or without a
 * conversation. Out: a request with a report of what is in it and why. What changes in memory while
 * a conversation goes on follows at its end, so that everything before stays the same bytes until
 * an epoch ends.
 */
@NullMarked
package dev.contexture.engine.request;

import org.jspecify.annotations.NullMarked;
