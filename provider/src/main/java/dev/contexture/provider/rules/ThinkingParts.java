package dev.contexture.provider.rules;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.provider.wire.ProofFacts;
import dev.contexture.provider.wire.ToolNames;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects the thinking of models from the messages of requests. Messages that the last request
 * had, too, are not read again. Confined to one thread.
 */
final class ThinkingParts {
  private final WireFormat format;
  private List<Message> last = List.of();
  private String lastProvider = "";
  private final List<Found> found = new ArrayList<>(); // of each of these messages

  /**
   * The thinking and the reasoning in a message.
   *
   * @param received the places of thinking by its hash
   * @param pairs reasoning by what it led to, both as items of Responses
   */
  private record Found(Map<String, List<ProofFacts.Received>> received, Map<String, String> pairs) {
    private static final Found NOTHING = new Found(Map.of(), Map.of());
  }

  ThinkingParts(WireFormat format) {
    this.format = format;
  }

  boolean is(Part part) {
    return part instanceof Part.Opaque opaque && format.thinking().contains(opaque.kind());
  }

  /** The SHA-256 of a part's JSON without white space, in hex. */
  static String hash(Part.Opaque part) {
    return ToolNames.sha256(JsonText.minify(part.raw().strip()));
  }

  /**
   * What a body of these messages must repeat.
   *
   * @param provider whom it is for; others do not get their thinking
   */
  ProofFacts facts(List<Message> messages, String provider) {
    int same = provider.equals(lastProvider) ? same(messages) : 0;
    lastProvider = provider;
    found.subList(same, found.size()).clear();
    for (int i = same; i < messages.size(); i++) {
      found.add(find(messages.get(i), provider));
    }
    last = messages;
    Map<String, List<ProofFacts.Received>> received = new HashMap<>();
    Map<String, String> pairs = new HashMap<>();
    for (Found one : found) {
      if (!one.received.isEmpty()) {
        addAll(received, one.received);
        pairs.putAll(one.pairs);
      }
    }
    return received.isEmpty() ? ProofFacts.NONE : ProofFacts.NONE.withThinking(received, pairs);
  }

  @SuppressWarnings("ReferenceEquality") // messages do not change, and comparing texts costs time
  private int same(List<Message> messages) {
    int same = 0;
    int most = Math.min(last.size(), messages.size());
    while (same < most && last.get(same) == messages.get(same)) {
      same++;
    }
    return same;
  }

  private Found find(Message message, String provider) {
    Map<String, List<ProofFacts.Received>> received = new HashMap<>();
    Map<String, String> pairs = new HashMap<>();
    Map<String, List<ProofFacts.Received>> held = new HashMap<>(); // led to nothing yet
    String reasoning = "";
    for (Part part : message.parts()) {
      if (part instanceof Part.Opaque opaque && opaque.provider().equals(provider)) {
        if (is(opaque)) {
          boolean needsMore = format.thinkingNeedsMore();
          addAll(needsMore ? held : received, Map.of(hash(opaque), List.of(received(opaque))));
          reasoning = item(opaque);
        } else if (opaque.verbatim() && !reasoning.isEmpty() && !item(opaque).isEmpty()) {
          pairs.put(item(opaque), reasoning);
        }
      }
      if (!held.isEmpty() && isSaid(part)) {
        addAll(received, held);
        held.clear();
      }
    }
    return received.isEmpty() ? Found.NOTHING : new Found(received, pairs);
  }

  private static void addAll(
      Map<String, List<ProofFacts.Received>> all, Map<String, List<ProofFacts.Received>> more) {
    more.forEach(
        (hash, places) -> all.computeIfAbsent(hash, unused -> new ArrayList<>()).addAll(places));
  }

  /** Whether reasoning of Responses can lead to it: it is sent with that, and only with that. */
  private boolean isSaid(Part part) {
    return switch (part) {
      case Part.Text text -> !text.text().isBlank();
      case Part.Opaque opaque ->
          !opaque.verbatim() && !is(opaque) && ReplyOpaque.isSendable(opaque.kind());
      case Part.ToolCall _unused -> true;
      case Part.ToolResult _unused -> true;
      case Part.Image _unused -> true;
      case Part.Document _unused -> true;
    };
  }

  /** The id that Responses gave an item; empty elsewhere. */
  private static String item(Part.Opaque opaque) {
    return JsonText.isObject(opaque.raw())
        ? ((JsonObject) JsonValue.parse(opaque.raw())).string("id").orElse("")
        : "";
  }

  private static ProofFacts.Received received(Part.Opaque opaque) {
    return new ProofFacts.Received(
        opaque.provider(), opaque.model(), true, opaque.reply(), opaque.order());
  }

  /** The same message with the thinking of each answer in its own order, in the same places. */
  Message inOrder(Message message) {
    Map<String, List<Part.Opaque>> byReply = new HashMap<>();
    for (Part part : message.parts()) {
      if (part instanceof Part.Opaque opaque && is(opaque) && !opaque.reply().isEmpty()) {
        byReply.computeIfAbsent(opaque.reply(), unused -> new ArrayList<>()).add(opaque);
      }
    }
    byReply.values().forEach(all -> all.sort(Comparator.comparingInt(Part.Opaque::order)));
    List<Part> parts = new ArrayList<>();
    for (Part part : message.parts()) {
      boolean isThinking = part instanceof Part.Opaque && is(part);
      List<Part.Opaque> all = isThinking ? byReply.get(((Part.Opaque) part).reply()) : null;
      parts.add(all == null ? part : all.removeFirst());
    }
    return new Message(message.role(), parts);
  }

  /**
   * Messages without some thinking. The verbatim forms of what reasoning of Responses led to go
   * with it: they name it, and what they stand for does not.
   *
   * @param hashes what goes
   */
  List<Message> without(List<Message> messages, Set<String> hashes) {
    return messages.stream().map(message -> without(message, hashes)).toList();
  }

  private Message without(Message message, Set<String> hashes) {
    List<Part> kept = new ArrayList<>(message.parts().size());
    boolean alone = false;
    for (Part part : message.parts()) {
      if (part instanceof Part.Opaque opaque && is(part)) {
        alone = hashes.contains(hash(opaque));
        if (alone) {
          continue;
        }
      }
      boolean names = part instanceof Part.Opaque opaque && opaque.verbatim();
      if (!(alone && names)) {
        kept.add(part);
      }
    }
    return kept.size() == message.parts().size() ? message : new Message(message.role(), kept);
  }
}
