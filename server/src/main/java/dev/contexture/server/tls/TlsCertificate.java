package dev.contexture.server.tls;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that a server shows, from files that may change: {@link #look} takes a new one,
 * for connections that begin afterwards. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TlsCertificate {
  private static final char[] PASSWORD = "in memory only".toCharArray();

  private final TlsFiles files;
  private final InstantSource clock;
  private final SslContextFactory.Server factory = new SslContextFactory.Server();
  private volatile TlsIdentity identity;
  private Stamp seen;

  private TlsCertificate(TlsFiles files, InstantSource clock) {
    this.files = files;
    this.clock = clock;
    this.seen = Stamp.of(files); // before they are read: a change meanwhile is seen later
    this.identity = TlsIdentity.read(files, clock.instant());
    use(identity);
  }

  /**
   * Reads the files.
   *
   * @throws ContextureException {@code invalid_config} if they cannot be used
   */
  public static TlsCertificate open(TlsFiles files, InstantSource clock) {
    return new TlsCertificate(files, clock);
  }

  private void use(TlsIdentity next) {
    try {
      factory.setKeyStore(next.keyStore(PASSWORD));
      factory.setKeyStorePassword(new String(PASSWORD));
    } catch (GeneralSecurityException | IOException unfit) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          "TLS cannot use " + files.certificate() + ": " + unfit.getMessage(),
          Map.of("field", "tls", "actual", files.certificate().toString()),
          unfit);
    }
  }

  /** What Jetty serves with. */
  public SslContextFactory.Server factory() {
    return factory;
  }

  /** SHA-256 of the certificate that is shown now, in hex. */
  public String fingerprint() {
    return identity.fingerprint();
  }

  /** Until when the certificate that is shown now is valid. */
  public Instant validUntil() {
    return identity.validUntil();
  }

  /**
   * The outcome of a change of the files.
   *
   * @param refused why the new ones are not used; null: they are
   */
  public record Change(@Nullable ContextureException refused) {}

  /** Takes files that changed since the last look; empty if none did. */
  public synchronized Optional<Change> look() {
    Stamp now = Stamp.of(files);
    if (now.equals(seen)) {
      return Optional.empty();
    }
    seen = now;
    try {
      TlsIdentity next = TlsIdentity.read(files, clock.instant());
      if (next.equals(identity)) {
        return Optional.empty(); // written again, the same
      }
      factory.reload(unused -> use(next));
      identity = next;
      return Optional.of(new Change(null));
    } catch (ContextureException refused) {
      return Optional.of(new Change(refused));
    } catch (Exception failed) { // what Jetty's reload declares
      return Optional.of(
          new Change(
              new ContextureException(
                  ErrorCode.INVALID_CONFIG,
                  "TLS cannot use " + files.certificate() + ": " + failed.getMessage(),
                  Map.of("field", "tls", "actual", files.certificate().toString()),
                  failed)));
    }
  }

  /** By what changed files are known. */
  private record Stamp(Mark certificate, Mark key) {
    static Stamp of(TlsFiles files) {
      return new Stamp(Mark.of(files.certificate()), Mark.of(files.key()));
    }
  }

  private record Mark(FileTime changed, long size, String file) {
    private static final Mark MISSING = new Mark(FileTime.fromMillis(0), 0, "");

    static Mark of(Path path) {
      try {
        BasicFileAttributes facts = Files.readAttributes(path, BasicFileAttributes.class);
        return new Mark(facts.lastModifiedTime(), facts.size(), String.valueOf(facts.fileKey()));
      } catch (IOException gone) {
        return MISSING; // reading it says why
      }
    }
  }
}
