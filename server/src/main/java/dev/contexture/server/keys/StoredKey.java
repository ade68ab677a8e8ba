package dev.contexture.server.keys;

import dev.contexture.block.Scope;
import dev.contexture.block.Timestamps;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A key as the file has it: what it allows, and a hash by which it is known again.
 *
 * @param id names it in lists and logs; it is a part of the key and no secret
 * @param sha256 of the whole key, in hex
 * @param grant what it allows
 * @param createdAt when it was made
 * @param revokedAt since when it is not taken any more; null: it is
 * @param terms what it is called, and until when it is taken
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StoredKey(
    String id,
    String sha256,
    Grant grant,
    Instant createdAt,
    @Nullable Instant revokedAt,
    KeyTerms terms) {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Set<String> FIELDS =
      Set.of(
          "id",
          "sha256",
          "name",
          "tenant",
          "project",
          "role",
          "user",
          "agent",
          "created_at",
          "expires_at",
          "revoked_at");

  public StoredKey {
    check("id", id, ID);
    check("sha256", sha256, HASH);
    Objects.requireNonNull(grant.scope(), "a stored key is for one project");
  }

  private static void check(String field, String text, Pattern form) {
    if (!form.matcher(text).matches()) {
      throw ContextureException.invalid(ErrorCode.INVALID_CONFIG, field, text, form.pattern());
    }
  }

  public boolean revoked() {
    return revokedAt != null;
  }

  StoredKey revoked(Instant at) {
    return new StoredKey(id, sha256, grant, createdAt, at, terms);
  }

  /** Whether its time is over. */
  public boolean expired(Instant now) {
    Instant end = terms.expiresAt();
    return end != null && !now.isBefore(end);
  }

  static StoredKey read(JsonObject json) {
    JsonFields fields = JsonFields.of(json, FIELDS);
    Grant grant =
        Grant.of(
                Scope.of(fields.requiredString("tenant"), fields.requiredString("project")),
                KeyRole.named(fields.requiredString("role")))
            .withUser(fields.string("user").orElse(null))
            .withAgent(fields.string("agent").orElse(null));
    return new StoredKey(
        fields.requiredString("id"),
        fields.requiredString("sha256"),
        grant,
        Timestamps.read(JsonValue.of(fields.requiredString("created_at"))),
        time(fields, "revoked_at"),
        new KeyTerms(fields.string("name").orElse(null), time(fields, "expires_at")));
  }

  private static @Nullable Instant time(JsonFields fields, String name) {
    JsonValue value = fields.value(name);
    return value == null ? null : Timestamps.read(value, name);
  }

  /** Everything about it but the hash. */
  public JsonObject describe() {
    return write().without("sha256");
  }

  JsonObject write() {
    Scope scope = Objects.requireNonNull(grant.scope());
    return JsonObject.builder()
        .put("id", id)
        .put("sha256", sha256)
        .putIfPresent("name", terms.name())
        .put("tenant", scope.tenant())
        .put("project", scope.project())
        .put("role", grant.role().wireName())
        .putIfPresent("user", grant.user())
        .putIfPresent("agent", grant.agent())
        .put("created_at", createdAt.toString())
        .putIfPresent("expires_at", text(terms.expiresAt()))
        .putIfPresent("revoked_at", text(revokedAt))
        .build();
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }
}
