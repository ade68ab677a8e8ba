package dev.contexture.timeline;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.timeline.Rounds.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the blocks of one turn, oldest first, and finds its rounds and call batches.
 *
 * <p>Terms: a <i>voice</i> is a block of notes, code or opaque content with a call id: what the
 * model said beside its calls.
 *
 * <ol>
 *   <li>A call joins the batch that is still collecting, or starts one and takes the run of voices
 *       directly before it. Voices between two calls of a batch belong to it too.
 *   <li>The first result ends the collecting; the last missing one closes the batch.
 *   <li>Other blocks of a call go inside its result while the batch is open. Behind its end only
 *       those of the call answered last still do, while they follow directly and nothing foreign
 *       lay inside the batch; so nothing that was sent before changes. All others are late.
 *   <li>A voice after the answer of its call speaks for the next round of that id.
 *   <li>A call whose id is still unanswered takes the round over from the older call.
 *   <li>Quiet blocks are as if they were not there.
 * </ol>
 *
 * Confined to one thread; one pass, constant work per block but for the few open batches.
 */
final class RoundReader {
  private final Rounds out;
  private final boolean split;
  private final Map<CallId, Round> newest = new HashMap<>();
  private final Map<CallId, List<Integer>> voicesSinceAnswer = new HashMap<>();
  private final List<CallBatch> open = new ArrayList<>(2);
  private final List<Integer> voicesBefore = new ArrayList<>(4);
  private final List<Integer> voicesBetween = new ArrayList<>(4);
  private @Nullable CallBatch collecting;
  private @Nullable Round joinable;

  RoundReader(Rounds out, boolean split) {
    this.out = out;
    this.split = split;
  }

  void read(int position, TimelineEntry entry) {
    Block block = entry.block();
    if (block.type().has(BlockType.Flag.QUIET)) {
      out.put(position, Place.OWN, null, null);
      return;
    }
    boolean base = block.type().has(BlockType.Flag.BASE);
    CallId id = base ? null : entry.callId().orElse(null);
    if (block.type().isCall() && id != null) {
      call(position, entry, id);
    } else if (block.type().isCall()) {
      foreign(position, Place.UNANSWERED, null);
    } else if (id == null) {
      foreign(position, block.type().isResult() ? unknownResult() : Place.OWN, null);
    } else if (isVoice(block.type())) {
      voice(position, entry, id);
    } else {
      answerOrNotice(position, entry, id);
    }
  }

  void finish() {
    settleVoicesBetween();
  }

  private static boolean isVoice(BlockType type) {
    return type.equals(BlockType.REACT_NOTES)
        || type.equals(BlockType.REACT_TOOL_CODE)
        || type.equals(BlockType.MODEL_OPAQUE);
  }

  /** Units are whole, so that in a turn that the cut divides a result without call is late. */
  private Place unknownResult() {
    return split ? Place.LATE : Place.ORPHAN;
  }

  private void call(int position, TimelineEntry entry, CallId id) {
    Round round = newest.get(id);
    if (round != null && round.isPending()) {
      supersede(round, position);
    } else if (round == null || round.answered()) {
      round = new Round(id);
      newest.put(id, round);
      adoptVoices(round);
    }
    CallBatch batch = collecting;
    if (batch == null) {
      batch = new CallBatch(position);
      takeAll(voicesBefore, batch);
      interleaveOpen();
      open.add(batch);
      collecting = batch;
    } else {
      takeAll(voicesBetween, batch);
    }
    voicesBefore.clear();
    joinable = null;
    round.setCall(position, entry, batch);
    batch.calls().add(round);
    entry.answerId().ifPresent(batch::addAnswer);
    out.put(position, Place.CALL, round, batch);
  }

  /**
   * The newest call of an unanswered id counts: the older one leaves its batch. If that is closed
   * by it, what came for the older call is late: the batch may be sent now.
   */
  private void supersede(Round round, int position) {
    CallBatch batch = round.batch().orElseThrow();
    for (int i = batch.first(); batch != collecting && i < position; i++) {
      if (out.roundAt(i) == round && out.place(i) == Place.IN_RESULT) {
        out.putLate(i, round);
        batch.interleave();
      }
    }
    out.put(round.callPosition(), Place.UNANSWERED, round, null);
    batch.calls().remove(round);
    if (batch != collecting && batch.closed()) {
      open.remove(batch);
    }
  }

  private void adoptVoices(Round round) {
    List<Integer> voices = voicesSinceAnswer.remove(round.id());
    if (voices != null) {
      voices.forEach(position -> out.setRound(position, round));
    }
  }

