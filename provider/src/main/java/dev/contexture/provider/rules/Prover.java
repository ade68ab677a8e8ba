package dev.contexture.provider.rules;

import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestRule;
import dev.contexture.model.RequestViolation;
import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import dev.contexture.provider.wire.PriorMessages;
import dev.contexture.provider.wire.ProofFacts;
import dev.contexture.provider.wire.TextRules;
import dev.contexture.provider.wire.WireFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rules that a body breaks. It reads the body as it would be sent, so that it judges
 * bodies built elsewhere, too. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Prover {
  private final ModelProfiles profiles;

  private Prover(ModelProfiles profiles) {
    this.profiles = profiles;
  }

  /** Judges with the facts about models from there. */
  public static Prover of(ModelProfiles profiles) {
    return new Prover(profiles);
  }

  /** Judges one body, knowing nothing else. */
  public Proof check(WireFormat format, ModelRef model, String body) {
    return check(format, model, body, ProofFacts.NONE);
  }

  /**
   * Judges one body.
   *
   * @throws dev.contexture.error.ContextureException {@code malformed_json} or {@code
   *     invalid_argument} if it is no body of the format at all
   */
  public Proof check(WireFormat format, ModelRef model, String body, ProofFacts facts) {
    return series(format).check(model, body, facts);
  }

  /** For the bodies of one conversation: what they share is read once. */
  public Series series(WireFormat format) {
    return new Series(format, profiles);
  }

  /**
   * Judges body after body. Confined to one thread.
   *
   * <p>What a body begins with as the one before, and what was in order there, is not judged again:
   * 1. the messages that both begin with are found; 2. judging starts at the last answer of the
   * model among them, because all calls before it are answered before it; 3. of what stands before,
   * rules know what {@link PriorMessages} says; 4. if anything is wrong, the whole body is judged.
   */
  public static final class Series {
    private final BodyParser reader;
    private final WireFormat format;
    private final ModelProfiles profiles;
    private PriorMessages before = new PriorMessages();
    private int proved; // messages at the beginning that are in order
    private @Nullable ModelRef asked;
    private ProofFacts told = ProofFacts.NONE;
    private String version = ""; // of the interface
    private boolean compat;
    private BodyParser.@Nullable Head head;
    private List<RequestViolation> ofHead = List.of();
    private List<RequestViolation> ofStart = List.of(); // warnings about the first messages

    private Series(WireFormat format, ModelProfiles profiles) {
      this.reader = format.parser();
      this.format = format;
      this.profiles = profiles;
    }

    public Proof check(ModelRef model, String body, ProofFacts facts) {
      return check(model, List.of(body.getBytes(StandardCharsets.UTF_8)), facts);
    }

    /** The same for a body in pieces, which are not changed any more. */
    public Proof check(ModelRef model, List<byte[]> pieces, ProofFacts facts) {
      PriorMessages seen = before;
      int known = proved;
      before = new PriorMessages(); // until all of it was judged
      proved = 0;
      int kept = reader.next(pieces);
      seen.moveTo(Math.min(seen.messages(), kept), reader.messages());
      boolean sameHead = judgeHead(model, reader.read(kept), facts);
      boolean extend = sameHead && isSameStory(facts, kept == known);
      seen.moveTo(extend ? lastAnswer(Math.min(known, kept)) : 0, reader.messages());
      List<RequestViolation> found = judge(seen, model, facts);
      if (seen.any() && !found.isEmpty()) {
        seen.moveTo(0, reader.messages());
        found = judge(seen, model, facts);
      }
      ofStart = seen.any() ? ofStart : found.stream().filter(Series::staysTrue).toList();
      proved = found.stream().allMatch(Series::staysTrue) ? reader.messages().size() : 0;
      before = seen;
      return proof(seen, found);
    }

    /**
     * Whether what was in order still is: what is known of thinking was only added to, and where
     * the current turn counts, it did not move back.
     */
    private boolean isSameStory(ProofFacts facts, boolean grew) {
      ProofFacts before = told;
      told = facts;
      return facts.prefixChangedAt().isEmpty()
          && (grew || !format.judgesCurrentTurn())
          && before.received().isEmpty() == facts.received().isEmpty()
          && facts.received().entrySet().containsAll(before.received().entrySet())
          && facts.pairs().entrySet().containsAll(before.pairs().entrySet());
    }

    /** Judges everything but the messages, once; returns whether it is as it was. */
    private boolean judgeHead(ModelRef model, BodyParser.Head now, ProofFacts facts) {
      String apiVersion = version(facts);
      if (now.equals(head)
          && model.equals(asked)
          && version.equals(apiVersion)
          && compat == facts.compat()) {
        return true;
      }
      BodyView view = BodyView.of(format, now, List.of(), new PriorMessages(), apiVersion);
      ModelProfile profile = profiles.profile(model);
      Findings findings = new Findings();
      ToolNameRules tools = new ToolNameRules(view, findings);
      tools.tools();
      tools.choice();
      SettingRules settings = new SettingRules(view, profile, findings);
      settings.head(model);
      if (!facts.compat()) {
        settings.maker(model, profiles);
      }
      TextRules.judge(now.unpaired(), "", findings);
      ofHead = findings.all();
      head = now;
      asked = model;
      version = apiVersion;
      compat = facts.compat();
      return false;
    }

    private String version(ProofFacts facts) {
      List<String> known = format.apiVersions();
      return !facts.apiVersion().isEmpty() || known.isEmpty()
          ? facts.apiVersion()
          : known.getFirst();
    }

    /** The last message of these that begins an answer of the model; 0 if there is none. */
    private int lastAnswer(int count) {
      List<BodyMessage> messages = reader.messages();
      for (int i = count - 1; i > 0; i--) {
        if (messages.get(i).is(BodyMessage.Role.ASSISTANT)
            && !messages.get(i - 1).is(BodyMessage.Role.ASSISTANT)) {
          return i;
        }
      }
      return 0;
    }

    private List<RequestViolation> judge(PriorMessages seen, ModelRef model, ProofFacts facts) {
      BodyView view =
          BodyView.of(format, reader.head(), reader.entries(seen.messages()), seen, version(facts));
      Findings findings = new Findings();
      boolean silent = view.entries().stream().allMatch(entry -> entry.is(BodyMessage.Role.SYSTEM));
      if (silent && !seen.any()) {
        findings.error(RequestRule.V01, "/" + format.messages(), "no message to send");
        return findings.all();
      }
      ModelProfile profile = profiles.profile(model);
      Pairs pairs = Pairs.of(view);
      new PlaceRules(view, profile, pairs, findings).check();
      new PairRules(view, pairs, findings).check();
      new ThinkingRules(view, profile, profiles, findings).check(model, facts);
      format.check(view, profile, facts, findings);
      new MarkRules(view, profile, findings).check(facts.volatileBlocks());
      new ToolNameRules(view, findings).calls();
      new SettingRules(view, profile, findings).messages(facts.highTokens());
      reader.texts(seen.messages(), findings);
      return findings.all();
    }

    /** Whether a finding is no reason to look again: it is about the instructions. */
    private static boolean staysTrue(RequestViolation found) {
      return found.rule() == RequestRule.V29;
    }

    private Proof proof(PriorMessages seen, List<RequestViolation> found) {
      List<RequestViolation> all = new ArrayList<>(ofHead);
      all.addAll(seen.any() ? ofStart : found);
      all.sort(Comparator.comparing(RequestViolation::rule));
      List<Proof.Thought> thinking =
          found.isEmpty()
              ? List.of()
              : reader.entries(0).stream()
                  .flatMap(entry -> entry.all(BodyPart.Kind.THINKING).stream())
                  .map(item -> new Proof.Thought(item.pointer(), item.raw()))
                  .toList();
      return new Proof(all, thinking);
    }
  }
}
