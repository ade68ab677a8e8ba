package dev.contexture.provider.rules;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.model.RequestViolation;
import dev.contexture.model.WireFinding;
import dev.contexture.provider.wire.AskedMembers;
import dev.contexture.provider.wire.BodyWriter;
import dev.contexture.provider.wire.ProofFacts;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.request.LedgerView;
import dev.contexture.request.ProofMode;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Lets no request out that its provider would refuse: what was written is judged, repaired in its
 * neutral form, written and judged again. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProvingWriter implements RequestWriter {
  /** A repair of what stands before may take thinking its ground, which goes in the next. */
  private static final int MAX_ROUNDS = 2;

  /** Rules about what is asked: they are judged before anything else is done. */
  private static final Set<RequestRule> ABOUT_PARAMS =
      Set.of(
          RequestRule.V28,
          RequestRule.V32,
          RequestRule.V34,
          RequestRule.V36,
          RequestRule.V37,
          RequestRule.V38,
          RequestRule.V39,
          RequestRule.V40,
          RequestRule.V41);

  private final RequestWriter writer;
  private final WireFormat format;
  private final ModelProfiles profiles;
  private final Prover.Series prover;
  private final ThinkingParts thinking;

  /** Writes the requests of one conversation. */
  public ProvingWriter(WireFormat format, ModelProfiles profiles) {
    this.writer = BodyWriter.series(format, profiles);
    this.format = format;
    this.thinking = new ThinkingParts(format);
    this.profiles = profiles;
    this.prover = Prover.of(profiles).series(format);
  }

  @Override
  public synchronized ProviderRequest write(RequestInput asked) {
    List<Repair> repairs = new ArrayList<>();
    RequestInput given = OutputSchemaRepair.mended(format, asked, repairs);
    RequestInput sent = withoutDead(given, repairs);
    ProviderRequest request = writer.write(sent);
    Proof proof = prove(sent, request);
    boolean mends = sent.proof() == ProofMode.REPAIR;
    for (int round = 0; round < MAX_ROUNDS && mends && needsRepair(proof); round++) {
      Repairs repair = new Repairs(format, sent, profiles.profile(sent.model()), proof);
      sent = repair.repaired();
      request = writer.write(sent);
      repairs.addAll(repair.made());
      proof = prove(sent, request);
    }
    if (sent.proof() != ProofMode.REPORT) {
      proof.violations().stream()
          .filter(violation -> !violation.warning())
          .findFirst()
          .ifPresent(
              violation -> {
                throw refused(violation);
              });
    }
    List<WireFinding> warnings =
        proof.violations().stream()
            .map(warning -> new WireFinding(warning.code(), warning.pointer(), warning.message()))
            .toList();
    ProviderRequest placed =
        sent.equals(given)
            ? request
            : GivenPlaces.restored(request, given.messages(), sent.messages());
    repairs.addAll(AskedMembers.renamed(format, given));
    return placed.with(warnings, repairs);
  }

  /** Thinking that the request before had to leave out is not sent again. */
  private RequestInput withoutDead(RequestInput input, List<Repair> repairs) {
    Set<String> dead = input.last().leftOut();
    if (dead.isEmpty()) {
      return input;
    }
    for (int i = 0; i < input.messages().size(); i++) {
      List<Part> parts = input.messages().get(i).parts();
      for (int j = 0; j < parts.size(); j++) {
        if (thinking.is(parts.get(j))) {
          String hash = ThinkingParts.hash((Part.Opaque) parts.get(j));
          if (dead.contains(hash)) {
            String where = "/messages/" + i + "/parts/" + j;
            String reason = "thinking was left out, as in the request before";
            repairs.add(new Repair(RequestRule.V16, where, reason, hash));
          }
        }
      }
    }
    List<Message> messages = thinking.without(input.messages(), dead);
    return input.toBuilder()
        .messages(messages)
        .points(Repairs.points(input.points(), input.messages(), messages))
        .build();
  }

  private Proof prove(RequestInput input, ProviderRequest request) {
    ProofFacts facts =
        thinking
            .facts(input.messages(), input.model().provider())
            .withHighTokens(input.highTokens())
            .withApiVersion(AskedMembers.apiVersion(format, input.params()))
            .withCompat(input.params().compat())
            .withVolatileBlocks(volatileBlocks(request));
    OptionalInt changed = changedAt(input, request);
    if (changed.isPresent()) {
      facts = facts.withPrefixChangedAt(changed.getAsInt());
    }
    return prover.check(request.model(), request.body().pieces(), facts);
  }

  private static int volatileBlocks(ProviderRequest request) {
    int count = 0;
    List<RequestBlock> blocks = request.blocks();
    while (count < blocks.size() && blocks.get(blocks.size() - 1 - count).volatileTail()) {
      count++;
    }
    return count;
  }

  /** Where what the model's thinking was made upon is another now; only known thinking counts. */
  private OptionalInt changedAt(RequestInput input, ProviderRequest request) {
    LedgerView last = input.last();
    ModelProfile profile = profiles.profile(input.model());
    boolean bound =
        profile.has(ModelFlag.PRESERVED_THINKING) || profile.has(ModelFlag.PRESERVED_REASONING);
    if (last.isEmpty() || !bound) {
      return OptionalInt.empty();
    }
    int repeated = last.boundBlocks(request.blocks());
    return request.shared() < repeated ? OptionalInt.of(request.shared()) : OptionalInt.empty();
  }

  /** A missing signature is taken, but there is a better way to say so. */
  private static boolean needsRepair(Proof proof) {
    return proof.violations().stream()
        .anyMatch(violation -> !violation.warning() || violation.rule() == RequestRule.V18);
  }

  /**
   * Refuses parameters that the model or the version of the interface does not take.
   *
   * @param asked the request; a message that says something stands for its own
   */
  public static void checkParams(WireFormat format, ModelProfiles profiles, RequestInput asked) {
    Message any = new Message(MessageRole.USER, List.of(new Part.Text("any")));
    RequestInput probe =
        OutputSchemaRepair.mended(format, asked, new ArrayList<>()).toBuilder()
            .messages(List.of(any))
            .build();
    ProviderRequest written = BodyWriter.series(format, profiles).write(probe);
    ProofFacts facts =
        ProofFacts.NONE
            .withApiVersion(AskedMembers.apiVersion(format, asked.params()))
            .withCompat(asked.params().compat());
    Prover.of(profiles)
        .series(format)
        .check(asked.model(), written.body().pieces(), facts)
        .violations()
        .stream()
        .filter(violation -> !violation.warning() && isAboutParams(violation))
        .filter(violation -> asked.proof() != ProofMode.REPORT)
        .findFirst()
        .ifPresent(
            violation -> {
              throw refused(violation);
            });
  }

  private static boolean isAboutParams(RequestViolation violation) {
    return ABOUT_PARAMS.contains(violation.rule());
  }

  private static ErrorCode code(RequestViolation violation) {
    if (violation.rule() == RequestRule.V27) {
      return ErrorCode.CONTEXT_TOO_LARGE;
    }
    return isAboutParams(violation) ? ErrorCode.PARAM_REJECTED : ErrorCode.INVALID_REQUEST;
  }

  private static ContextureException refused(RequestViolation violation) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("violation", violation.code());
    details.put("where", violation.pointer());
    return new ContextureException(
        code(violation),
        "the provider would refuse this request: "
            + violation.code()
            + " "
            + violation.rule().wireName()
            + ", "
            + violation.message(),
        details,
        null);
  }
}
