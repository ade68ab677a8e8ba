package dev.contexture.provider.history;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.request.ReplyParts;
import dev.contexture.request.history.ImportedHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the blocks of imported turns; each knows its place in the source. */
record HistoryBlocks(String format, Instant ts, ImportedHistory.Options options) {
  private static final String BETWEEN = "\n\n";

  Block header(TurnId turn, Instant at) {
    return Block.builder(BlockType.TURN_HEADER).author(Author.SYSTEM).build(turn, at);
  }

  private Instant at(ForeignMessage message) {
    return message.at() == null ? ts : message.at();
  }

  /** Texts as one prompt at the place of the first, everything else as attachments. */
  List<Block> input(TurnId turn, ForeignMessage message, List<ForeignMessage.Piece> pieces) {
    List<String> texts = new ArrayList<>();
    pieces.forEach(
        piece -> {
          if (piece instanceof ForeignMessage.Text text) {
            texts.add(text.text());
          }
        });
    List<Block> blocks = new ArrayList<>();
    boolean prompted = false;
    for (ForeignMessage.Piece piece : pieces) {
      switch (piece) {
        case ForeignMessage.Text text -> {
          if (!prompted) {
            blocks.add(prompt(turn, message, text, texts));
          }
          prompted = true;
        }
        case ForeignMessage.Media media -> blocks.addAll(attachment(turn, message, media));
        case ForeignMessage.Opaque opaque -> blocks.add(opaque(turn, message, opaque));
        case ForeignMessage.Call call -> blocks.add(opaque(turn, message, misplaced(call)));
        case ForeignMessage.Result _unused -> {}
      }
    }
    return blocks;
  }

  private static ForeignMessage.Opaque misplaced(ForeignMessage.Call call) {
    String json =
        JsonObject.builder().put("id", call.id()).put("name", call.tool()).build().toJson();
    return new ForeignMessage.Opaque(call.part(), "misplaced_call", json);
  }

  private Block prompt(
      TurnId turn, ForeignMessage message, ForeignMessage.Text first, List<String> texts) {
    JsonObject meta = meta(message, first);
    return Block.builder(BlockType.USER_PROMPT)
        .author(Author.USER)
        .path(BlockPath.userPrompt(turn))
        .meta(texts.size() > 1 ? meta.with("text_ends", ends(texts, BETWEEN.length())) : meta)
        .text(String.join(BETWEEN, texts))
        .build(turn, at(message));
  }

