/**
 * The keys of callers of a server.
 *
 * <p>In: a key file, and the key of a request. Out: what that key allows, or nothing. The file
 * holds no key, only hashes; a key is shown once, when it is made.
 *
 * <pre>{@code
 * KeyFile file = new KeyFile(Path.of("keys.json"));
 * KeyFile.Made made = file.add(grant, new SecureRandom(), now); // made.key() is shown once
 * KeyRing.of(file).find(made.key()); // the grant
 * }</pre>
 */
@NullMarked
package dev.contexture.server.keys;

import org.jspecify.annotations.NullMarked;
