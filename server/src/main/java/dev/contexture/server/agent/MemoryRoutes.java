package dev.contexture.server.agent;

import static dev.contexture.server.http.MemoryView.USER;

import dev.contexture.engine.memory.BlockAddress;
import dev.contexture.engine.memory.BlockChanges;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.BlockVersion;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.DocumentSnapshot;
import dev.contexture.memory.MemoryOp;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.MemoryView;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Memory blocks of agents, or of users of them: made, read, edited, set, shared, deleted. */
final class MemoryRoutes {
  private static final int DEFAULT_PAGE = 100;
  private static final int MAX_PAGE = 1_000;

  private MemoryRoutes() {}

  static List<Route> routes(String base) {
    String blocks = base + "/blocks";
    String one = blocks + "/{label}";
    return List.of(
        Route.post(blocks, found(MemoryRoutes::create)),
        Route.get(blocks, MemoryRoutes::list, "type", "deleted", USER),
        Route.get(one, MemoryRoutes::get, "at", "owner", USER),
        Route.patch(one, found(MemoryRoutes::change)),
        Route.delete(one, found(MemoryRoutes::delete), "purge", USER),
        Route.post(one + "/ops", found(MemoryRoutes::edit)),
        Route.post(one + "/undo", found(call -> reverted(call, true))),
        Route.post(one + "/redo", found(call -> reverted(call, false))),
        Route.get(one + "/history", MemoryRoutes::history, "after", "limit", USER),
        Route.get(one + "/shares", MemoryRoutes::shares, USER),
        Route.post(one + "/shares", found(MemoryRoutes::share)),
        Route.delete(one + "/shares/{with}", found(MemoryRoutes::unshare), USER),
        Route.get(base + "/shared", MemoryRoutes::shared, USER));
  }

  /** A write to a missing block is refused as a read of it is. */
  static Route.Handler found(Route.Handler handler) {
    return call -> {
      try {
        return handler.handle(call);
      } catch (ContextureException refused) {
        if (refused.code() != ErrorCode.BLOCK_NOT_FOUND) {
          throw refused;
        }
        String message = Objects.requireNonNullElse(refused.getMessage(), "no such block");
        throw new ContextureException(ErrorCode.NOT_FOUND, message, refused.details(), refused);
      }
    };
  }

  private static Response create(Call call) {
    RequestFields body =
        MemoryView.body(
            call,
            "label",
            "block_type",
            "description",
            "schema",
            "permission",
            "pinned",
            "char_limit",
            "content");
    JsonFields fields = body.fields();
    BlockSpec spec =
        BlockSpec.of(
                body.requiredString("label"),
                MemoryBlockType.named(body.requiredString("block_type")))
            .description(fields.string("description").orElse(""))
            .pinned(fields.flag("pinned", false));
    JsonValue schema = fields.value("schema");
    String permission = body.string("permission");
    Integer charLimit = charLimit(fields);
    JsonValue content = fields.value("content");
    spec = schema == null ? spec : spec.schema(BlockSchema.fromJson(schema));
    spec = permission == null ? spec : spec.permission(MemoryPermission.named(permission));
    spec = charLimit == null ? spec : spec.charLimit(charLimit);
    spec = content == null ? spec : spec.content(content);
    String id = call.memory().createBlock(call.agent(), spec);
    BlockMetadata made = call.memory().getBlockMetadata(call.agent(), spec.label()).orElse(null);
    long version = made == null ? 0 : made.version();
    return Response.created(
        JsonObject.builder()
            .put("id", id)
            .put("label", spec.label())
            .putIfPresent("user", made == null ? null : made.user())
            .put("version", version)
            .build());
  }

