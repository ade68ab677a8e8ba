/**
 * In: properties under {@code contexture} and beans of the application. Out: an engine under the
 * {@code ChatClient.Builder} that Spring AI configures, its health and its metrics.
 *
 * <pre>{@code
 * contexture.directory=data
 * contexture.tenant=acme
 * contexture.project=shop
 * contexture.model=claude-opus-5
 * }</pre>
 */
@NullMarked
package dev.contexture.springboot;

import org.jspecify.annotations.NullMarked;
