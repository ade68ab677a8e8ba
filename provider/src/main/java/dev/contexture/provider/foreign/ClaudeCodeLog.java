package dev.contexture.provider.foreign;

import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.history.ForeignMessage;
import dev.contexture.provider.history.ForeignMessage.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of a coding session: a line for each part of an answer, each result and each
 * prompt, and lines about other things. Work of sub-agents, and prompts that were taken back, are
 * no part of the conversation.
 */
final class ClaudeCodeLog {
  private static final Set<String> KINDS = Set.of("user", "assistant");

  private final ForeignHistoryReader reader;
  private final Map<String, JsonObject> byId; // all lines, those without a message too
  private final List<ForeignMessage> messages = new ArrayList<>();

  private ClaudeCodeLog(ForeignHistoryReader reader, Map<String, JsonObject> byId) {
    this.reader = reader;
    this.byId = byId;
  }

  /**
   * One conversation for each session.
   *
   * @param reader of the messages in the lines
   */
  static List<ForeignChat> read(List<ChatUnit> lines, ForeignHistoryReader reader) {
    Map<String, List<ChatUnit>> sessions = new LinkedHashMap<>();
    Map<String, String> titles = new HashMap<>();
    Map<String, JsonObject> byId = new HashMap<>();
    for (ChatUnit line : lines) {
      JsonObject json = line.object();
      json.string("uuid").ifPresent(id -> byId.put(id, json));
      String type = json.string("type").orElse("");
      if (type.equals("summary")) {
        titles.put(json.string("leafUuid").orElse(""), json.string("summary").orElse(""));
      } else if (!KINDS.contains(type) && json.object("message").isPresent()) {
        throw ChatUnit.malformed(
            line.place() + "/type",
            type.isEmpty() ? "none" : type,
            "user or assistant for a line with a message");
      } else if (KINDS.contains(type) && !json.isTrue("isSidechain")) {
        String session = json.string("sessionId").orElse("");
        sessions.computeIfAbsent(session, unused -> new ArrayList<>()).add(line);
      }
    }
    List<ForeignChat> chats = new ArrayList<>();
    sessions.forEach(
        (session, own) -> chats.add(new ClaudeCodeLog(reader, byId).chat(session, own, titles)));
    return chats;
  }

  private ForeignChat chat(String session, List<ChatUnit> lines, Map<String, String> titles) {
    String title = null;
    for (List<ChatUnit> one : answers(onBranch(lines))) {
      add(one);
      String known = titles.get(one.getLast().object().string("uuid").orElse(""));
      title = known == null ? title : known;
    }
    return ForeignChat.of(messages).id(session.isEmpty() ? null : session).title(title);
  }

  /**
   * The lines that lead to the last one. Results of calls that were made together hang beside it:
   * they belong to it if their call does.
   */
  private List<ChatUnit> onBranch(List<ChatUnit> lines) {
    Set<String> branch = new HashSet<>();
    JsonObject at = lines.getLast().object();
    while (at != null && branch.add(at.string("uuid").orElse(""))) {
      String parent = ChatUnit.text(at, "parentUuid", "logicalParentUuid");
      JsonObject next = parent == null ? null : byId.get(parent);
      at = next == null && parent != null ? before(at, lines) : next;
    }
    Set<String> answers = new HashSet<>();
    Set<String> calls = new HashSet<>();
    for (ChatUnit line : lines) {
      if (branch.contains(line.object().string("uuid").orElse(""))) {
        answers.add(answer(line.object()));
      }
    }
    List<ChatUnit> kept = new ArrayList<>();
    for (ChatUnit line : lines) {
      JsonObject json = line.object();
      boolean same = !answer(json).isEmpty() && answers.contains(answer(json));
      if (same || branch.contains(json.string("uuid").orElse(""))) {
        ids(json, "tool_use", "id", calls);
        kept.add(line);
      } else if (ids(json, "tool_result", "tool_use_id", new HashSet<>()).stream()
          .anyMatch(calls::contains)) {
        kept.add(line);
      }
    }
    return kept;
  }

