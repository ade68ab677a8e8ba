/**
 * The inside of a document; not API: it may change with every release.
 *
 * <p>In the order of the data flow: {@code ByteReader}, {@code Envelope} and {@code HistoryReader}
 * turn bytes into commits; {@code EventHistory} keeps them as an {@code EventGraph} (who knew what)
 * and an {@code OpLog} (what was done); {@code Walker} and {@code Tracker} transform concurrent
 * operations; {@code State} holds the values that people read; {@code DocumentCore} drives them.
 */
@NullMarked
package dev.contexture.crdt.internal;

import org.jspecify.annotations.NullMarked;
