package dev.contexture.server.agent;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.MemoryView;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.EraseReport;
import dev.contexture.store.memory.BlockRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Erasing for good: memory blocks, agents, users, the project. To erase what is gone already is no
 * failure, so that a caller may ask until it is told that nothing is left.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EraseRoutes {
  private static final String CONFIRM = "X-Confirm";
  private static final Pattern BLOCK_ID = Pattern.compile("mem_[0-9a-f]{32}");

  private EraseRoutes() {}

  static List<Route> routes(String agent) {
    return List.of(
        Route.delete("/v1/users/{user}", EraseRoutes::user).needing(KeyRole.ADMIN),
        Route.delete("/v1/project", EraseRoutes::project).needing(KeyRole.ADMIN),
        Route.delete(agent, EraseRoutes::agent).needing(KeyRole.ADMIN),
        Route.post(agent + "/blocks/restore", MemoryRoutes.found(EraseRoutes::restore)));
  }

  private static Response user(Call call) {
    call.caller().mayReachAllAgents();
    return answer(call.engine().eraseUser(call.user()));
  }

  private static Response agent(Call call) {
    call.caller().mayReachAllUsers();
    return answer(call.engine().eraseAgent(call.scope().agent(call.agent())));
  }

  private static Response project(Call call) {
    call.caller().mayReachAll();
    Scope scope = call.scope();
    String confirmed = call.http().header(CONFIRM);
    if (!scope.project().equals(confirmed)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          CONFIRM,
          confirmed,
          "the name of the project, " + scope.project() + ", since all of it goes");
    }
    return answer(call.engine().eraseProject(scope));
  }

  /** Erases a block by its label, or by its id, also if it is deleted. */
  static Response purge(Call call) {
    call.caller().mayReachAllUsers(); // memory of an agent is that of all its users
    String given = call.path("label");
    boolean id = BLOCK_ID.matcher(given).matches();
    MemoryStore memory = id ? call.memory() : MemoryView.ofOne(call);
    Optional<String> known =
        memory
            .getBlockMetadata(call.agent(), given)
            .filter(block -> block.owner().equals(call.agent()))
            .map(BlockMetadata::id)
            .or(() -> owned(call, given));
    boolean existed = memory.purgeBlock(known.orElse("")); // asks the gate in either case
    return done(call, "memory_blocks", existed);
  }

  /** A block of the agent, live or deleted; whether it is in the view is asked with the write. */
  private static Optional<String> owned(Call call, String id) {
    return block(call, id).map(BlockRow::id);
  }

  private static Optional<BlockRow> block(Call call, String id) {
    return call.engine()
        .store()
        .memory()
        .block(call.scope(), id)
        .filter(block -> block.owner().equals(call.agent()));
  }

  private static Response restore(Call call) {
    RequestFields body = MemoryView.body(call, "id");
    String id = body.requiredString("id");
    MemoryStore memory = call.memory();
    BlockRow deleted = block(call, id).orElse(null);
    if (deleted == null) {
      throw AgentRoutes.missing("id", id, "a deleted block of agent " + call.agent());
    }
    if (deleted.user() == null) {
      call.caller().mayChangeForAll("block \"" + deleted.label() + "\" is");
    }
    memory.restoreBlock(id);
    BlockMetadata block =
        memory
            .describeBlock(id)
            .orElseThrow(
                () -> AgentRoutes.missing("id", id, "a block that nobody deleted meanwhile"));
    return Response.ok(MemoryRoutes.metadata(block).build());
  }

  /** What was erased, once nothing of it is left; else that it is being finished. */
  static Response done(Call call, String kind, boolean existed) {
    Map<String, Long> counts = existed ? Map.of(kind, 1L) : Map.of();
    return answer(new EraseReport(counts, call.engine().isErasing(call.scope())));
  }

  /** The same for what answers without a body once nothing is left. */
  public static Response quietly(Call call, String kind, boolean existed) {
    Response answer = done(call, kind, existed);
    return answer.status() == 200 ? Response.noContent() : answer;
  }

  private static Response answer(EraseReport erased) {
    JsonObject.Builder counts = JsonObject.builder();
    erased.counts().forEach(counts::put);
    JsonObject body = JsonObject.of("erased", counts.build());
    return erased.pending()
        ? Response.json(202, body.with("pending", JsonValue.of(true)).toJson())
        : Response.ok(body);
  }
}
