/** What measurements share: arguments, samples, reports, servers as processes. */
@NullMarked
package dev.contexture.bench.support;

import org.jspecify.annotations.NullMarked;
