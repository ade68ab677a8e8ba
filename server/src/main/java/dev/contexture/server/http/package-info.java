/** A call and its answer: what a route is, what it reads from a request, and what it gives back. */
@NullMarked
package dev.contexture.server.http;

import org.jspecify.annotations.NullMarked;
