package dev.contexture.engine.request;

import dev.contexture.block.Scope;
import dev.contexture.engine.ledger.BlockAttribution;
import dev.contexture.engine.ledger.Ledger;
import dev.contexture.engine.session.Session;
import dev.contexture.render.RenderReport;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.tool.ToolSpec;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Writes the provider's body, as far as possible with the bytes that the last one had. */
final class WriteStep implements RequestStep {
  @Override
  public void run(RequestState state) {
    Session session = state.session();
    Providers.Target target = state.target();
    state.id = session.services().ids().of("req");
    RequestInput input =
        RequestInput.builder(target.model(), outputTokens(state, target))
            .system(state.system)
            .systemTokens(state.systemTokens)
            .tools(tools(state))
            .toolChoice(state.options.toolChoice)
            .params(state.options.params)
            .messages(state.messages)
            .points(state.points)
            .volatileParts(state.volatileParts)
            .cacheKey(cacheKey(state, session))
            .stream(state.options.stream)
            .cache(
                Ledger.of(session)
                    .policy(state.options.cache, target, state.options.agent, room(state)))
            .last(Ledger.of(session).last(target, state.options.agent))
            .highTokens(target.profile().unknownModel() ? 0 : state.estimate().high())
            .proof(state.options.proof)
            .build();
    state.input = input;
    state.request = session.writer(target.format()).write(input);
    state.attribution = attribution(state);
  }

  /** What was counted, block by block. */
  private static BlockAttribution attribution(RequestState state) {
    List<Long> tail = new ArrayList<>();
    int last = state.messages.isEmpty() ? 0 : state.messages.getLast().parts().size();
    int tailFrom = last - state.volatileParts;
    for (int i = tailFrom; i < last - state.tail.size(); i++) { // sources, what is announced
      Part part = state.messages.getLast().parts().get(i);
      tail.add(part instanceof Part.Text text ? EpochStep.cost(state, text.text()) : 0);
    }
    tail.addAll(state.tailCosts);
    List<Long> system = new ArrayList<>();
    state.system.forEach(part -> system.add(EpochStep.cost(state, part.text())));
    return new BlockAttribution(
        state.context().origins(),
        state.places,
        new BlockAttribution.Costs(state.toolCosts, system, tail, tailFrom),
        state.meter);
  }

  static int outputTokens(RequestState state, Providers.Target target) {
    long reserved = state.limits.reservedResponseTokens();
    int known = target.profile().maxOutput();
    long most = known > 0 ? Math.min(known, reserved) : reserved;
    return state.options.maxOutputTokens.orElse((int) Math.min(Integer.MAX_VALUE, most));
  }

  static List<ToolDef> tools(RequestState state) {
    List<ToolDef> tools = new ArrayList<>(state.nativeTools);
    List<ToolSpec> functions = state.tools == null ? List.of() : state.tools;
    for (ToolSpec tool : functions) {
      tools.add(new ToolDef(tool.name(), tool.description(), tool.parameters().toJson()));
    }
    return List.copyOf(tools);
  }

  /** How much may come until the next compaction; negative: there is no limit. */
  private static long room(RequestState state) {
    RenderReport report = state.context().report();
    OptionalLong limit = report.limit();
    return limit.isEmpty() ? -1 : Math.max(0, limit.getAsLong() - report.totalTokens());
  }

  /** Names the conversation to the cache router, if the host has a secret for that. */
  private static @Nullable String cacheKey(RequestState state, Session session) {
    Scope.OfConversation scope = session.scope();
    return session
        .services()
        .cacheSecrets()
        .apply(scope.tenant())
        .map(
            secret -> CacheKey.of(secret, scope, state.options.agent, CacheKey.Policy.CONVERSATION))
        .orElse(null);
  }
}
