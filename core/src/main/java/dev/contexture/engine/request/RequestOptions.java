package dev.contexture.engine.request;

import dev.contexture.compaction.CompactionHooks;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.prompt.ActivityRenderer;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.ProofMode;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestParams;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.token.TokenCounter;
import dev.contexture.tool.ToolRules;
import dev.contexture.turn.WaitingPolicy;
import dev.contexture.view.Adds;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Values that the builders collect: what a request is to hold beside the conversation. Confined to
 * one thread; no step changes them.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RequestOptions {
  /** Limits and choices. */
  public ContextConfig config = ContextConfig.DEFAULT;

  /** Whose memory is shown; null: none is. */
  public @Nullable String agent;

  /** The model; null: not known. */
  public Providers.@Nullable Target target;

  /** The framework that sends it in a form of its own; null: none does. */
  public @Nullable String carrier;

  /** What stands first; none: the built-in text, if there is an agent. */
  public final List<String> instructions = new ArrayList<>();

  /** What the model may call; null: there is no registry. */
  public @Nullable List<ToolDef> tools;

  /** How it is to call them. */
  public ToolRules rules = ToolRules.NONE;

  /** Memory blocks to show in this turn, by id or label. */
  public List<String> blocks = List.of();

  /** What tells about recent events; null: nothing does. */
  public @Nullable ActivityRenderer activity;

  /** What writes summaries in place of the engine's; null: the engine's. */
  public @Nullable Summarizer summarizer;

  /** What counts tokens. */
  public TokenCounter counter = TokenCounter.O200K_BASE;

  public boolean includeSources;
  public boolean includeAnnounce;

  /** What is told beside what was said; null: as the turn says. */
  public @Nullable Adds adds;

  /** How many turns are shown; null: as the turn says. */
  public @Nullable TurnLimit turnLimit;

  /** Whether nothing is stored. */
  public boolean dryRun;

  /** The most that the model may say; empty: what the limits reserve for it. */
  public OptionalInt maxOutputTokens = OptionalInt.empty();

  public boolean stream;

  /** Which tools the model may or must call. */
  public ToolChoice toolChoice = ToolChoice.AUTO;

  /** What else is asked of it. */
  public RequestParams params = RequestParams.NONE;

  public CachePolicy cache = CachePolicy.DEFAULT;

  /** What happens if it does not repeat what was sent before; null: as the engine is set. */
  public LedgerSettings.@Nullable Mode check;

  public ProofMode proof = ProofMode.REPAIR;

  /** What happens to calls of the turn that have no result. */
  public WaitingPolicy waiting = WaitingPolicy.REFUSE;

  /** What hears of compactions while it is built. */
  public CompactionHooks hooks = CompactionHooks.NONE;

  /** Whether the conversation is compacted even if there is room. */
  public boolean forceCompaction;

  /** What is told beside what was said. */
  Adds adds() {
    return adds == null ? Adds.ALL : adds;
  }

  /** The model as epochs name it; empty: not known. */
  String modelName() {
    Providers.Target known = target;
    return known == null ? "" : known.model().provider() + "/" + known.model().model();
  }
}
