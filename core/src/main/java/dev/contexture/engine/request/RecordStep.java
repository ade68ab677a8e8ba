package dev.contexture.engine.request;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.ToolKind;
import dev.contexture.engine.ledger.CacheLife;
import dev.contexture.engine.ledger.Ledger;
import dev.contexture.engine.ledger.LedgerRecord;
import dev.contexture.engine.ledger.RequestContents;
import dev.contexture.engine.ledger.RequestEffects;
import dev.contexture.engine.session.InFlightRequests;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.model.CacheRules;
import dev.contexture.model.RequestRule;
import dev.contexture.model.WireFinding;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.prompt.EpochState;
import dev.contexture.prompt.Omission;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.CacheSetting;
import dev.contexture.request.Fingerprint;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.store.Commit;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Row;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Summary;
import dev.contexture.view.Part;
import dev.contexture.view.TailMemory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes in one commit what the next request needs to know: the record of this one, the epoch, and
 * what the turn refers to. A context that no provider gets has no record. Where another writer came
 * between, nothing is written and the request is overtaken.
 */
final class RecordStep implements RequestStep {
  @Override
  public void run(RequestState state) {
    Session session = state.session();
    RequestEffects effects = effects(state, session);
    if (effects == null) {
      state.overtaken = true;
    } else if (state.request != null) {
      enter(state, session, effects);
    } else if (!effects.isEmpty()) {
      commit(state, session, effects);
    }
  }

  /** What is written beside the record; null: another build has begun the epoch meanwhile. */
  private static @Nullable RequestEffects effects(RequestState state, Session session) {
    long version = session.current().version(); // before rows are read
    List<Row> rows = new ArrayList<>(state.touches);
    JsonObject note = null;
    TurnRow referring = referring(state, session);
    if (referring != null) {
      rows.add(new Row.PutTurn(referring));
      note =
          JsonObject.builder()
              .put("type", "turn")
              .put("turn_id", referring.turn().value())
              .put("operation", MemoryStep.BLOCK_REFS)
              .build();
    }
    TurnId turn = state.source.turn();
    if (state.windowWasFull && turn != null) {
      rows.add(new Row.SetPendingAnswer(turn, null)); // this request is the shorter one
      note = note == null ? shortened(turn) : note;
    }
    EpochChoice epoch = state.epoch;
    String agent = state.options.agent;
    if (epoch != null && agent != null) {
      Instant now = session.services().now();
      String cause = epoch.cause();
      if (cause == null) {
        rows.add(new Row.TouchEpoch(agent, now));
      } else if (isBegun(session, agent, epoch.number())) {
        return null;
      } else {
        EpochState shown = state.shown().withBasis(EpochStep.basis(state));
        rows.add(
            new Row.PutEpoch(
                new EpochRow(agent, epoch.number(), now, now, shown.toJson(), shown.shownIds())));
        note =
            JsonObject.builder()
                .put("type", "epoch")
                .put("agent", agent)
                .put("number", epoch.number())
                .put("cause", cause)
                .build();
      }
    }
    List<Block> put = put(state, session);
    if (!put.isEmpty() && turn != null && note == null) {
      note = JsonObject.builder().put("type", "block").put("turn_id", turn.value()).build();
    }
    return new RequestEffects(rows, put, version, note);
  }

  /** The user's word that the provider needed behind the assistant's. */
  private static List<Block> put(RequestState state, Session session) {
    ProviderRequest request = state.request;
    TurnId turn = state.source.turn();
    boolean put =
        request != null
            && request.repairs().stream().anyMatch(repair -> repair.rule() == RequestRule.V05);
    if (!put || turn == null) {
      return List.of();
    }
    String text = ((Part.Text) Part.FILLER).text();
    return List.of(
        Block.builder(BlockType.CONTEXT_TAIL)
            .author(Author.of("prover"))
            .meta(TailMemory.meta(null, text, List.of()))
            .text(text)
            .build(turn, session.services().now()));
  }

  private static JsonObject shortened(TurnId turn) {
    return JsonObject.builder()
        .put("type", "turn")
        .put("turn_id", turn.value())
        .put("operation", "shortened")
        .build();
  }

  private static boolean isBegun(Session session, String agent, long number) {
    return session
        .services()
        .store()
        .epoch(session.scope(), agent)
        .filter(stored -> stored.number() >= number)
        .isPresent();
  }

