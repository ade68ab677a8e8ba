/**
 * Files that other programs keep: exports of chat services, logs, agent files, memory files.
 *
 * <p>In: the text of a file. Out: its conversations as turns of blocks and its memory as blocks,
 * for an engine to store. The format is found by what only one of them has; what is of none is
 * refused. A new format is a constant of {@link dev.contexture.provider.foreign.ForeignFormat}, a
 * reader here and a line in {@link dev.contexture.provider.foreign.HistoryFiles}. Pure; nothing is
 * stored here.
 */
@NullMarked
package dev.contexture.provider.foreign;

import org.jspecify.annotations.NullMarked;
