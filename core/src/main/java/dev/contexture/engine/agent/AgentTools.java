package dev.contexture.engine.agent;

import dev.contexture.block.CallId;
import dev.contexture.block.Limits;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.search.Search;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.session.WorkInFlight;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.request.ToolDef;
import dev.contexture.store.StoredBlock;
import dev.contexture.tool.ToolSpec;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The built-in tools of one agent: what a model is told about them, and what runs them.
 *
 * <p>They always act as the agent, so that every write passes the gate. Inside a conversation they
 * see messages and memory of its user only, beside what the agent has for all; what they make
 * belongs to that user; and there are three more of them: {@code react.read}, {@code react.hide}
 * and {@code react.memsearch}.
 *
 * <p>{@link #run} never throws: what is refused, and what fails, is an answer that says so.
 * Thread-safe.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class AgentTools {
  private static final System.Logger LOG = System.getLogger(AgentTools.class.getName());
  private static final String MEMSEARCH_ALIAS = "react.memory_read";

  private final ToolServices services;
  private final Scope.@Nullable OfAgent agent;
  private final @Nullable Session chat;
  private final long maxTokens;
  private final boolean messages;

  /**
   * The services that tools work with.
   *
   * @param agentWide whether they may make memory for all users in a conversation of one
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record ToolServices(
      MemoryStore memory,
      Search search,
      InstantSource clock,
      IdGenerator ids,
      Limits limits,
      WorkInFlight calls,
      boolean agentWide) {}

  private AgentTools(
      ToolServices services,
      Scope.@Nullable OfAgent agent,
      @Nullable Session chat,
      long maxTokens,
      boolean messages) {
    this.messages = messages;
    this.services = services;
    this.agent = agent;
    this.chat = chat;
    this.maxTokens = maxTokens;
  }

  /** The tools of an agent outside a conversation: its memory, or its part for one user. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public static AgentTools ofAgent(ToolServices services, Scope.OfAgent agent) {
    return new AgentTools(services, agent, null, Long.MAX_VALUE, true);
  }

  /**
   * The tools of an agent in a conversation.
   *
   * @param agent null: no agent is known, so that there is no memory
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public static AgentTools inConversation(
      ToolServices services, Session chat, Scope.@Nullable OfAgent agent) {
    Scope.OfAgent forUser = agent == null ? null : agent.forUser(chat.scope().user());
    return new AgentTools(services, forUser, chat, Long.MAX_VALUE, true);
  }

  /**
   * The same tools for a context of this size, of which one read gets a share; without it a read
   * gets as much as with the largest context.
   */
  public AgentTools withMaxTokens(long tokens) {
    return new AgentTools(services, agent, chat, tokens, messages);
  }

  /** The same tools for one user of the agent; in a conversation they are for its user anyway. */
  public AgentTools withUser(String one) {
    return agent == null || chat != null
        ? this
        : new AgentTools(services, agent.forUser(one), null, maxTokens, messages);
  }

  /** The same tools without what users said, where they work for no user. */
  public AgentTools withoutMessages() {
    return new AgentTools(services, agent, chat, maxTokens, false);
  }

  /** The same tools for somebody who may not see everything: scores come from rank alone. */
  public AgentTools withScoresByRank() {
    ToolServices ranked =
        new ToolServices(
            services.memory(),
            services.search().byRank(),
            services.clock(),
            services.ids(),
            services.limits(),
            services.calls(),
            services.agentWide());
    return new AgentTools(ranked, agent, chat, maxTokens, messages);
  }

  /** All built-in tools, by name. */
  public static List<ToolSpec> all() {
    return AgentToolSpecs.ALL;
  }

  /** The tools as a registry has them, by name. */
  public List<ToolSpec> specs() {
    if (agent == null) {
      return AgentToolSpecs.OF_CONVERSATION;
    }
    return chat == null ? AgentToolSpecs.OF_MEMORY : AgentToolSpecs.ALL;
  }

  /** The tools as a request takes them, by name. */
  public List<ToolDef> definitions() {
    return specs().stream()
        .map(tool -> new ToolDef(tool.name(), tool.description(), tool.parameters().toJson()))
        .toList();
  }

  /** Whether a tool is one of these. */
  public boolean has(String tool) {
    return find(tool).isPresent();
  }

  private Optional<ToolSpec> find(String tool) {
    String name = tool.equals(MEMSEARCH_ALIAS) ? AgentToolSpecs.MEMSEARCH.name() : tool;
    return specs().stream().filter(spec -> spec.name().equals(name)).findFirst();
  }

  /** Runs a call; {@link dev.contexture.Turn#answer(ToolCall, ToolAnswer)} stores what it gives. */
  public ToolAnswer run(ToolCall call) {
    ToolSpec tool = find(call.tool()).orElse(null);
    if (tool == null) {
      return ToolResults.failed(ToolParams.invalid("tool", call.tool(), names()));
    }
    String arguments = call.arguments();
    JsonObject params =
        JsonText.isObject(arguments) && JsonValue.parse(arguments) instanceof JsonObject object
            ? object
            : JsonObject.of("arguments", JsonValue.of(arguments));
    Session conversation = chat;
    if (conversation != null && AgentToolSpecs.ofConversation(tool)) {
      return new ReactTools(conversation, services.search(), services.clock(), maxTokens)
          .run(tool, params, call.id());
    }
    return agent == null
        ? ToolResults.failed(ToolParams.invalid("tool", call.tool(), names()))
        : remember(tool, params, agent);
  }

  private String names() {
    return String.join(", ", specs().stream().map(ToolSpec::name).toList());
  }

  /**
   * Runs a tool for a host that calls it, and stores the round in the open turn: the call, and what
   * came of it. A call of the turn that waits for a result is answered; one that has its result
   * gives that again, so that a repeat changes nothing, also one that comes while the first runs.
   *
   * @param given the id of the call; null: a new one
   * @return what was stored
   * @throws ContextureException {@code not_found} for a tool that there is not, {@code
   *     no_active_turn}, or {@code id_conflict} if the id is that of another call
   */
  public List<StoredBlock> perform(String tool, JsonObject params, @Nullable String given) {
    Session conversation = chat;
    if (conversation == null || !has(tool)) {
      throw ContextureException.invalid(ErrorCode.NOT_FOUND, "tool", tool, names());
    }
    CallId id = given == null ? services.ids().call() : CallId.of(given);
    String foreign = given == null || CallId.isEngineForm(given) ? null : given;
    HostCall call = new HostCall(conversation, new ToolCall(id, foreign, tool, params.toJson()));
    return services.calls().alone(conversation.scope(), id.value(), () -> call.perform(this::run));
  }

  /** An answer that no block could hold would leave the call without one. */
  private ToolAnswer fitting(ToolAnswer answer) {
    int bytes = answer.json().toJson().getBytes(StandardCharsets.UTF_8).length;
    int most = services.limits().textBytes();
    if (bytes > most) {
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED, "answer", most, bytes, "bytes; ask for fewer lines or hits");
    }
    return answer;
  }

  private ToolAnswer remember(ToolSpec tool, JsonObject params, Scope.OfAgent whose) {
    try {
      MemoryBlocks own = new MemoryBlocks(services.memory(), whose, services.agentWide());
      ToolParams read = ToolParams.of(tool, params);
      return fitting(
          switch (tool.name()) {
            case "block" -> new BlockTool(own).run(read);
            case "block_edit" -> new BlockEditTool(own).run(read);
            case "recall" -> new RecallTool(own).run(read);
            case "search" ->
                new SearchTool(own, services.clock(), whose.user(), messages).run(read);
            default -> throw new IllegalStateException("no such tool: " + tool.name());
          });
    } catch (ContextureException refused) {
      return ToolResults.failed(refused);
    } catch (RuntimeException defect) {
      LOG.log(System.Logger.Level.ERROR, tool.name() + " failed", defect);
      return ToolResults.failed(
          new ContextureException(
              ErrorCode.INTERNAL, tool.name() + ToolResults.UNFORESEEN, Map.of(), defect));
    }
  }
}