  /** The turn with all that it refers to; null: that is recorded, or it is not open any more. */
  private static @Nullable TurnRow referring(RequestState state, Session session) {
    TurnId active = state.activeTurn;
    if (active == null
        || state.references.isEmpty()
        || !session.current().timeline().activeTurn().equals(Optional.of(active))) {
      return null;
    }
    Set<String> all = new LinkedHashSet<>(MemoryStep.recorded(session, active));
    if (!all.addAll(state.references)) {
      return null;
    }
    TurnRow row = session.services().store().turn(session.scope(), active).orElseThrow().row();
    return row.withMeta(
        row.meta().with(MemoryStep.BLOCK_REFS, JsonArray.ofStrings(List.copyOf(all))));
  }

  private static void commit(RequestState state, Session session, RequestEffects effects) {
    WriteSet.Builder set = WriteSet.of(session.scope(), session.services().now());
    effects.addTo(set);
    Commit commit = session.commit(set.build(), effects::applied);
    if (Session.isOvertaken(commit)) {
      state.overtaken = true;
    } else if (commit instanceof Commit.Conflict conflict) {
      throw session.conflict(conflict);
    }
  }

  private static void enter(RequestState state, Session session, RequestEffects effects) {
    Providers.Target target = state.target();
    LedgerSettings.Mode check = state.options.check;
    Optional<Ledger.Entered> entered =
        Ledger.of(session)
            .enter(
                new Ledger.Draft(
                    state.id,
                    target,
                    state.request(),
                    state.attribution(),
                    record(state, session, target),
                    epochName(state),
                    check == null ? session.services().ledger().mode() : check,
                    Objects.requireNonNull(state.source.turn()),
                    state.options.agent,
                    memory(state),
                    state.version,
                    contents(state),
                    Ledger.preserves(target.profile()) ? tail(state) : List.of(),
                    effects));
    if (entered.isEmpty()) {
      state.overtaken = true;
      return;
    }
    state.prefix = entered.get().prefix();
    state.divergence = entered.get().divergence();
    state.metadata = state.metadata().withWarnings(traffic(state, session, target));
  }

  /** Ids of the memory blocks that its record shows or names. */
  private static Set<String> memory(RequestState state) {
    Set<String> named = new LinkedHashSet<>();
    state.metadata().dropped().forEach(omission -> named.add(omission.id()));
    Set<String> memory = new LinkedHashSet<>(state.shownMemory);
    state.reach.forEach(
        (id, label) -> {
          if (named.contains(label)) {
            memory.add(id);
          }
        });
    return Set.copyOf(memory);
  }

  private static RequestContents contents(RequestState state) {
    ContextMetadata metadata = state.metadata();
    boolean whole =
        metadata.dropped().stream()
            .noneMatch(omission -> omission.reason() == Omission.Reason.NOT_TAKEN);
    return RequestContents.of(
        state.context().view(),
        whole ? List.of() : state.attribution().unsent(state.request()),
        metadata);
  }

  /**
   * What was sent may change when another summary stands for it, other turns are left out, or
   * memory is shown again.
   */
  private static String epochName(RequestState state) {
    String summary = state.context().view().window().summary().map(Summary::id).orElse("");
    Set<TurnId> omitted = state.context().view().timeline().omittedTurns();
    String turns =
        omitted.isEmpty()
            ? ""
            : "-" + omitted.stream().map(TurnId::value).sorted().toList().hashCode();
    ContextMetadata.Epoch memory = state.metadata().epoch();
    CachePolicy.HostCache held = state.options.cache.explicit();
    return summary
        + turns
        + (memory == null ? "" : "@" + state.options.agent + "/" + memory.number())
        + (held == null ? "" : "+" + held.name() + "/" + held.coversBlocks());
  }

  /** The texts that the next request will not repeat. */
  private static List<String> tail(RequestState state) {
    List<Part> parts = state.messages.isEmpty() ? List.of() : state.messages.getLast().parts();
    return parts.subList(Math.max(0, parts.size() - state.volatileParts), parts.size()).stream()
        .flatMap(part -> part instanceof Part.Text text ? Stream.of(text.text()) : Stream.empty())
        .toList();
  }

