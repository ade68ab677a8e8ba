package dev.contexture.server.agent;

import dev.contexture.engine.memory.ArchivalEntry;
import dev.contexture.engine.memory.BlockTemplate;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.PendingConsent;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.search.MetadataFilter;
import dev.contexture.search.SearchCodec;
import dev.contexture.search.SearchContent;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.MemoryView;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.memory.AgentRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Agents, what they keep for good, and what waits for approval. */
final class AgentRoutes {
  private static final int DEFAULT_PAGE = 100;
  private static final int MAX_PAGE = 1_000;
  private static final int EXCERPT_CHARS = 240;

  private AgentRoutes() {}

  static List<Route> routes(String base) {
    return List.of(
        Route.get("/v1/agents", AgentRoutes::list, "limit", "cursor"),
        Route.put(base, AgentRoutes::put),
        Route.get(base, AgentRoutes::get),
        Route.post(base + "/archival", AgentRoutes::insert),
        Route.get(
            base + "/archival",
            AgentRoutes::entries,
            "limit",
            "cursor",
            "content",
            "metadata",
            MemoryView.USER),
        Route.get(base + "/archival/{id}", AgentRoutes::entry, MemoryView.USER),
        Route.delete(base + "/archival/{id}", AgentRoutes::delete, MemoryView.USER),
        Route.get(base + "/users", AgentRoutes::users),
        Route.post(base + "/move", MemoryRoutes.found(AgentRoutes::move)),
        Route.put(base + "/template", AgentRoutes::putTemplate),
        Route.get(base + "/template", AgentRoutes::template),
        Route.delete(base + "/template", AgentRoutes::deleteTemplate),
        Route.get(base + "/consents", AgentRoutes::consents).needing(KeyRole.ADMIN),
        Route.post(base + "/consents/{id}", AgentRoutes::answer).needing(KeyRole.ADMIN));
  }

  private static Response list(Call call) {
    int limit = call.limit(DEFAULT_PAGE, MAX_PAGE);
    String cursor = call.query("cursor").orElse(null);
    String only = call.caller().grant().agent();
    MemoryStore memory = call.engine().memory(call.scope());
    List<AgentRow> page =
        only == null
            ? memory.agents(cursor, limit + 1)
            : memory.agent(only).filter(own -> cursor == null).stream().toList();
    List<JsonObject> rows = new ArrayList<>();
    for (AgentRow agent : page.subList(0, Math.min(limit, page.size()))) {
      rows.add(json(agent));
    }
    JsonValue next =
        page.size() > limit ? JsonValue.of(page.get(limit - 1).agent()) : ResponseForms.NULL;
    return Response.ok(
        JsonObject.builder()
            .put("agents", ResponseForms.array(rows))
            .put("next_cursor", next)
            .build());
  }

  private static JsonObject json(AgentRow agent) {
    String partner = agent.partner();
    return JsonObject.builder()
        .put("agent", agent.agent())
        .put("name", agent.name())
        .put("description", agent.description())
        .put("created_at", agent.createdAt().toString())
        .put("partner", partner == null ? ResponseForms.NULL : JsonValue.of(partner))
        .build();
  }

  private static Response put(Call call) {
    call.caller().mayChangeForAll("the agent is");
    RequestFields body = call.body("name", "description", "partner");
    String partner = body.isNull("partner") ? "" : body.string("partner");
    return Response.ok(
        json(
            call.memory()
                .putAgent(call.agent(), body.string("name"), body.string("description"), partner)));
  }

  private static Response get(Call call) {
    return call.memory()
        .agent(call.agent())
        .map(agent -> Response.ok(json(agent)))
        .orElseThrow(() -> missing("agent", call.agent(), "an agent that was used"));
  }

  static ContextureException missing(String what, String given, String allowed) {
    return ContextureException.invalid(ErrorCode.NOT_FOUND, what, given, allowed);
  }

  private static Response insert(Call call) {
    RequestFields body = MemoryView.body(call, "content", "metadata");
    String id =
        call.memory()
            .insertArchival(
                call.agent(), body.requiredString("content"), body.fields().value("metadata"));
    return Response.created(JsonObject.builder().put("id", id).build());
  }

  private static Response entry(Call call) {
    ArchivalEntry entry =
        call.memory()
            .getArchival(call.agent(), call.path("id"))
            .orElseThrow(() -> missing("id", call.path("id"), "an archival entry of the agent"));
    return Response.ok(json(entry, SearchContent.FULL).without("excerpt"));
  }

