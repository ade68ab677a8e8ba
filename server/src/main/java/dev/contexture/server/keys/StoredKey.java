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
 */
@API(status = API.Status.STABLE, since = "0.1")
public record StoredKey(
    String id, String sha256, Grant grant, Instant createdAt, @Nullable Instant revokedAt) {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Set<String> FIELDS =
      Set.of(
          "id", "sha256", "tenant", "project", "role", "user", "agent", "created_at", "revoked_at");

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
    return new StoredKey(id, sha256, grant, createdAt, at);
  }

  static StoredKey read(JsonObject json) {
    JsonFields fields = JsonFields.of(json, FIELDS);
    Grant grant =
        Grant.of(
                Scope.of(fields.requiredString("tenant"), fields.requiredString("project")),
                KeyRole.named(fields.requiredString("role")))
            .withUser(fields.string("user").orElse(null))
            .withAgent(fields.string("agent").orElse(null));
    JsonValue revoked = fields.value("revoked_at");
    return new StoredKey(
        fields.requiredString("id"),
        fields.requiredString("sha256"),
        grant,
        Timestamps.read(JsonValue.of(fields.requiredString("created_at"))),
        revoked == null ? null : Timestamps.read(revoked));
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
        .put("tenant", scope.tenant())
        .put("project", scope.project())
        .put("role", grant.role().wireName())
        .putIfPresent("user", grant.user())
        .putIfPresent("agent", grant.agent())
        .put("created_at", createdAt.toString())
        .putIfPresent("revoked_at", revokedAt == null ? null : revokedAt.toString())
        .build();
  }
}
