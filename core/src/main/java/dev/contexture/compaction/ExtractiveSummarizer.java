package dev.contexture.compaction;

import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.References;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryEntry;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.compaction.summary.UserWords;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Summarises without a model: what the user said, verbatim, then answers, decisions and errors, and
 * the references of what is replaced. Deterministic, and within the target. The engine knows it and
 * makes the entries itself; this is the same for a caller who wants a text.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ExtractiveSummarizer implements Summarizer {
  private static final TurnId NO_TURN = TurnId.of("none");

  @Override
  public String summarize(SummaryRequest request) {
    UserWords words = new UserWords(request.meter());
    for (SummaryRequest.Item item : request.input()) {
      if (item.type().equals(BlockType.USER_PROMPT)) {
        words.add(item.turn(), item.seq(), item.blockPath(), References.content(item));
      }
    }
    SummaryMaterial material =
        new SummaryMaterial(
            NO_TURN,
            null,
            false,
            true,
            SummaryContent.Writer.BUILT_IN,
            words,
            request
                .previous()
                .map(text -> new SummaryEntry(SummaryEntry.Kind.EARLIER, NO_TURN, 0, null, text, 0))
                .stream()
                .toList(),
            BlockEntries.ofHistory(request.input(), List.of()),
            List.of(),
            request.input(),
            References.knownBy(List.of()),
            0,
            request.remaining());
    return SummaryText.of(
        new SummaryComposer(material, request.meter())
            .compose(request.targetTokens(), request.targetTokens()),
        false);
  }

  @Override
  public boolean isExtractive() {
    return true;
  }
}
