package dev.contexture.provider.rules;

import dev.contexture.provider.wire.BodyMessage;
import dev.contexture.provider.wire.BodyPart;
import dev.contexture.provider.wire.BodyView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Matches results with the calls that they answer.
 *
 * <p>1. A group is the calls of one assistant message; its region is what follows up to the next
 * assistant message or, where results are messages of their own, the results right behind it. 2. A
 * result in the region answers the call of its id; without ids, the first open call of its name. 3.
 * A result elsewhere is late if an earlier group has an open call of its id, a second one if that
 * call is answered, and an orphan otherwise.
 *
 * @param groups in order
 * @param orphans results without a call
 * @param late results by the index of their group and how many messages they are late
 * @param seconds results of calls that have one
 */
record Pairs(List<Group> groups, List<BodyPart> orphans, List<Late> late, List<BodyPart> seconds) {
  /** A result that stands too far behind its call. */
  record Late(BodyPart result, int messages) {}

  /** The calls of one message and their results. */
  static final class Group {
    private final int entry;
    private final List<BodyPart> calls;
    private final IdentityHashMap<BodyPart, BodyPart> answers = new IdentityHashMap<>();
    private final IdentityHashMap<BodyPart, Boolean> lateAnswers = new IdentityHashMap<>();
    private final List<BodyPart> inOrder = new ArrayList<>(); // calls, as their results come
    private final Set<Integer> places = new java.util.TreeSet<>(); // entries that hold results

    private Group(int entry, List<BodyPart> calls) {
      this.entry = entry;
      this.calls = calls;
    }

    List<BodyPart> calls() {
      return calls;
    }

    /** Calls that nothing answers, not even late. */
    List<BodyPart> unanswered() {
      return calls.stream()
          .filter(call -> !answers.containsKey(call) && !lateAnswers.containsKey(call))
          .toList();
    }

    boolean isSplit() {
      return places.size() > 1;
    }

    /** Whether the results come in the order of their calls. */
    boolean isOrdered() {
      List<BodyPart> answered = calls.stream().filter(answers::containsKey).toList();
      return answered.equals(inOrder);
    }

    int entry() {
      return entry;
    }

    private Optional<BodyPart> open(BodyPart result) {
      return calls.stream()
          .filter(call -> !answers.containsKey(call) && !lateAnswers.containsKey(call))
          .filter(call -> matches(call, result))
          .findFirst();
    }

    private boolean has(BodyPart result) {
      return calls.stream().anyMatch(call -> matches(call, result));
    }

    private static boolean matches(BodyPart call, BodyPart result) {
      String id = result.id();
      return id == null
          ? call.id() == null && call.name().equals(result.name())
          : id.equals(call.id());
    }
  }

  static Pairs of(BodyView view) {
    Pairs pairs =
        new Pairs(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    @Nullable Group current = null;
    for (int i = 0; i < view.entries().size(); i++) {
      BodyMessage entry = view.entries().get(i);
      if (entry.is(BodyMessage.Role.ASSISTANT)) {
        current = null;
        List<BodyPart> calls = entry.all(BodyPart.Kind.CALL);
        if (!calls.isEmpty()) {
          current = new Group(i, calls);
          pairs.groups.add(current);
        }
        continue;
      }
      for (BodyPart result : entry.all(BodyPart.Kind.RESULT)) {
        pairs.answer(current, result, i);
      }
      if (!view.format().alternates() && !entry.is(BodyMessage.Role.TOOL)) {
        current = null;
      }
    }
    return pairs;
  }

  private void answer(@Nullable Group current, BodyPart result, int entry) {
    Optional<BodyPart> open = current == null ? Optional.empty() : current.open(result);
    if (current != null && open.isPresent()) {
      current.answers.put(open.get(), result);
      current.inOrder.add(open.get());
      current.places.add(entry);
      return;
    }
    for (int i = groups.size() - 1; i >= 0; i--) {
      Group group = groups.get(i);
      Optional<BodyPart> waiting = result.id() == null ? Optional.empty() : group.open(result);
      if (waiting.isPresent()) {
        group.lateAnswers.put(waiting.get(), true);
        late.add(new Late(result, entry - group.entry - 1));
        return;
      }
    }
    boolean second = result.id() != null && groups.stream().anyMatch(group -> group.has(result));
    (second ? seconds : orphans).add(result);
  }

  /** Calls by id, for ids that more than one call has. */
  Map<String, List<BodyPart>> repeated() {
    Map<String, List<BodyPart>> byId = new LinkedHashMap<>();
    for (Group group : groups) {
      for (BodyPart call : group.calls) {
        if (call.id() != null) {
          byId.computeIfAbsent(call.id(), unused -> new ArrayList<>()).add(call);
        }
      }
    }
    Map<String, List<BodyPart>> repeated = new HashMap<>(byId);
    repeated.values().removeIf(calls -> calls.size() < 2);
    return repeated;
  }
}