  private void takeAll(List<Integer> voices, CallBatch batch) {
    for (int position : voices) {
      out.moveToBatch(position, batch);
      batch.startAt(position);
    }
    voices.clear();
  }

  private void voice(int position, TimelineEntry entry, CallId id) {
    CallBatch ofAnswer = entry.answerId().map(this::openBatchOf).orElse(null);
    Round round = newest.get(id);
    if (ofAnswer != null) {
      out.put(position, Place.WITH_CALLS, round, ofAnswer);
      interleaveOthers(ofAnswer);
      return;
    }
    if (collecting != null) {
      out.put(position, Place.OWN, round, null);
      voicesBetween.add(position);
      rememberLoose(position, id, round);
      return;
    }
    CallBatch batch = round == null ? null : round.batchOrNull();
    if (round != null && batch != null && round.isPending() && open.contains(batch)) {
      out.put(position, afterItsCall(position), round, batch);
      interleaveOthers(batch);
      return;
    }
    out.put(position, Place.OWN, null, null);
    rememberLoose(position, id, round);
    interleaveOpen();
    joinable = null;
    voicesBefore.add(position);
  }

  private void rememberLoose(int position, CallId id, @Nullable Round round) {
    if (round == null) {
      Round opened = new Round(id);
      newest.put(id, opened);
      out.setRound(position, opened);
    } else if (round.answered()) {
      voicesSinceAnswer.computeIfAbsent(id, unused -> new ArrayList<>(2)).add(position);
      out.put(position, Place.OWN, null, null);
    } else {
      out.setRound(position, round);
    }
  }

  private @Nullable CallBatch openBatchOf(String answerId) {
    for (CallBatch batch : open) {
      if (batch.isOfAnswer(answerId)) {
        return batch;
      }
    }
    return null;
  }

  private void answerOrNotice(int position, TimelineEntry entry, CallId id) {
    boolean result = entry.block().type().isResult();
    Round round = newest.get(id);
    CallBatch batch = round == null ? null : round.batchOrNull();
    if (round == null || batch == null) {
      beforeItsCall(position, id, result, round);
    } else if (open.contains(batch)) {
      insideBatch(position, result, round, batch);
    } else if (joinable == round) {
      out.put(position, Place.IN_RESULT, round, batch);
      if (result) {
        round.addResult(position);
      }
    } else {
      foreign(position, Place.LATE, round);
    }
  }

  private void beforeItsCall(int position, CallId id, boolean result, @Nullable Round round) {
    if (result) {
      foreign(position, unknownResult(), null);
      return;
    }
    Round opened = round;
    if (opened == null) {
      opened = new Round(id);
      newest.put(id, opened);
    }
    foreign(position, Place.OWN, null);
    out.setRound(position, opened);
  }

  private void insideBatch(int position, boolean result, Round round, CallBatch batch) {
    out.put(position, Place.IN_RESULT, round, batch);
    interleaveOthers(batch);
    if (!result) {
      return;
    }
    round.addResult(position);
    if (batch == collecting) {
      settleVoicesBetween();
      collecting = null;
    }
    if (batch.closed()) {
      open.remove(batch);
      joinable = batch.interleaved() ? null : round;
    }
  }

  /** Voices that no further call of the batch came after: of a call inside it, or foreign. */
  private void settleVoicesBetween() {
    CallBatch batch = collecting;
    for (int position : voicesBetween) {
      Round round = out.roundAt(position);
      if (round != null && round.batchOrNull() == batch && batch != null) {
        out.put(position, afterItsCall(position), round, batch);
      } else if (batch != null) {
        batch.interleave();
      }
    }
    voicesBetween.clear();
  }

  private void foreign(int position, Place place, @Nullable Round newestOfId) {
    if (place == Place.LATE) {
      out.putLate(position, newestOfId);
    } else {
      out.put(position, place, null, null);
    }
    interleaveOpen();
    voicesBefore.clear();
    joinable = null;
  }

  /** A voice behind its call stands inside the result; only a model's own content cannot. */
  private Place afterItsCall(int position) {
    boolean opaque = out.entry(position).block().type().equals(BlockType.MODEL_OPAQUE);
    return opaque ? Place.WITH_CALLS : Place.IN_RESULT;
  }

  /** A block of one batch is foreign to all other open ones. */
  private void interleaveOthers(CallBatch batch) {
    for (CallBatch other : open) {
      if (other != batch) {
        other.interleave();
      }
    }
    voicesBefore.clear();
    joinable = null;
  }

  private void interleaveOpen() {
    for (CallBatch batch : open) {
      batch.interleave();
    }
  }
}
