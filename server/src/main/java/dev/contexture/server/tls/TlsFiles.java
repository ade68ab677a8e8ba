package dev.contexture.server.tls;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * The files that a server's TLS comes from.
 *
 * @param certificate PEM: the certificate of the server, then those that lead to its root
 * @param key PEM: its private key as PKCS#8, not encrypted
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TlsFiles(Path certificate, Path key) {}