  private List<Block> attachment(TurnId turn, ForeignMessage message, ForeignMessage.Media media) {
    String name = "part_" + media.part() + "." + extension(media.mime());
    BlockPath path = BlockPath.attachment(turn, name);
    JsonObject.Builder meta = meta(message, media).toBuilder();
    meta.put("filename", name).put("mime", media.mime());
    meta.putIfPresent("url", media.url()).putIfPresent("file_id", media.fileId());
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Block.builder(BlockType.USER_ATTACHMENT_META)
            .author(Author.USER)
            .path(path)
            .meta(meta.build())
            .build(turn, at(message)));
    if (media.data() != null) {
      blocks.add(
          Block.builder(BlockType.USER_ATTACHMENT)
              .author(Author.USER)
              .path(path)
              .mime(media.mime())
              .meta(meta(message, media))
              .data(media.data())
              .build(turn, at(message)));
    }
    return blocks;
  }

  private static String extension(String mime) {
    String sub = mime.substring(mime.indexOf('/') + 1).replaceAll("[^A-Za-z0-9]", "");
    return sub.isEmpty() ? "bin" : sub;
  }

  /** What the assistant said; without calls, and last in its turn, the texts are its completion. */
  List<Block> said(TurnDraft.Group group, boolean last) {
    List<Block> blocks = new ArrayList<>();
    boolean completes = last && group.calls().isEmpty();
    boolean completed = false;
    for (ForeignMessage.Piece piece : group.said()) {
      switch (piece) {
        case ForeignMessage.Text text -> {
          if (!completes) {
            blocks.add(notes(group, text));
          } else if (!completed) {
            blocks.add(completion(group, text));
          }
          completed = true;
        }
        case ForeignMessage.Call call -> blocks.add(call(group, call));
        case ForeignMessage.Opaque opaque ->
            blocks.add(opaque(group.turn(), group.message(), opaque));
        case ForeignMessage.Media media ->
            blocks.addAll(attachment(group.turn(), group.message(), media));
        case ForeignMessage.Result _unused -> {}
      }
    }
    return blocks;
  }

  private Block completion(TurnDraft.Group group, ForeignMessage.Text first) {
    List<String> texts = new ArrayList<>();
    List<JsonValue> orders = new ArrayList<>();
    for (ForeignMessage.Piece piece : group.said()) {
      if (piece instanceof ForeignMessage.Text text) {
        texts.add(text.text());
        orders.add(JsonValue.of(text.part()));
      }
    }
    JsonObject meta = answerMeta(group, first);
    if (texts.size() > 1) {
      meta =
          meta.with("text_ends", ends(texts, 0))
              .with("text_orders", new dev.contexture.json.JsonArray(orders));
    }
    return Block.builder(BlockType.ASSISTANT_COMPLETION)
        .author(Author.ASSISTANT)
        .path(BlockPath.completion(group.turn()))
        .meta(meta)
        .text(String.join("", texts))
        .build(group.turn(), at(group.message()));
  }

  private Block notes(TurnDraft.Group group, ForeignMessage.Text text) {
    Block.Builder notes =
        Block.builder(BlockType.REACT_NOTES)
            .author(Author.REACT)
            .meta(answerMeta(group, text))
            .text(text.text());
    if (!group.calls().isEmpty()) {
      CallId of = callOf(group, text.part());
      notes.path(BlockPath.notes(group.turn(), of)).toolCallId(of.value());
    }
    return notes.build(group.turn(), at(group.message()));
  }

  /** The call that a part belongs to: the next one, else the last. */
  private static CallId callOf(TurnDraft.Group group, int part) {
    return group.calls().stream()
        .filter(call -> call.source().part() >= part)
        .findFirst()
        .orElse(group.calls().getLast())
        .id();
  }

  private Block call(TurnDraft.Group group, ForeignMessage.Call source) {
    TurnDraft.Call call =
        group.calls().stream()
            .filter(c -> c.source().part() == source.part())
            .findFirst()
            .orElseThrow();
    JsonObject meta = answerMeta(group, source);
    boolean own = !CallPairs.isMade(source.id()) && CallId.of(source.id()).equals(call.id());
    String text =
        "{\"tool_id\":"
            + new JsonString(source.tool()).toJson()
            + ",\"tool_call_id\":"
            + new JsonString(call.id().value()).toJson()
            + ",\"params\":"
            + ReplyParts.arguments(source.arguments())
            + "}";
    return Block.builder(BlockType.REACT_TOOL_CALL)
        .author(Author.REACT)
        .mime("application/json")
        .path(BlockPath.call(group.turn(), call.id()))
        .meta(own ? meta.with("provider_call_id", JsonValue.of(source.id())) : meta)
        .toolCallId(call.id().value())
        .toolId(source.tool())
        .text(text)
        .build(group.turn(), at(group.message()));
  }

  /** One block per part of the result. */
  List<Block> result(TurnDraft.Call call, ForeignMessage message, ForeignMessage.Result result) {
    List<Block> blocks = new ArrayList<>();
    for (ForeignMessage.Piece piece : result.content()) {
      Block.Builder block = resultBlock(call, result.error()).meta(meta(message, result));
      TurnId turn = call.group().turn();
      switch (piece) {
        case ForeignMessage.Media media when media.data() != null -> {
          String name = call.id().value() + "_" + piece.part() + "." + extension(media.mime());
          block.path(BlockPath.file(turn, name)).mime(media.mime()).data(media.data());
        }
        case ForeignMessage.Media media ->
            block.text(
                "["
                    + media.mime()
                    + " at "
                    + (media.url() == null ? media.fileId() : media.url())
                    + "]");
        case ForeignMessage.Text text -> block.text(text.text());
        case ForeignMessage.Opaque opaque -> block.text(opaque.json());
        case ForeignMessage.Call inner -> block.text(inner.arguments());
        case ForeignMessage.Result _unused -> block.text("");
      }
      blocks.add(block.build(turn, at(message)));
    }
    if (blocks.isEmpty()) {
      blocks.add(
          resultBlock(call, result.error())
              .meta(meta(message, result))
              .text("")
              .build(call.group().turn(), at(message)));
    }
    return blocks;
  }

  private static Block.Builder resultBlock(TurnDraft.Call call, boolean error) {
    return Block.builder(BlockType.REACT_TOOL_RESULT)
        .author(Author.TOOL)
        .path(BlockPath.result(call.group().turn(), call.id()))
        .toolCallId(call.id().value())
        .error(error);
  }

  /** The result of a call that has none. */
  Block missing(TurnDraft.Call call) {
    return resultBlock(call, true)
        .meta(meta(call.group().message(), call.source()))
        .text("no result recorded")
        .build(call.group().turn(), at(call.group().message()));
  }

  /** A result without its call is a note. */
  List<Block> orphan(TurnId turn, ForeignMessage message, ForeignMessage.Result result) {
    StringBuilder text = new StringBuilder();
    text.append("[result of tool ").append(result.id()).append(", call not in context]");
    for (ForeignMessage.Piece piece : result.content()) {
      if (piece instanceof ForeignMessage.Text said) {
        text.append('\n').append(said.text());
      }
    }
    return List.of(
        Block.builder(BlockType.REACT_NOTE)
            .author(Author.REACT)
            .meta(meta(message, result))
            .text(text.toString())
            .build(turn, at(message)));
  }

  private Block opaque(TurnId turn, ForeignMessage message, ForeignMessage.Opaque opaque) {
    String model = model(message);
    JsonObject.Builder meta =
        meta(message, opaque).toBuilder()
            .put("provider", format)
            .put("model", model == null ? "" : model)
            .put("kind", opaque.kind())
            .put("answer_id", answerId(message))
            .put("wire_order", opaque.part());
    if (opaque.verbatim()) {
      meta.put("verbatim", true);
    }
    return Block.builder(BlockType.MODEL_OPAQUE)
        .author(Author.REACT)
        .mime("application/json")
        .meta(meta.build())
        .text(opaque.json())
        .build(turn, at(message));
  }

  private JsonObject answerMeta(TurnDraft.Group group, ForeignMessage.Piece piece) {
    return meta(group.message(), piece).toBuilder()
        .put("answer_id", answerId(group.message()))
        .put("wire_order", piece.part())
        .build();
  }

  private String answerId(ForeignMessage message) {
    return "imp_" + options.importId() + "_m" + message.index();
  }

  private JsonObject meta(ForeignMessage message, ForeignMessage.Piece piece) {
    JsonObject.Builder place =
        JsonObject.builder().put("message", message.index()).put("part", piece.part());
    if (message.role() == ForeignMessage.Role.ASSISTANT) {
      place.putIfPresent("model", model(message));
    }
    return JsonObject.of("import", place.build());
  }

  private @Nullable String model(ForeignMessage message) {
    return message.model() == null ? options.model() : message.model();
  }

  /** Where each text ends in the joined one. */
  private static JsonArray ends(List<String> texts, int between) {
    List<JsonValue> ends = new ArrayList<>();
    int end = 0;
    for (String text : texts) {
      end += text.length();
      ends.add(JsonValue.of(end));
      end += between;
    }
    return new JsonArray(ends);
  }
}
