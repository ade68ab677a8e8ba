/** Load limits of a server: connections, requests, and the memory and time that each may have. */
@NullMarked
package dev.contexture.server.load;

import org.jspecify.annotations.NullMarked;
