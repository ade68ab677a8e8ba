/**
 * The {@code contexture} command.
 *
 * <p>In: arguments and files. Out: results on standard output, failures on standard error, and an
 * exit code: 0 done, 1 failed or refused, 2 the command line was not understood. Nothing here
 * decides anything about a context; commands call the engine and print what it answers.
 *
 * <pre>{@code
 * int exitCode = Main.run(List.of("--version"), out, err);
 * }</pre>
 */
@NullMarked
package dev.contexture.cli;

import org.jspecify.annotations.NullMarked;