  private static JsonObject json(ArchivalEntry entry, SearchContent content) {
    String text = entry.content();
    int chars = text.codePointCount(0, text.length());
    JsonObject.Builder json =
        JsonObject.builder()
            .put("id", entry.id())
            .put("agent", entry.agent())
            .putIfPresent("user", entry.user());
    if (content == SearchContent.FULL) {
      json.put("content", text);
    }
    json.put(
            "excerpt",
            chars <= EXCERPT_CHARS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, EXCERPT_CHARS)) + "\u2026")
        .put("content_chars", chars)
        .put("ts", entry.at().toString());
    JsonValue metadata = entry.metadata();
    return (metadata == null ? json : json.put("metadata", metadata)).build();
  }

  /** A page of entries; those of another agent are refused as its search is. */
  private static Response entries(Call call) {
    String agent = MemoryView.readableAgent(call);
    SearchContent content =
        SearchCodec.content(call.query("content").orElse(SearchContent.EXCERPT.wireName()));
    JsonValue wanted = call.query("metadata").map(AgentRoutes::parsed).orElse(JsonObject.EMPTY);
    if (!(wanted instanceof JsonObject members)) {
      throw RequestFields.wrongType("metadata", wanted, "an object, as JSON");
    }
    String cursor = call.query("cursor").orElse(null);
    if (cursor != null && !cursor.startsWith("arc_")) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "cursor", cursor, "next_cursor of the page before");
    }
    ArchivalEntry.Page page =
        call.metered(
            () ->
                call.memory()
                    .listArchival(
                        agent,
                        new MetadataFilter(members),
                        cursor,
                        call.limit(DEFAULT_PAGE, MAX_PAGE)));
    List<JsonObject> rows = page.entries().stream().map(each -> json(each, content)).toList();
    String next = page.next();
    return Response.ok(
        JsonObject.builder()
            .put("entries", ResponseForms.array(rows))
            .put("next_cursor", next == null ? ResponseForms.NULL : JsonValue.of(next))
            .build());
  }

  private static JsonValue parsed(String text) {
    try {
      return JsonValue.parse(text);
    } catch (ContextureException malformed) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "metadata", text, "an object, as JSON");
    }
  }

  /** Users who have memory of their own at the agent. */
  private static Response users(Call call) {
    List<String> users = host(call).users(MemoryView.readableAgent(call));
    return Response.ok(JsonObject.of("users", JsonArray.ofStrings(users)));
  }

  private static MemoryStore host(Call call) {
    call.caller().mayReachAllUsers();
    return call.engine().memory(call.scope());
  }

  /** Gives memory to a user or back to the agent. */
  private static Response move(Call call) {
    RequestFields body = MemoryView.body(call, "to", "labels", "entries", "dry_run");
    boolean dryRun = body.fields().flag("dry_run", false);
    String to = body.string("to");
    if (to == null && !body.isNull("to")) {
      throw RequestFields.required(
          "to", "a user, or null: back to the agent, for all of its users");
    }
    List<String> labels = body.fields().strings("labels");
    List<String> entries = body.fields().strings("entries");
    if (labels.isEmpty() && entries.isEmpty()) {
      throw RequestFields.required("labels", "labels of blocks, or entries: ids of entries");
    }
    MemoryStore memory = host(call).actingAs(call.givenActor().orElse(Actor.system()));
    MemoryStore.Moved moved =
        memory
            .forUser(MemoryView.user(call))
            .move(
                MemoryView.readableAgent(call),
                new MemoryStore.Move(
                    labels,
                    entries,
                    to == null ? null : MemoryView.checked(call, "to", to),
                    dryRun));
    return Response.ok(
        JsonObject.builder()
            .put(
                "blocks",
                ResponseForms.array(
                    moved.blocks().stream()
                        .map(block -> MemoryRoutes.metadata(block).build())
                        .toList()))
            .put(
                "entries",
                ResponseForms.array(
                    moved.entries().stream()
                        .map(entry -> json(entry, SearchContent.EXCERPT))
                        .toList()))
            .put("dry_run", dryRun)
            .build());
  }

  /** A write of the host: it decides what every user gets. */
  private static Response putTemplate(Call call) {
    RequestFields body = call.body("label", "description", "block_type", "schema");
    String type = body.string("block_type");
    JsonValue schema = body.fields().value("schema");
    BlockTemplate template =
        new BlockTemplate(
            body.requiredString("label"),
            Objects.requireNonNullElse(body.string("description"), ""),
            type == null ? MemoryBlockType.CORE : MemoryBlockType.named(type),
            schema == null ? TextSchema.PLAIN : BlockSchema.fromJson(schema));
    host(call).setTemplate(MemoryView.readableAgent(call), template);
    return Response.ok(json(template));
  }

  private static JsonObject json(BlockTemplate template) {
    return JsonObject.builder()
        .put("label", template.label())
        .put("description", template.description())
        .put("block_type", template.type().wireName())
        .put("schema", template.schema().toJson())
        .build();
  }

  private static Response template(Call call) {
    return call.memory()
        .template(MemoryView.readableAgent(call))
        .map(template -> Response.ok(json(template)))
        .orElseThrow(() -> missing("template", call.agent(), "an agent that has one"));
  }

  private static Response deleteTemplate(Call call) {
    host(call).setTemplate(MemoryView.readableAgent(call), null);
    return Response.noContent();
  }

  private static Response delete(Call call) {
    String id = call.path("id");
    ArchivalEntry entry = call.memory().getArchival(call.agent(), id).orElse(null);
    if (entry == null) {
      requireUnknown(call, id);
    } else {
      if (entry.user() == null) {
        call.caller().mayChangeForAll("the entry is");
      }
      call.memory().deleteArchival(id);
    }
    return EraseRoutes.quietly(call, "archival", entry != null);
  }

  /**
   * To erase what is gone is no failure, to erase what another user has is one. To a key that is
   * bound to a user that of others is unknown.
   */
  private static void requireUnknown(Call call, String id) {
    boolean others =
        call.caller().grant().user() == null
            && call.engine()
                .memory(call.scope())
                .forEverybody()
                .getArchival(MemoryView.readableAgent(call), id)
                .isPresent();
    if (others) {
      throw missing(
          "id", id, "an archival entry of the agent for all, or for the user that is named");
    }
  }

  /** A read: without a header it is the host's, since agents see no consents. */
  private static Response consents(Call call) {
    Actor actor = call.givenActor().orElse(Actor.system());
    List<JsonValue> rows = new ArrayList<>();
    for (PendingConsent pending :
        call.engine()
            .memory(call.scope())
            .actingAs(actor)
            .forUser(call.caller().grant().user())
            .pendingConsents()) {
      if (isOf(call.agent(), pending)) {
        rows.add(json(pending));
      }
    }
    return Response.ok(JsonObject.of("consents", new JsonArray(rows)));
  }

  /** Whether an agent waits for it, or a block of the agent is meant. */
  private static boolean isOf(String agent, PendingConsent pending) {
    return pending.subject().owner().equals(agent) || pending.actor().equals(Actor.agent(agent));
  }

  private static JsonObject json(PendingConsent pending) {
    return JsonObject.builder()
        .put("id", pending.id())
        .put("actor", pending.actor().toString())
        .put("kind", pending.kind().wireName())
        .put("owner", pending.subject().owner())
        .putIfPresent("user", pending.user())
        .put("label", pending.subject().label())
        .put("operation", pending.subject().operation())
        .put("preview", pending.subject().preview())
        .put("preview_omitted", pending.subject().previewOmitted())
        .put("version", pending.subject().version())
        .put("asked_at", pending.askedAt().toString())
        .put("expires_at", pending.expiresAt().toString())
        .build();
  }

  /** The consent of the path, which must be one of the agent's. */
  private static PendingConsent pending(Call call) {
    String id = call.path("id");
    return call.memory().pendingConsents().stream()
        .filter(pending -> pending.id().equals(id) && isOf(call.agent(), pending))
        .findFirst()
        .orElseThrow(
            () ->
                missing(
                    "id", id, "a consent of the agent that waits: neither decided nor expired"));
  }

  private static Response answer(Call call) {
    RequestFields body = call.body("decision", "reason");
    String decision = body.requiredString("decision");
    switch (decision) {
      case "grant" -> call.memory().grantConsent(pending(call).id());
      case "deny" -> call.memory().denyConsent(pending(call).id(), body.string("reason"));
      default ->
          throw ContextureException.invalid(
              ErrorCode.INVALID_ARGUMENT, "decision", decision, "grant or deny");
    }
    return Response.ok(
        JsonObject.builder().put("id", call.path("id")).put("decision", decision).build());
  }
}
