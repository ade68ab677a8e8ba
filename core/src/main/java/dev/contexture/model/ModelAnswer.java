package dev.contexture.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a model, read from a provider's format. Nothing of the answer is lost: what is
 * neither text nor call is opaque. Every list is in the order of the wire.
 *
 * @param provider who served the model
 * @param model the model as the answer names it, else as it was asked for
 * @param answerId the provider's id of the answer
 * @param texts what it says
 * @param calls what it wants done
 * @param opaque everything else, and verbatim forms of texts and calls
 * @param stop why it ended
 * @param stopWords the provider's own words for that
 * @param tokens what it cost
 * @param cutOff set if the answer did not reach its end
 * @param findings what was odd about it
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ModelAnswer(
    String provider,
    String model,
    @Nullable String answerId,
    List<ReplyText> texts,
    List<ReplyCall> calls,
    List<ReplyOpaque> opaque,
    Stop stop,
    @Nullable String stopWords,
    @Nullable Usage tokens,
    @Nullable Cut cutOff,
    List<WireFinding> findings) {
  public ModelAnswer {
    texts = List.copyOf(texts);
    calls = List.copyOf(calls);
    opaque = List.copyOf(opaque);
    findings = List.copyOf(findings);
  }

  public Optional<String> id() {
    return Optional.ofNullable(answerId);
  }

  public Optional<String> stopText() {
    return Optional.ofNullable(stopWords);
  }

  public Optional<Usage> usage() {
    return Optional.ofNullable(tokens);
  }

  public Optional<Cut> cut() {
    return Optional.ofNullable(cutOff);
  }

  /** All text, joined. */
  public String text() {
    return texts.stream().map(ReplyText::text).collect(Collectors.joining());
  }

  /** What it means for the loop around the model. */
  public AnswerOutcome outcome() {
    return AnswerOutcome.of(
        !calls.isEmpty(),
        stop,
        cutOff != null,
        text(),
        opaque.stream().map(ReplyOpaque::kind).anyMatch(ReplyOpaque::isSendable));
  }
}
