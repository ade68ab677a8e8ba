/** The measurement of requests of random conversations, judged by the rules of their providers. */
@NullMarked
package dev.contexture.bench.validity;

import org.jspecify.annotations.NullMarked;
