/**
 * JSON as values: text in, {@link dev.contexture.json.JsonValue} out, and back.
 *
 * <p>Invariants: key order and number spelling survive a round trip; reading is bounded in size and
 * depth; nothing of the parser behind it is visible.
 *
 * <pre>{@code
 * JsonValue.parse("{\"price\": 1.10}").toJson(); // {"price":1.10}
 * }</pre>
 */
@NullMarked
package dev.contexture.json;

import org.jspecify.annotations.NullMarked;