  /** A parent that is not in the file: the message before it counts. */
  private static @Nullable JsonObject before(JsonObject line, List<ChatUnit> lines) {
    JsonObject before = null;
    for (ChatUnit each : lines) {
      if (each.object().equals(line)) {
        return before;
      }
      before = each.object();
    }
    return before;
  }

  /** The id of the answer that a line is a part of; empty: of none. */
  private static String answer(JsonObject line) {
    return line.string("type").orElse("").equals("assistant")
        ? line.object("message").flatMap(message -> message.string("id")).orElse("")
        : "";
  }

  private static Set<String> ids(JsonObject line, String type, String name, Set<String> to) {
    JsonValue content =
        line.object("message").flatMap(message -> message.find("content")).orElse(JsonNull.NULL);
    if (content instanceof dev.contexture.json.JsonArray parts) {
      for (JsonValue part : parts.items()) {
        if (part instanceof JsonObject object && object.string("type").orElse("").equals(type)) {
          object.string(name).ifPresent(to::add);
        }
      }
    }
    return to;
  }

  /** The lines of each answer together; every other line by itself. */
  private static List<List<ChatUnit>> answers(List<ChatUnit> lines) {
    List<List<ChatUnit>> groups = new ArrayList<>();
    Map<String, List<ChatUnit>> byAnswer = new HashMap<>();
    for (ChatUnit line : lines) {
      String answer = answer(line.object());
      List<ChatUnit> known = answer.isEmpty() ? null : byAnswer.get(answer);
      if (known != null) {
        known.add(line);
        continue;
      }
      List<ChatUnit> group = new ArrayList<>(List.of(line));
      groups.add(group);
      if (!answer.isEmpty()) {
        byAnswer.put(answer, group);
      }
    }
    return groups;
  }

  private void add(List<ChatUnit> group) {
    StringBuilder list = new StringBuilder("[");
    for (ChatUnit line : group) {
      list.append(list.length() > 1 ? "," : "")
          .append(
              dev.contexture.json.JsonText.member(line.raw(), "message")
                  .orElseThrow(
                      () -> ChatUnit.malformed(line.place(), "without message", "a message")));
    }
    List<ForeignMessage> read = reader.chat(list.append(']').toString()).messages();
    List<ForeignMessage.Piece> pieces = new ArrayList<>();
    for (ForeignMessage message : read) {
      message.pieces().forEach(piece -> pieces.add(numbered(piece, pieces.size())));
    }
    JsonObject first = group.getFirst().object();
    messages.add(
        new ForeignMessage(
            isTold(first, pieces) ? Role.INSTRUCTIONS : read.getFirst().role(),
            messages.size(),
            pieces,
            group.getFirst().place(),
            ChatUnit.time(first, "timestamp"),
            first.object("message").map(message -> ChatUnit.text(message, "model")).orElse(null)));
  }

  /** Whether the program says it in the place of the user: a caveat, a skill, a summary. */
  private static boolean isTold(JsonObject line, List<ForeignMessage.Piece> pieces) {
    return line.string("type").orElse("").equals("user")
        && (line.isTrue("isMeta") || line.isTrue("isCompactSummary"))
        && pieces.stream().allMatch(ForeignMessage.Text.class::isInstance);
  }

  private static ForeignMessage.Piece numbered(ForeignMessage.Piece piece, int at) {
    return switch (Objects.requireNonNull(piece)) {
      case ForeignMessage.Text text -> new ForeignMessage.Text(at, text.text());
      case ForeignMessage.Media media ->
          new ForeignMessage.Media(at, media.mime(), media.data(), media.url(), media.fileId());
      case ForeignMessage.Call call ->
          new ForeignMessage.Call(at, call.id(), call.tool(), call.arguments());
      case ForeignMessage.Result result ->
          new ForeignMessage.Result(
              at, result.id(), result.error(), result.content(), result.tool());
      case ForeignMessage.Opaque opaque ->
          new ForeignMessage.Opaque(at, opaque.kind(), opaque.json(), opaque.verbatim());
    };
  }
}
