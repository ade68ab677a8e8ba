package dev.contexture.view;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenMeter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Turns blocks into what they emit, for one dialect, reader and meter, and keeps it: a block does
 * not change, so that it is formatted and counted once.
 *
 * <p>Confined to one thread at a time. What it keeps is bounded by what was last asked for: {@link
 * #forgetAllBut} drops the rest.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Emitter {
  static final String HIDDEN = "(hidden)";
  private static final String UNKNOWN_TOOL = "unknown";

  private final Dialect dialect;
  private final Reader reader;
  private final TokenMeter meter;
  private final IdentityHashMap<Object, Kept> kept = new IdentityHashMap<>();

  public Emitter(Dialect dialect, Reader reader, TokenMeter meter) {
    this.dialect = dialect;
    this.reader = reader;
    this.meter = meter;
  }

  public Dialect dialect() {
    return dialect;
  }

  public TokenMeter meter() {
    return meter;
  }

  /** What a summary emits. */
  public Emission summary(Summary summary) {
    Kept known = kept.computeIfAbsent(summary, unused -> new Kept());
    if (known.own == null) {
      known.own = texts(MessageRole.USER, BlockLines.of(summary));
    }
    return known.own;
  }

  /** What a block emits at its own place, shown as it is. */
  public Emission own(TimelineEntry entry, @Nullable String tool) {
    Kept known = kept.computeIfAbsent(entry, unused -> new Kept());
    Emission own = known.own;
    if (own == null) {
      own = dialect == Dialect.TRANSCRIPT ? transcript(entry, tool) : nativeOwn(entry, tool);
      known.own = own;
    }
    return own;
  }

  /** What a block emits as a call, or inside the result of its round, shown as it is. */
  public Emission inRound(TimelineEntry entry, @Nullable String tool) {
    Kept known = kept.computeIfAbsent(entry, unused -> new Kept());
    Emission inRound = known.inRound;
    if (inRound == null) {
      inRound = entry.block().type().isCall() ? call(entry, tool) : resultPart(entry, tool);
      known.inRound = inRound;
    }
    return inRound;
  }

  /** What a late block emits: the user's text, with its label. */
  Emission late(TimelineEntry entry, @Nullable String tool) {
    Kept known = kept.computeIfAbsent(entry, unused -> new Kept());
    Emission late = known.late;
    if (late == null) {
      late = labelled(MessageRole.USER, entry, tool);
      known.late = late;
    }
    return late;
  }

  /** What a block emits that is shown as something else. */
  public Emission replaced(TimelineEntry entry, Visibility visibility, @Nullable String tool) {
    Kept known = kept.computeIfAbsent(entry, unused -> new Kept());
    Emission replaced = known.replaced;
    if (replaced == null || !visibility.equals(known.replacedBy)) {
      replaced = replacement(entry, visibility.replacement(), tool);
      known.replaced = replaced;
      known.replacedBy = visibility;
    }
    return replaced;
  }

  /** What a late block emits that is shown as something else: the user's text, with its label. */
  Emission lateReplaced(TimelineEntry entry, Visibility visibility) {
    Kept known = kept.computeIfAbsent(entry, unused -> new Kept());
    Emission replaced = known.lateReplaced;
    if (replaced == null || !visibility.equals(known.lateReplacedBy)) {
      replaced = labelledReplacement(MessageRole.USER, entry.block(), visibility.replacement());
      known.lateReplaced = replaced;
      known.lateReplacedBy = visibility;
    }
    return replaced;
  }

  /** A text of the user's that is no block, such as the sources pool. */
  public Emission text(String text) {
    return texts(MessageRole.USER, List.of(BlockLines.stripEnd(text)));
  }

  /** The result whose blocks are all hidden without a replacement. */
  Emission hiddenResult() {
    return texts(MessageRole.USER, List.of(HIDDEN));
  }

  /** Forgets everything but the given entries and summaries, if much more is kept. */
  void forgetAllBut(List<StreamItem> items) {
    if (kept.size() <= 2L * items.size() + 1024) {
      return;
    }
    IdentityHashMap<Object, Kept> still = new IdentityHashMap<>();
    for (StreamItem item : items) {
      Kept known = kept.get(item.source());
      if (known != null) {
        still.put(item.source(), known);
      }
    }
    kept.clear();
    kept.putAll(still);
  }

  private Emission transcript(TimelineEntry entry, @Nullable String tool) {
    if (entry.block().type().has(BlockType.Flag.NATIVE_ONLY)) {
      return Emission.NOTHING;
    }
    return labelled(MessageRole.USER, entry, tool);
  }

  private Emission nativeOwn(TimelineEntry entry, @Nullable String tool) {
    Block block = entry.block();
    BlockType type = block.type();
    if (type.equals(BlockType.MODEL_OPAQUE)) {
      return opaque(block);
    }
    boolean tail = type.equals(BlockType.CONTEXT_TAIL);
    if (tail && !reader.mayHear(block)) {
      return Emission.NOTHING;
    }
    boolean plain =
        type.equals(BlockType.USER_PROMPT)
            || type.equals(BlockType.ASSISTANT_COMPLETION)
            || type.equals(BlockType.REACT_NOTES)
            || tail;
    return plain
        ? parts(nativeRole(block), List.of(BlockLines.text(block)), block)
        : labelled(nativeRole(block), entry, tool);
  }

  /** Who speaks a block at its own place. */
  private static MessageRole nativeRole(Block block) {
    BlockType type = block.type();
    if (type.equals(BlockType.ASSISTANT_COMPLETION)
        || type.equals(BlockType.REACT_NOTES)
        || type.equals(BlockType.REACT_TOOL_CODE)
        || type.equals(BlockType.MODEL_OPAQUE)) {
      return MessageRole.ASSISTANT;
    }
    boolean base = type.has(BlockType.Flag.BASE);
    return !base && block.author().equals(Author.ASSISTANT)
        ? MessageRole.ASSISTANT
        : MessageRole.USER;
  }

  private Emission opaque(Block block) {
    JsonObject meta = block.meta();
    String provider = meta.string("provider").orElse("");
    String model = meta.string("model").orElse("");
    String kind = meta.string("kind").orElse("");
    String raw = block.text().or(() -> block.data().map(Emitter::utf8)).orElse("");
    if (raw.isEmpty() || !ReplyOpaque.isSendable(kind) || !reader.canRead(provider, model)) {
      return Emission.NOTHING;
    }
    Part part =
        new Part.Opaque(
            provider,
            model,
            kind,
            raw,
            meta.isTrue("verbatim"),
            meta.string("answer_id").orElse(""),
            wireOrder(meta));
    long cost =
        meta.isTrue("verbatim") ? 0 : meter.texts(List.of(raw)); // what it stands for counts
    return new Emission(MessageRole.ASSISTANT, List.of(part), cost);
  }

  private static int wireOrder(JsonObject meta) {
    return meta.find("wire_order").orElse(JsonNull.NULL) instanceof JsonNumber order
        ? (int) order.asLong().orElse(0)
        : 0;
  }

  private static String utf8(Binary data) {
    return new String(data.bytes(), StandardCharsets.UTF_8);
  }

  private Emission call(TimelineEntry entry, @Nullable String tool) {
    String text = entry.block().text().orElse("");
    String arguments =
        entry.jsonObject().isPresent()
            ? JsonText.member(text, "params").filter(p -> !p.equals("null")).orElse("{}")
            : JsonObject.of("_raw", JsonValue.of(text)).toJson();
    return call(entry, tool, text.isBlank() ? "{}" : arguments);
  }

  private Emission call(TimelineEntry entry, @Nullable String tool, String arguments) {
    String name = tool == null ? UNKNOWN_TOOL : tool;
    Part part =
        new Part.ToolCall(
            entry.callId().orElseThrow(), entry.providerCallId().orElse(null), name, arguments);
    return new Emission(
        MessageRole.ASSISTANT, List.of(part), meter.texts(List.of(name, arguments)));
  }

  /** What a block adds to the content of its round's result. */
  private Emission resultPart(TimelineEntry entry, @Nullable String tool) {
    Block block = entry.block();
    if (!block.type().isResult()) {
      return labelled(MessageRole.USER, entry, tool);
    }
    if (BlockLines.isStatus(block)) {
      return parts(MessageRole.USER, List.of(statusText(entry)), block);
    }
    boolean empty = BlockLines.text(block).isEmpty() && block.data().isEmpty();
    List<String> lines = new ArrayList<>(2);
    if (!empty) {
      block.path().ifPresent(path -> lines.add(BlockLines.pathLine(path)));
      lines.add(BlockLines.text(block));
      lines.removeIf(String::isEmpty);
    }
    return parts(MessageRole.USER, List.of(String.join("\n", lines)), block);
  }

  private static String statusText(TimelineEntry entry) {
    return entry
        .json()
        .filter(json -> ToolJson.withoutHandles(json) != json)
        .map(json -> ToolJson.withoutHandles(json).toJson())
        .orElseGet(() -> BlockLines.text(entry.block()));
  }

  private Emission replacement(TimelineEntry entry, String replacement, @Nullable String tool) {
    Block block = entry.block();
    if (replacement.isBlank() || block.path().isEmpty()) {
      return Emission.NOTHING;
    }
    boolean asNative = dialect == Dialect.NATIVE;
    if (asNative && block.type().isCall() && entry.callId().isPresent()) {
      return call(entry, tool, replacedArguments(replacement));
    }
    if (asNative && block.type().isResult()) {
      String text =
          BlockLines.pathLine(block.path().orElseThrow()) + "\n" + BlockLines.stripEnd(replacement);
      return texts(MessageRole.USER, List.of(text));
    }
    MessageRole role = asNative ? nativeRole(block) : MessageRole.USER;
    return labelledReplacement(role, block, replacement);
  }

  private Emission labelledReplacement(MessageRole role, Block block, String replacement) {
    return replacement.isBlank() || block.path().isEmpty()
        ? Emission.NOTHING
        : texts(role, BlockLines.replaced(block, replacement));
  }

  /** The replacement's own parameters if it is such an object, else the text as one. */
  private static String replacedArguments(String replacement) {
    return Optional.of(replacement)
        .filter(JsonText::isObject)
        .flatMap(object -> JsonText.member(object, "params"))
        .filter(params -> params.startsWith("{"))
        .orElseGet(() -> JsonObject.of("replacement", JsonValue.of(replacement)).toJson());
  }

  private Emission labelled(MessageRole role, TimelineEntry entry, @Nullable String tool) {
    List<String> lines = BlockLines.of(entry, tool);
    return parts(role, List.of(String.join("\n", lines)), entry.block());
  }

  private Emission texts(MessageRole role, List<String> lines) {
    return build(role, List.of(String.join("\n", lines)), null);
  }

  private Emission parts(MessageRole role, List<String> texts, Block block) {
    return build(role, texts, block);
  }

  private Emission build(MessageRole role, List<String> texts, @Nullable Block block) {
    List<Part> parts = new ArrayList<>(2);
    List<String> counted = new ArrayList<>(2);
    long media = 0;
    for (String text : texts) {
      if (!text.isEmpty()) {
        addText(parts, counted, text);
      }
    }
    if (block != null && block.data().isPresent()) {
      Part part = Media.part(block.mime(), block.data().get(), reader.textOnly());
      switch (part) {
        case Part.Text marker -> addText(parts, counted, marker.text());
        case Part.Image image -> media = add(parts, image, meter.image(image.data()));
        case Part.Document pdf -> media = add(parts, pdf, meter.document(pdf.data()));
        case Part.ToolCall _unused -> throw new IllegalStateException("no call is binary");
        case Part.ToolResult _unused -> throw new IllegalStateException("no result is binary");
        case Part.Opaque _unused -> throw new IllegalStateException("no opaque part is binary");
      }
    }
    return parts.isEmpty()
        ? new Emission(role, List.of(), 0)
        : new Emission(role, parts, media + meter.texts(counted));
  }

  private void addText(List<Part> parts, List<String> counted, String text) {
    String emitted = dialect == Dialect.TRANSCRIPT ? text + "\n\n" : text;
    parts.add(new Part.Text(emitted));
    counted.add(emitted);
  }

  private static long add(List<Part> parts, Part part, long tokens) {
    parts.add(part);
    return tokens;
  }

  /** The result that was computed for one source. */
  private static final class Kept {
    private @Nullable Emission own;
    private @Nullable Emission inRound;
    private @Nullable Emission late;
    private @Nullable Emission replaced;
    private @Nullable Visibility replacedBy;
    private @Nullable Emission lateReplaced;
    private @Nullable Visibility lateReplacedBy;
  }
}
