/**
 * Spans and metrics of an engine, by the conventions of OpenTelemetry for generative AI. In: work
 * that begins and ends. Out: spans and measurements, never text of anybody. Only the API of
 * OpenTelemetry is used: without an SDK nothing happens.
 */
@NullMarked
package dev.contexture.otel;

import org.jspecify.annotations.NullMarked;
