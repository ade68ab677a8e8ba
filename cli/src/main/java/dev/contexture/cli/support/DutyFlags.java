package dev.contexture.cli.support;

import dev.contexture.engine.retention.RetentionRules;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.ServerDuties;
import dev.contexture.server.audit.AuditLog;
import dev.contexture.server.tls.TlsCertificate;
import dev.contexture.server.tls.TlsFiles;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a shared server: TLS, an audit log, access to metrics, and retention. */
public final class DutyFlags {
  private static final String OFF = "off";
  private static final String ADMIN = "admin";
  private static final String OPEN = "open";

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "Serves HTTPS with this certificate, PEM, with those that lead to its root behind it;"
              + " read again when it changes. Needs --tls-key.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The private key of --tls-cert: PEM, PKCS#8, not encrypted.")
  private @Nullable Path key;

  @Option(
      names = "--audit",
      paramLabel = "FILE",
      description =
          "Where administrative and erasing calls, and keys that change, are written, or off"
              + " (default: "
              + AuditLog.FILE
              + " in the directory of the store).")
  private @Nullable String audit;

  @Option(
      names = "--metrics",
      paramLabel = "WHO",
      defaultValue = ADMIN,
      description =
          "Who may read /metrics of a server with keys: admin, or open for everybody without a key"
              + " (default: ${DEFAULT-VALUE}).")
  private String metrics = ADMIN;

  @Option(
      names = "--retain",
      paramLabel = "RULES",
      description =
          "Erases for good what is older or more than this, every six hours, such as"
              + " conversations=180d,requests=100,events=90d (default: keeps everything).")
  private @Nullable String retain;

  /**
   * What is asked for.
   *
   * @param data the directory of the store
   * @throws ContextureException {@code invalid_argument}
   */
  public ServerDuties read(Path data) {
    return ServerDuties.NONE
        .withTls(tls())
        .withAudit(OFF.equals(audit) ? null : log(data))
        .withOpenMetrics(metricsAreOpen())
        .withRetention(retain == null ? RetentionRules.NONE : RetentionRules.parse(retain));
  }

  private @Nullable TlsFiles tls() {
    if (certificate == null && key == null) {
      return null;
    }
    if (certificate == null || key == null) {
      String missing = certificate == null ? "--tls-cert" : "--tls-key";
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          missing + " is missing: TLS needs a certificate and its key",
          Map.of("field", missing),
          null);
    }
    TlsFiles files = new TlsFiles(certificate, key);
    TlsCertificate unused = TlsCertificate.open(files, InstantSource.system()); // or refused
    return files;
  }

  private AuditLog log(Path data) {
    return new AuditLog(audit == null ? data.resolve(AuditLog.FILE) : Path.of(audit));
  }

  private boolean metricsAreOpen() {
    return switch (metrics) {
      case ADMIN -> false;
      case OPEN -> true;
      default ->
          throw ContextureException.invalid(
              ErrorCode.INVALID_ARGUMENT, "--metrics", metrics, ADMIN + " or " + OPEN);
    };
  }
}
