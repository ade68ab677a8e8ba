/** Data structures that know nothing of documents: growing and packed bytes, ropes, splay trees. */
@NullMarked
package dev.contexture.crdt.internal.data;

import org.jspecify.annotations.NullMarked;
