package dev.contexture.server.tls;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A certificate with the chain behind it and its key, of which it is known that they belong
 * together. Immutable.
 */
record TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
  private static final long MAX_BYTES = 1 << 20;
  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");
  private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)---");
  private static final byte[] PROOF = "the key of the certificate".getBytes(StandardCharsets.UTF_8);

  /** How each kind of public key signs, to find out whether a private one belongs to it. */
  private static final Map<String, String> SIGNATURES =
      Map.of(
          "RSA", "SHA256withRSA",
          "EC", "SHA256withECDSA",
          "EdDSA", "EdDSA",
          "Ed25519", "Ed25519");

  TlsIdentity {
    chain = List.copyOf(chain);
  }

  /**
   * Reads the files.
   *
   * @throws ContextureException {@code invalid_config} if one cannot be read or used, if they do
   *     not belong together, or the certificate is not valid now
   */
  static TlsIdentity read(TlsFiles files, Instant now) {
    List<X509Certificate> chain = chain(files.certificate());
    X509Certificate own = chain.getFirst();
    PrivateKey key = key(files.key(), own.getPublicKey().getAlgorithm());
    requirePair(files, own, key);
    if (now.isAfter(own.getNotAfter().toInstant())) {
      throw refused(
          files.certificate(), "it expired at " + own.getNotAfter().toInstant() + "; renew it");
    }
    if (now.isBefore(own.getNotBefore().toInstant())) {
      throw refused(
          files.certificate(), "it is valid only from " + own.getNotBefore().toInstant() + " on");
    }
    return new TlsIdentity(chain, key);
  }

  private static List<X509Certificate> chain(Path file) {
    try {
      List<X509Certificate> chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes(file)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (chain.isEmpty()) {
        throw refused(file, "it holds no certificate; it must be PEM: -----BEGIN CERTIFICATE-----");
      }
      return chain;
    } catch (GeneralSecurityException unreadable) {
      throw refused(file, "it is no certificate in PEM: " + unreadable.getMessage(), unreadable);
    }
  }

  /** No message has anything of what the file holds. */
  private static PrivateKey key(Path file, String algorithm) {
    String text = new String(bytes(file), StandardCharsets.US_ASCII);
    Matcher plain = PKCS8.matcher(text);
    if (!plain.find()) {
      Matcher other = OTHER_KEY.matcher(text);
      throw refused(
          file,
          (other.find() ? "it holds an " + other.group(1) : "it holds no key")
              + "; needed is a PRIVATE KEY, PKCS#8 and not encrypted: openssl pkcs8 -topk8 -nocrypt"
              + " -in OLD -out NEW");
    }
    try {
      byte[] coded = Base64.getMimeDecoder().decode(plain.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(coded));
    } catch (GeneralSecurityException | IllegalArgumentException unfit) {
      throw refused(
          file, "it holds no " + algorithm + " key, as the certificate needs: " + unfit.getClass());
    }
  }

  private static void requirePair(TlsFiles files, X509Certificate own, PrivateKey key) {
    String kind = own.getPublicKey().getAlgorithm();
    boolean pair = false;
    try {
      Signature signature = Signature.getInstance(SIGNATURES.getOrDefault(kind, kind));
      signature.initSign(key);
      signature.update(PROOF);
      byte[] signed = signature.sign();
      signature.initVerify(own.getPublicKey());
      signature.update(PROOF);
      pair = signature.verify(signed);
    } catch (GeneralSecurityException unfit) {
      throw refused(files.key(), "it cannot sign as " + kind + ": " + unfit.getMessage(), unfit);
    }
    if (!pair) {
      throw refused(files.key(), "it is not the key of the certificate " + files.certificate());
    }
  }

  private static byte[] bytes(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw refused(file, "it has more than " + MAX_BYTES + " bytes");
      }
      return Files.readAllBytes(file);
    } catch (IOException unreadable) {
      throw refused(file, "it cannot be read: " + unreadable, unreadable);
    }
  }

  private static ContextureException refused(Path file, String why) {
    return refused(file, why, null);
  }

  private static ContextureException refused(Path file, String why, @Nullable Exception cause) {
    return new ContextureException(
        ErrorCode.INVALID_CONFIG,
        "TLS cannot use " + file + ": " + why,
        Map.of("field", "tls", "actual", file.toString()),
        cause);
  }

  /** Both in a store in memory. */
  KeyStore keyStore(char[] password) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("server", key, password, chain.toArray(Certificate[]::new));
    return store;
  }

  /** SHA-256 of the certificate of the server, in hex. */
  String fingerprint() {
    try {
      byte[] coded = chain.getFirst().getEncoded();
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(coded));
    } catch (CertificateEncodingException | java.security.NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("a certificate that was read has its bytes", impossible);
    }
  }

  Instant validUntil() {
    return chain.getFirst().getNotAfter().toInstant();
  }
}
