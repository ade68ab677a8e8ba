/**
 * Recorded sessions of agents, replayed.
 *
 * <p>In: a {@link dev.contexture.provider.replay.RecordedSession}, JSON lines that say what was
 * said and where the model was called. Out: the requests that the engine would have sent with given
 * settings, each with its sizes and what compaction did. No store, no clock, no network: equal
 * sessions and settings give equal requests.
 *
 * <pre>{@code
 * Replay.run(RecordedSession.read(file), Replay.Settings.of(16_000, CompactionPolicy.ECONOMICAL),
 *     sent -> count(sent.tokens().total()));
 * }</pre>
 */
@NullMarked
package dev.contexture.provider.replay;

import org.jspecify.annotations.NullMarked;
