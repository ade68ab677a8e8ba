package dev.contexture.engine.memory.row;

import dev.contexture.engine.document.BlockSettingsReader;
import dev.contexture.engine.memory.ArchivalEntry;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockVersion;
import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.engine.memory.PendingConsent;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentKind;
import dev.contexture.memory.permission.ConsentRequest;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.permission.OperationClass;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.SharedBlock;
import dev.contexture.store.memory.UpdateRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reads and writes the free parts of memory rows, which only the engine understands. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MemoryRecords {
  private static final String TYPE = "memory.";

  private MemoryRecords() {}

  /** The note of one commit on itself. */
  public record Told(Actor actor, String operation, String message) {}

  /**
   * The step that an undo or redo is about.
   *
   * @param step the update that made it
   * @param author who made it
   * @param sizeBytes of what first made it
   * @param skipped newer steps of which nothing was left to take back
   */
  public record Reverted(long step, Actor author, int sizeBytes, List<Long> skipped) {
    public Reverted {
      skipped = List.copyOf(skipped);
    }
  }

  /** The step that an update is about; null if it does not say. */
  static @Nullable Reverted reverted(UpdateRow row) {
    JsonObject note = row.note();
    JsonValue step = note.find("step").orElse(null);
    String author = note.string("author").orElse(null);
    if (step == null || author == null) {
      return null;
    }
    List<Long> skipped = new ArrayList<>();
    if (note.find("skipped").orElse(null) instanceof JsonArray steps) {
      steps.items().forEach(each -> skipped.add(number(each)));
    }
    int size = note.find("step_bytes").map(MemoryRecords::number).orElse(0L).intValue();
    return new Reverted(number(step), Actor.parse(author), size, skipped);
  }

  private static long number(JsonValue value) {
    return ((JsonNumber) value).decimal().longValue();
  }

  public static JsonObject note(
      Told told, BlockVersion.@Nullable Grant grant, @Nullable Reverted reverted) {
    JsonObject.Builder note =
        JsonObject.builder()
            .put("actor", told.actor().toString())
            .put("operation", told.operation());
    if (!told.message().isEmpty()) {
      note.put("message", told.message());
    }
    if (reverted != null) {
      note.put("step", reverted.step());
      note.put("author", reverted.author().toString());
      note.put("step_bytes", reverted.sizeBytes());
      List<JsonValue> skipped = new ArrayList<>();
      reverted.skipped().forEach(step -> skipped.add(JsonValue.of(step)));
      note.put("skipped", new JsonArray(skipped));
    }
    if (grant != null) {
      note.put("granted_by", grant.granter().toString());
      note.put("granted_at", grant.at().toString());
    }
    return note.build();
  }

  public static BlockVersion version(UpdateRow row) {
    JsonObject note = row.note();
    BlockVersion.Grant grant =
        note.string("granted_by")
            .map(
                by ->
                    new BlockVersion.Grant(
                        Actor.parse(by), Instant.parse(note.string("granted_at").orElseThrow())))
            .orElse(null);
    return new BlockVersion(
        row.seq(),
        row.at(),
        Actor.parse(note.string("actor").orElseThrow()),
        note.string("operation").orElseThrow(),
        note.string("message").orElse(""),
        row.sizeBytes(),
        grant);
  }

  /** The event of one commit; of the system's own, one that no activity shows. */
  public static MemoryEvent event(
      MemoryNotice.Kind kind, BlockRow block, long seq, Told told, Instant at) {
    JsonObject.Builder details =
        JsonObject.builder()
            .put("owner", block.owner())
            .put("label", block.label())
            .put("seq", seq)
            .put("actor", told.actor().toString())
            .put("operation", told.operation());
    if (!told.message().isEmpty()) {
      details.put("message", told.message());
    }
    String agent = told.actor() instanceof Actor.Agent acting ? acting.id() : null;
    return new MemoryEvent(
        0,
        at,
        agent,
        block.user(),
        block.id(),
        TYPE + kind.wireName(),
        told.actor().isSystem() ? null : importance(kind),
        details.build());
  }

  private static String importance(MemoryNotice.Kind kind) {
    return switch (kind) {
      case CHANGED, UNDONE, REDONE -> "low";
      case CREATED, CONFIGURED, SHARED, UNSHARED, DELETED -> "medium";
    };
  }

  /** The notice of an event; null if it is about something else than a block. */
  public static MemoryNotice.@Nullable Changed notice(MemoryEvent event) {
    String block = event.block();
    if (block == null || !event.type().startsWith(TYPE)) {
      return null;
    }
    JsonObject details = event.details();
    String kind = event.type().substring(TYPE.length()).toUpperCase(Locale.ROOT);
    return new MemoryNotice.Changed(
        event.number(),
        MemoryNotice.Kind.valueOf(kind),
        block,
        details.string("owner").orElseThrow(),
        event.user(),
        details.string("label").orElseThrow(),
        details.find("seq").map(MemoryRecords::number).orElse(0L),
        Actor.parse(details.string("actor").orElseThrow()),
        details.string("operation").orElseThrow(),
        details.string("message").orElse(""),
        event.at());
  }

  public static JsonObject request(ConsentRequest request) {
    ConsentRequest.Subject subject = request.subject();
    return JsonObject.builder()
        .put("actor", request.actor().toString())
        .put("kind", request.kind().wireName())
        .put("owner", subject.owner())
        .put("label", subject.label())
        .put("operation", subject.operation())
        .put("class", subject.operationClass().wireName())
        .put("preview", subject.preview())
        .put("preview_omitted", subject.previewOmitted())
        .put("version", subject.version())
        .build();
  }

  /**
   * @param user to whom the block belongs
   */
  public static PendingConsent pending(ConsentRow row, @Nullable String user) {
    JsonObject json = row.request();
    return new PendingConsent(
        row.id(),
        Actor.parse(text(json, "actor")),
        ConsentKind.valueOf(text(json, "kind").toUpperCase(Locale.ROOT)),
        user,
        new ConsentRequest.Subject(
            text(json, "owner"),
            text(json, "label"),
            text(json, "operation"),
            OperationClass.valueOf(text(json, "class").toUpperCase(Locale.ROOT)),
            text(json, "preview"),
            json.find("preview_omitted").map(MemoryRecords::number).orElse(0L),
            json.find("version").map(MemoryRecords::number).orElse(0L)),
        row.askedAt(),
        row.expiresAt());
  }

  private static String text(JsonObject json, String key) {
    return json.string(key).orElseThrow();
  }

  /** A block as its owner has it. */
  public static BlockMetadata metadata(BlockRow row) {
    return metadata(row, new BlockSettingsReader(row).permission(), row.settings().pinned());
  }

  /** A block as somebody has it: with this level, and pinned or not. */
  public static BlockMetadata metadata(BlockRow row, MemoryPermission level, boolean pinned) {
    BlockSettingsReader settings = new BlockSettingsReader(row);
    return new BlockMetadata(
        row.id(),
        row.owner(),
        row.user(),
        row.label(),
        row.settings().description(),
        settings.type(),
        settings.schema(),
        settings.charLimit(),
        level,
        pinned,
        row.createdAt(),
        row.updatedAt(),
        row.seq(),
        row.size());
  }

  /** A block as those see it with whom it is shared. */
  public static SharedBlockInfo shared(SharedBlock shared) {
    BlockSettingsReader settings = new BlockSettingsReader(shared.block());
    return new SharedBlockInfo(
        shared.block().id(),
        shared.block().owner(),
        shared.ownerName(),
        shared.block().user(),
        shared.block().label(),
        shared.block().settings().description(),
        settings.type(),
        settings.level(Objects.requireNonNull(shared.share().level(), "a live share has a level")),
        shared.share().pinned());
  }

  public static ArchivalEntry archived(ArchivalRow row) {
    return new ArchivalEntry(
        row.id(), row.agent(), row.user(), row.content(), row.metadata(), row.at());
  }
}
