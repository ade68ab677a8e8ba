/**
 * What tests of and with Contexture need: the contract that every store passes, a store in memory
 * that can be made to fail, a clock and ids under the test's control.
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *   @Override
 *   protected Store open() {
 *     return new MyStore(directory);
 *   }
 * }
 * }</pre>
 */
@NullMarked
package dev.contexture.testkit;

import org.jspecify.annotations.NullMarked;
