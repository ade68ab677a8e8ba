package dev.contexture.server;

import dev.contexture.engine.retention.RetentionRules;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.audit.AuditLog;
import dev.contexture.server.tls.TlsFiles;
import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The duties of a shared server: TLS, audit, metrics and retention.
 *
 * @param tls where its certificate is; null: it speaks plain HTTP
 * @param audit gets an entry for each administrative and erasing call and each key that changes;
 *     null: nobody keeps them
 * @param openMetrics whether {@code /metrics} needs no key; else it needs one of role admin
 * @param retention what is erased once it is old or too much; by default nothing
 * @param retentionEvery how long after the start, and after each run, the next one begins
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ServerDuties(
    @Nullable TlsFiles tls,
    @Nullable AuditLog audit,
    boolean openMetrics,
    RetentionRules retention,
    Duration retentionEvery) {
  /** Plain HTTP, no audit, metrics for admins, everything kept for ever. */
  public static final ServerDuties NONE =
      new ServerDuties(null, null, false, RetentionRules.NONE, Duration.ofHours(6));

  public ServerDuties {
    if (retentionEvery.toMillis() < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "retention every", retentionEvery, "a positive duration");
    }
  }

  public ServerDuties withTls(@Nullable TlsFiles files) {
    return new ServerDuties(files, audit, openMetrics, retention, retentionEvery);
  }

  public ServerDuties withAudit(@Nullable AuditLog log) {
    return new ServerDuties(tls, log, openMetrics, retention, retentionEvery);
  }

  public ServerDuties withOpenMetrics(boolean open) {
    return new ServerDuties(tls, audit, open, retention, retentionEvery);
  }

  public ServerDuties withRetention(RetentionRules rules) {
    return new ServerDuties(tls, audit, openMetrics, rules, retentionEvery);
  }

  public ServerDuties withRetentionEvery(Duration time) {
    return new ServerDuties(tls, audit, openMetrics, retention, time);
  }
}
