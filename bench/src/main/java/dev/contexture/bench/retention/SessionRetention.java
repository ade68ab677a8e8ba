package dev.contexture.bench.retention;

import dev.contexture.bench.replay.CostTable;
import dev.contexture.simulator.SentBlock;
import dev.contexture.simulator.SentRequest;
import dev.contexture.simulator.replay.RecordedSession;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Follows a recorded session and the requests that were made of it, in order. In every fifth
 * request it looks for all sentences that the user wrote so far; in each it looks for the
 * references that the answer to it writes and that stood in the session before. Confined to one
 * thread.
 */
final class SessionRetention {
  private static final int EVERY = 5;

  private final Iterator<RecordedSession.Event> events;
  private final Map<SentBlock, SentBlock> sentBefore = new HashMap<>();
  private final Map<String, PartText> texts = new HashMap<>();
  private final Set<String> said = new LinkedHashSet<>();
  private final List<String> sentences = new ArrayList<>();
  private final Set<String> met = new HashSet<>();
  private final List<SentRequest> requests = new ArrayList<>();
  private List<PartText> current = List.of();
  private boolean heardAny;
  private Count words = Count.NONE;
  private Count references = Count.NONE;

  SessionRetention(RecordedSession session) {
    this.events = session.events().iterator();
  }

  /** How many were looked for, and how many of these stood in the context. */
  record Count(long looked, long present) {
    static final Count NONE = new Count(0, 0);

    Count plus(Count more) {
      return new Count(looked + more.looked, present + more.present);
    }

    double percent() {
      return looked == 0 ? 100 : 100.0 * present / looked;
    }
  }

  Count words() {
    return words;
  }

  Count references() {
    return references;
  }

  /** What was sent, to be priced. */
  List<SentRequest> requests() {
    return requests;
  }

  /** Takes the request of the next model call. */
  void request(SentRequest request) {
    if (!hearUntilRequest()) {
      throw new IllegalStateException("more requests than calls of the model");
    }
    List<SentBlock> blocks = new ArrayList<>();
    current = new ArrayList<>();
    for (SentBlock sent : request.blocks()) {
      SentBlock block = sentBefore.computeIfAbsent(sent, same -> same); // each text once in memory
      blocks.add(block);
      if (block.tier() != SentBlock.Tier.TOOLS) {
        String text = CostTable.text(block);
        current.add(texts.computeIfAbsent(text, PartText::new));
      }
    }
    requests.add(SentRequest.at(request.start(), blocks));
    if (requests.size() % EVERY == 0) {
      words = words.plus(present());
    }
  }

  /** Hears what was said behind the last request. */
  SessionRetention finish() {
    if (hearUntilRequest()) {
      throw new IllegalStateException("fewer requests than calls of the model");
    }
    return this;
  }

  private boolean hearUntilRequest() {
    while (events.hasNext()) {
      switch (events.next()) {
        case RecordedSession.Event.Said block -> hear(block);
        case RecordedSession.Event.Request _unused -> {
          if (heardAny) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private void hear(RecordedSession.Event.Said block) {
    heardAny = true;
    Set<String> found = SaidText.references(block.text());
    if (block.role().equals("assistant") && !requests.isEmpty()) {
      for (String reference : found) {
        if (met.contains(reference)) {
          references = references.plus(new Count(1, stands(reference) ? 1 : 0));
        }
      }
    }
    met.addAll(found);
    if (block.role().equals("user") && block.kind().equals("text")) {
      for (String sentence : SaidText.sentences(block.text())) {
        if (said.add(sentence)) {
          sentences.add(sentence);
        }
      }
    }
  }

  private boolean stands(String reference) {
    return current.stream().anyMatch(part -> part.references.contains(reference));
  }

  private Count present() {
    BitSet present = new BitSet();
    current.forEach(part -> present.or(part.holding(sentences)));
    return new Count(sentences.size(), present.cardinality());
  }

  /** One text of a context, and which sentences it was found to hold. */
  private static final class PartText {
    private final String text;
    private final Set<String> references;
    private final BitSet held = new BitSet();
    private int compared;

    PartText(String text) {
      this.text = text;
      this.references = SaidText.references(text);
    }

    /** The indices of those that stand in it; sentences are compared once. */
    BitSet holding(List<String> sentences) {
      for (; compared < sentences.size(); compared++) {
        held.set(compared, text.contains(sentences.get(compared)));
      }
      return held;
    }
  }
}
