/**
 * Recorded sessions of agents, replayed through the engine.
 *
 * <p>In: a {@link dev.contexture.simulator.replay.RecordedSession}, JSON lines that say what was
 * said and where the model was called, and an engine over an empty folder. Out: the requests that
 * it builds with given settings. The clock is the replay's own: equal sessions and settings give
 * equal requests.
 *
 * <pre>{@code
 * SessionReplay.run(
 *     folder -> Contexture.builder(SqliteStore.open(folder)).providers(providers),
 *     RecordedSession.read(file),
 *     SessionReplay.Settings.of(null, "claude-sonnet-4-5", 16_000, CompactionPolicy.ECONOMICAL),
 *     request -> count(request.metadata().tokens().total()));
 * }</pre>
 */
@NullMarked
package dev.contexture.simulator.replay;

import org.jspecify.annotations.NullMarked;
