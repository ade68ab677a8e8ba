/**
 * TLS of a server.
 *
 * <p>In: a certificate and its key, as PEM files. Out: what Jetty serves with, read again whenever
 * the files change; connections that are open stay as they are. A file that cannot be used changes
 * nothing and is reported.
 */
@NullMarked
package dev.contexture.server.tls;

import org.jspecify.annotations.NullMarked;
