package dev.contexture.provider.wire.answer;

import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.model.WireFinding;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Collects the parts of one answer in their order. Confined to one thread. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReplyBuilder {
  /** The finding for further answers that nobody reads. */
  public static final String MORE_CHOICES = "choices_extra";

  private final ModelRef asked;
  private final List<ReplyText> texts = new ArrayList<>();
  private final List<ReplyCall> calls = new ArrayList<>();
  private final List<ReplyOpaque> opaque = new ArrayList<>();
  private final List<WireFinding> findings = new ArrayList<>();
  private final List<String> choices = new ArrayList<>(); // further ones
  private @Nullable String id;
  private @Nullable String model;
  private @Nullable Usage usage;
  private @Nullable String stopWords;
  private int refusals; // texts that decline

  public ReplyBuilder(ModelRef asked) {
    this.asked = asked;
  }

  public void identify(@Nullable String answerId, @Nullable String answerModel) {
    id = answerId;
    model = answerModel == null || answerModel.isEmpty() ? null : answerModel;
  }

  public void text(int order, String text) {
    texts.add(new ReplyText(order, text));
  }

  /** Adds a text that declines. */
  public void refusal(int order, String text) {
    text(order, text);
    refusals++;
  }

  public void call(int order, @Nullable String providerCallId, String tool, String arguments) {
    calls.add(new ReplyCall(order, providerCallId, tool, arguments));
  }

  public void opaque(int order, String kind, String json) {
    opaque.add(new ReplyOpaque(order, kind, json));
  }

  /** Keeps a part that had not ended. */
  public void partial(int order, String type, String json) {
    opaque(order, ReplyOpaque.PARTIAL_PREFIX + type, json);
  }

  /** Notes a further answer beside the one that counts. */
  public void choice(String json) {
    choices.add(json);
  }

  public void finding(String code, String pointer, String message) {
    findings.add(new WireFinding(code, pointer, message));
  }

  public void findings(List<WireFinding> more) {
    findings.addAll(more);
  }

  public void usage(@Nullable Usage counted) {
    usage = counted;
    if (counted == null) {
      finding("usage_missing", "/usage", "the answer does not say what it cost");
    }
  }

  /** Input that was not cached; never below 0. */
  public long uncached(long counted, String pointer) {
    if (counted < 0) {
      finding(
          "usage_negative",
          pointer,
          "more input was cached than there was: uncached would be " + counted);
    }
    return Math.max(0, counted);
  }

  /** An end that says nothing but no is a refusal. */
  public Stop declined(Stop stop) {
    boolean alone = refusals > 0 && refusals == texts.size() && !hasCalls();
    return stop == Stop.END && alone ? Stop.REFUSAL : stop;
  }

  public void stopWords(@Nullable String words) {
    stopWords = words;
  }

  private boolean hasCalls() {
    return !calls.isEmpty();
  }

  /** The reply; an end with calls waits for their results, and a cut one has no reason to stop. */
  public ModelAnswer build(Stop stop, @Nullable Cut cut) {
    int order = 1 + opaque.stream().mapToInt(ReplyOpaque::order).max().orElse(0);
    order = Math.max(order, 1 + texts.stream().mapToInt(ReplyText::order).max().orElse(0));
    order = Math.max(order, 1 + calls.stream().mapToInt(ReplyCall::order).max().orElse(0));
    for (String choice : choices) {
      opaque(order++, ReplyOpaque.EXTRA_CHOICE, choice);
    }
    Stop meant = stop == Stop.END && hasCalls() ? Stop.TOOL_USE : stop;
    return new ModelAnswer(
        asked.provider(),
        model == null ? asked.model() : model,
        id,
        texts,
        calls,
        opaque,
        cut == null ? meant : Stop.OTHER,
        stopWords,
        usage,
        cut,
        findings);
  }
}