  private static @Nullable Integer charLimit(JsonFields fields) {
    OptionalLong given = fields.number("char_limit");
    return given.isEmpty()
        ? null
        : Math.clamp(given.getAsLong(), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static Response list(Call call) {
    MemoryBlockType type = call.query("type").map(MemoryBlockType::named).orElse(null);
    List<BlockMetadata> blocks =
        call.queryFlag("deleted")
            ? call.memory().listDeletedBlocks(call.agent())
            : call.memory().listBlocks(call.agent());
    return Response.ok(
        JsonObject.of(
            "blocks",
            ResponseForms.array(
                blocks.stream()
                    .filter(block -> type == null || block.type() == type)
                    .map(block -> metadata(block).build())
                    .toList())));
  }

  static JsonObject.Builder metadata(BlockMetadata block) {
    return JsonObject.builder()
        .put("id", block.id())
        .put("owner", block.owner())
        .putIfPresent("user", block.user())
        .put("label", block.label())
        .put("description", block.description())
        .put("block_type", block.type().wireName())
        .put("schema", block.schema().toJson())
        .put("char_limit", block.charLimit())
        .put("permission", block.permission().wireName())
        .put("pinned", block.pinned())
        .put("created_at", block.created().toString())
        .put("updated_at", block.updated().toString())
        .put("version", block.version())
        .put("size", block.size());
  }

  private static Response get(Call call) {
    String label = address(call, call.query("owner").orElse(null));
    OptionalLong at = call.queryNumber("at", 0);
    MemoryStore memory = MemoryView.ofOne(call);
    BlockMetadata block =
        memory.getBlockMetadata(call.agent(), label).orElseThrow(() -> missing(call, label));
    DocumentSnapshot content =
        (at.isPresent()
                ? memory.getBlockAt(call.agent(), label, at.getAsLong())
                : memory.getSnapshot(call.agent(), label))
            .orElseThrow(() -> missing(call, label));
    return Response.ok(
        metadata(block)
            .put("rendered", content.render())
            .put("value", content.value())
            .put("version", content.version())
            .build());
  }

  /** Content is reached by a bare label too, if only one block can be meant. */
  private static String address(Call call, @Nullable String owner) {
    return owner == null
        ? BlockAddress.of(MemoryView.ofOne(call), call.agent(), call.path("label"))
        : owner + "/" + call.path("label");
  }

  /**
   * The address of a block whose settings, shares or life a request changes.
   *
   * @throws ContextureException {@code forbidden} if the block is for all users and the key is not
   */
  private static String changed(Call call, String address) {
    MemoryView.ofOne(call)
        .getBlockMetadata(call.agent(), address)
        .filter(block -> block.user() == null)
        .ifPresent(block -> call.caller().mayChangeForAll("block \"" + block.label() + "\" is"));
    return address;
  }

  private static ContextureException missing(Call call, String label) {
    String user = MemoryView.user(call);
    return AgentRoutes.missing(
        "label",
        label,
        "a block of agent " + call.agent() + (user == null ? "" : ", for all or for user " + user));
  }

  private static Response change(Call call) {
    RequestFields body =
        MemoryView.body(
            call, "pinned", "block_type", "schema", "description", "permission", "char_limit");
    JsonFields fields = body.fields();
    JsonValue schema = fields.value("schema");
    String type = body.string("block_type");
    String permission = body.string("permission");
    BlockChanges changes =
        new BlockChanges(
            body.string("description"),
            permission == null ? null : MemoryPermission.named(permission),
            charLimit(fields),
            fields.value("pinned") == null ? null : fields.flag("pinned", false),
            type == null ? null : MemoryBlockType.named(type),
            schema == null ? null : BlockSchema.fromJson(schema));
    return Response.ok(
        metadata(
                call.memory()
                    .configureBlock(call.agent(), changed(call, address(call, null)), changes))
            .build());
  }

  /** Deletes an own block, or one that is shared at a level that allows it. */
  private static Response delete(Call call) {
    if (call.queryFlag("purge")) {
      return EraseRoutes.purge(call);
    }
    call.memory().deleteBlock(call.agent(), changed(call, address(call, null)));
    return Response.noContent();
  }

  private static Response edit(Call call) {
    RequestFields body = MemoryView.body(call, "ops", "owner", "base_version", "message");
    List<MemoryOp> ops = body.requiredList("ops", MemoryOp::fromJson);
    if (ops.isEmpty()) {
      throw RequestFields.required("ops", "at least one operation");
    }
    OptionalLong base = body.fields().number("base_version");
    Long seen = base.isPresent() ? base.getAsLong() : null;
    String label = address(call, body.string("owner"));
    MemoryStore.Edited<List<JsonObject>> edited =
        call.memory()
            .edit(
                call.agent(),
                label,
                Objects.requireNonNullElse(body.string("message"), ""),
                document -> {
                  List<JsonObject> results = new ArrayList<>();
                  for (MemoryOp op : ops) {
                    results.add(at(results.size(), () -> op.apply(document, seen)));
                  }
                  return results;
                });
    return Response.ok(
        JsonObject.builder()
            .put("results", ResponseForms.array(edited.result()))
            .put("version", edited.version())
            .build());
  }

  /** A refusal names the operation. */
  private static JsonObject at(int index, Supplier<JsonObject> op) {
    try {
      return op.get();
    } catch (ContextureException refused) {
      throw refused.within("ops[" + index + "]");
    }
  }

  private static Response reverted(Call call, boolean undo) {
    String named = MemoryView.body(call, "author").string("author");
    Actor author = named == null ? null : Actor.parse(named);
    MemoryStore memory = call.memory();
    String agent = call.agent();
    String label = address(call, null);
    MemoryStore.Undone done =
        author == null
            ? undo ? memory.undoBlock(agent, label) : memory.redoBlock(agent, label)
            : undo
                ? memory.undoBlock(agent, label, author)
                : memory.redoBlock(agent, label, author);
    return Response.ok(
        JsonObject.builder()
            .put("done", done.done())
            .put("undo_depth", done.undoDepth())
            .put("redo_depth", done.redoDepth())
            .put("version", done.version())
            .build());
  }

  private static Response history(Call call) {
    String label = address(call, null);
    MemoryStore memory = call.memory();
    if (memory.getBlockMetadata(call.agent(), label).isEmpty()) {
      throw missing(call, label);
    }
    List<BlockVersion> versions =
        memory.history(
            call.agent(),
            label,
            call.queryNumber("after", 0).orElse(0),
            call.limit(DEFAULT_PAGE, MAX_PAGE));
    return Response.ok(JsonObject.of("versions", rows(versions, MemoryRoutes::version)));
  }

  private static <T> JsonValue rows(List<T> items, Function<T, JsonObject> row) {
    return ResponseForms.array(items.stream().map(row).toList());
  }

  private static JsonObject version(BlockVersion version) {
    JsonObject.Builder json =
        JsonObject.builder()
            .put("version", version.version())
            .put("ts", version.at().toString())
            .put("actor", version.actor().toString())
            .put("operation", version.operation())
            .put("message", version.message())
            .put("size", version.sizeBytes());
    BlockVersion.Grant grant = version.grant();
    if (grant != null) {
      json.put("granted_by", grant.granter().toString());
      json.put("granted_at", grant.at().toString());
    }
    return json.build();
  }

  /** With whom an own block is shared: what others were given is for its owner to know. */
  private static Response shares(Call call) {
    String label = call.path("label");
    MemoryStore memory = MemoryView.ofOne(call);
    if (memory
        .getBlockMetadata(call.agent(), label)
        .filter(block -> block.owner().equals(call.agent()))
        .isEmpty()) {
      throw missing(call, label);
    }
    return Response.ok(
        JsonObject.of(
            "shares",
            rows(
                memory.listShares(call.agent(), label),
                row ->
                    JsonObject.builder()
                        .put("agent", row.agent())
                        .putIfPresent("permission", row.level())
                        .build())));
  }

  private static Response share(Call call) {
    RequestFields body = MemoryView.body(call, "agent", "permission");
    String with = body.requiredString("agent");
    MemoryPermission level = MemoryPermission.named(body.requiredString("permission"));
    call.memory().shareBlock(call.agent(), changed(call, call.path("label")), with, level);
    return Response.ok(
        JsonObject.builder().put("agent", with).put("permission", level.wireName()).build());
  }

  private static Response unshare(Call call) {
    call.memory().unshareBlock(call.agent(), changed(call, call.path("label")), call.path("with"));
    return Response.noContent();
  }

  private static Response shared(Call call) {
    return Response.ok(
        JsonObject.of(
            "blocks",
            rows(call.memory().listSharedBlocks(call.agent()), MemoryRoutes::sharedBlock)));
  }

  private static JsonObject sharedBlock(SharedBlockInfo shared) {
    return JsonObject.builder()
        .put("id", shared.blockId())
        .put("owner", shared.owner())
        .put("owner_name", shared.ownerName())
        .putIfPresent("user", shared.user())
        .put("label", shared.label())
        .put("description", shared.description())
        .put("block_type", shared.type().wireName())
        .put("permission", shared.permission().wireName())
        .put("pinned", shared.pinned())
        .build();
  }
}
