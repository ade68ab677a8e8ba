package dev.contexture.provider.wire;

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
  private @Nullable String id;
  private @Nullable String model;
  private @Nullable Usage usage;
  private @Nullable String stopWords;

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
    return stop == Stop.END && !hasTexts() && !hasCalls() ? Stop.REFUSAL : stop;
  }

  public void stopWords(@Nullable String words) {
    stopWords = words;
  }

  private boolean hasTexts() {
    return !texts.isEmpty();
  }

  private boolean hasCalls() {
    return !calls.isEmpty();
  }

  public boolean hasOpaque(String kind) {
    return opaque.stream().anyMatch(part -> part.kind().equals(kind));
  }

  /** The reply; an end with calls waits for their results, and a cut one has no reason to stop. */
  public ModelAnswer build(Stop stop, @Nullable Cut cut) {
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