  /** What is recorded beside the blocks, so that its answer can be understood. */
  private static JsonObject record(RequestState state, Session session, Providers.Target target) {
    ContextMetadata.Tokens tokens = state.metadata().tokens();
    JsonObject.Builder aliases = JsonObject.builder();
    state.request().aliases().forEach(aliases::put);
    JsonObject kinds = toolKinds(state);
    JsonObject known = state.metadata().toJson();
    JsonObject.Builder record = JsonObject.builder();
    if (!kinds.isEmpty()) {
      record.put("tool_kinds", kinds);
    }
    if (state.epoch != null) {
      record.putIfPresent("epoch_cause", state.epoch.cause());
    }
    return record
        .put("provider", target.model().provider())
        .put("format", target.format().name())
        .put("model", target.model().model())
        .putIfPresent("agent", state.options.agent)
        .put("system_tokens", state.systemTokens)
        .put("stable_tokens", tokens.summary() + tokens.history())
        .put("tail_tokens", state.tailTokens())
        .put("total_tokens", tokens.total())
        .put("sections", known.object("tokens").orElseThrow())
        .put("max_tokens", state.metadata().limits().limits().maxTokens())
        .put("base_tokens", state.baseTokens)
        .put("media_tokens", state.mediaTokens)
        .put("estimated_tokens", state.estimate().tokens())
        .put("body_bytes", state.request().body().sizeBytes())
        .put("aliases", aliases.build())
        .put("scope", cacheScope(session, state.input()))
        .put("settings", settings(state.input()))
        .put(LedgerRecord.CACHE_SETTINGS, CacheSetting.write(state.request().settings()))
        .put("path", state.request().endpoint().path())
        .put("proof", state.options.proof.name().toLowerCase(Locale.ROOT))
        .put("repairs", LedgerRecord.writeRepairs(state.repairs))
        .build();
  }

  private static JsonObject toolKinds(RequestState state) {
    JsonObject.Builder kinds = JsonObject.builder();
    List<ToolDef> tools = state.options.tools;
    for (ToolDef tool : tools == null ? List.<ToolDef>of() : tools) {
      ToolKind declared = tool.kind();
      if (declared != null) {
        kinds.put(tool.name(), declared.wireName());
      }
    }
    return kinds.build();
  }

  /** Within what a provider's caches are shared: the account, and the key if there is one. */
  private static String cacheScope(Session session, RequestInput input) {
    Scope.OfConversation scope = session.scope();
    String account = scope.tenant() + "/" + scope.project();
    return input.cacheKey().map(key -> account + "#" + key).orElse(account);
  }

  private static JsonObject settings(RequestInput input) {
    return JsonObject.builder()
        .put("max_output_tokens", input.maxOutputTokens())
        .put("stream", input.stream())
        .put("tool_choice", input.toolChoice().wireName())
        .put("intent", word(input.cache().intent()))
        .put("system_life", word(input.cache().systemLife()))
        .put("message_life", word(input.cache().messageLife()))
        .putAll(input.params().toJson())
        .build();
  }

  private static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** What the request should know of others that use the same caches. */
  private static List<WireFinding> traffic(
      RequestState state, Session session, Providers.Target target) {
    InFlightRequests traffic = session.services().traffic();
    Instant now = session.services().now();
    List<WireFinding> warnings = new ArrayList<>();
    int started = state.input().cacheKey().map(key -> traffic.started(key, now)).orElse(0);
    if (started > InFlightRequests.MOST_PER_MINUTE) {
      warnings.add(
          new WireFinding(
              "cache_key_rate",
              "/prompt_cache_key",
              started
                  + " requests in a minute have this key, best are at most "
                  + InFlightRequests.MOST_PER_MINUTE
                  + ": caches are missed beyond"));
    }
    CacheRules rules = target.profile().cache();
    if (rules.mode() != CacheRules.Mode.UNKNOWN
        && state.systemTokens >= rules.minTokens()
        && traffic.sent(
            state.id,
            beginning(state, session.scope(), target),
            now,
            CacheLife.of(target.profile(), state.request()))) {
      warnings.add(
          new WireFinding(
              "prefix_not_readable_yet",
              "",
              "another request that begins alike has no answer yet: send this one after its first"
                  + " event, so that it reads what that one writes"));
    }
    return warnings;
  }

  private static List<String> beginning(
      RequestState state, Scope.OfConversation scope, Providers.Target target) {
    List<byte[]> hashes = new ArrayList<>();
    for (RequestBlock block : state.request().blocks()) {
      if (block.tier() != RequestBlock.Tier.MESSAGES) {
        hashes.add(block.fingerprint().hex().getBytes(StandardCharsets.US_ASCII));
      }
    }
    return List.of(
        scope.tenant(),
        scope.project(),
        target.format().name(),
        target.model().model(),
        Fingerprint.of(hashes.toArray(byte[][]::new)).hex());
  }
}
