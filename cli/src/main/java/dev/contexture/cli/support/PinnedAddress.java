package dev.contexture.cli.support;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.net.Socket;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The address at which the server of a directory listens, as its lock file says: with TLS it ends
 * with the SHA-256 of the certificate. That one is trusted and no other, whatever names it has: the
 * server listens on this machine, under none of them perhaps.
 *
 * @param address without the end
 * @param sha256 of the certificate, in hex; null: the server speaks plain HTTP
 */
public record PinnedAddress(String address, @Nullable String sha256) {
  private static final String PIN = "#sha256=";
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** What a lock file, or a caller, says of a server. */
  public static PinnedAddress of(String announced) {
    int pin = announced.indexOf(PIN);
    return pin < 0
        ? new PinnedAddress(announced, null)
        : new PinnedAddress(announced.substring(0, pin), announced.substring(pin + PIN.length()));
  }

  /** What speaks to that server, which the caller closes. */
  public HttpClient client() {
    HttpClient.Builder client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
    context().ifPresent(client::sslContext);
    return client.build();
  }

  /** What trusts that certificate alone; empty where there is no TLS. */
  private Optional<SSLContext> context() {
    if (sha256 == null) {
      return Optional.empty();
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new OneCertificate(sha256)}, new SecureRandom());
      return Optional.of(context);
    } catch (GeneralSecurityException impossible) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "this Java has no TLS, with which " + address + " is served: " + impossible.getMessage(),
          Map.of("server", address),
          impossible);
    }
  }

  /** An extended one is asked alone: nothing else looks at names then. */
  private static final class OneCertificate extends X509ExtendedTrustManager {
    private final String sha256;

    OneCertificate(String sha256) {
      this.sha256 = sha256;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
        if (!HexFormat.of().formatHex(hash).equals(sha256)) {
          throw new CertificateException("another certificate than that of the lock file");
        }
      } catch (NoSuchAlgorithmException impossible) {
        throw new CertificateException(impossible);
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind)
        throws CertificateException {
      throw new CertificateException("no client is trusted by its certificate");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
        throws CertificateException {
      throw new CertificateException("no client is trusted by its certificate");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("no client is trusted by its certificate");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
