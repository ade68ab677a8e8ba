package dev.contexture.turn;

import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.store.TurnRow;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.view.PruneSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The values that a turn starts with. Collects values; confined to one thread.
 *
 * <pre>{@code
 * browser.startTurn(TurnStart.prompt("Weather in Oslo?").agent("atlas"))
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TurnStart {
  /** The handling of another turn that is still open. */
  public enum Supersede {
    /** Nothing: starting fails while somebody works on it. */
    NO,
    /** It is interrupted and stays in context. */
    INTERRUPT,
    /** It is taken out of context. */
    ABORT
  }

  /** The handling of a turn that a dead process left open. */
  public enum OnIncomplete {
    /** It becomes incomplete and is out of context. */
    EXCLUDE,
    /** It is interrupted with reason {@code crashed} and stays in context. */
    INTERRUPT;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final @Nullable String prompt;
  private @Nullable TurnId id;
  private final List<Attachment> attachments = new ArrayList<>();
  private final List<String> blockRefs = new ArrayList<>();
  private @Nullable Instant ts;
  private @Nullable String agent;
  private TurnRow.@Nullable Parent parent;
  private Supersede supersede = Supersede.NO;
  private TurnSettings settings = TurnSettings.NONE;
  private @Nullable PruneSettings pruning;

  private TurnStart(@Nullable String prompt) {
    this.prompt = prompt;
  }

  /** A turn that a prompt opens; a blank one makes no block. */
  public static TurnStart prompt(String prompt) {
    return new TurnStart(prompt);
  }

  /** Goes on with an open turn, whatever it was opened with. */
  public static TurnStart resume(TurnId id) {
    return new TurnStart(null).id(id);
  }

  public TurnStart id(TurnId id) {
    this.id = id;
    return this;
  }

  public TurnStart attach(Attachment attachment) {
    attachments.add(attachment);
    return this;
  }

  /** Memory blocks, by id or label, for this turn. */
  public TurnStart blockRefs(List<String> refs) {
    blockRefs.addAll(refs);
    return this;
  }

  public TurnStart ts(Instant ts) {
    this.ts = ts;
    return this;
  }

  /** Whose turn it is. */
  public TurnStart agent(String agent) {
    this.agent = agent;
    return this;
  }

  /** The call, under the same tenant, project and user, that started the turn. */
  public TurnStart parent(String conversation, TurnId turn, @Nullable CallId call) {
    this.parent = new TurnRow.Parent(conversation, turn, call);
    return this;
  }

  public TurnStart supersede(Supersede supersede) {
    this.supersede = supersede;
    return this;
  }

  public TurnStart onIncomplete(OnIncomplete onIncomplete) {
    this.settings = settings.withOnIncomplete(onIncomplete);
    return this;
  }

  public TurnStart turnLimit(TurnLimit limit) {
    this.settings = settings.withTurnLimit(limit);
    return this;
  }

  /** What holds for all that is done in the turn, kept with it; replaces what was set before. */
  public TurnStart settings(TurnSettings settings) {
    this.settings = settings;
    return this;
  }

  public TurnStart pruning(PruneSettings pruning) {
    this.pruning = pruning;
    return this;
  }

  public Optional<String> prompt() {
    return Optional.ofNullable(prompt);
  }

  public Optional<TurnId> id() {
    return Optional.ofNullable(id);
  }

  public List<Attachment> attachments() {
    return attachments;
  }

  public List<String> blockRefs() {
    return blockRefs;
  }

  public Optional<Instant> ts() {
    return Optional.ofNullable(ts);
  }

  public @Nullable String agent() {
    return agent;
  }

  public TurnRow.@Nullable Parent parent() {
    return parent;
  }

  public Supersede supersede() {
    return supersede;
  }

  public OnIncomplete onIncomplete() {
    OnIncomplete given = settings.incomplete();
    return given == null ? OnIncomplete.EXCLUDE : given;
  }

  public TurnLimit turnLimit() {
    return settings.turnLimit();
  }

  public TurnSettings settings() {
    return settings;
  }

  /** What this handle prunes; by default what the settings say. */
  public PruneSettings pruning() {
    return pruning == null ? settings.pruning() : pruning;
  }

  /** Whether it brings something that an open turn would have to match. */
  public boolean hasInput() {
    return prompt != null || !attachments.isEmpty();
  }
}
