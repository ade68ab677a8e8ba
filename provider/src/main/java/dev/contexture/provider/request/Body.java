package dev.contexture.provider.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.Finding;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.render.Message;
import dev.contexture.request.Mark;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBody;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One request body while it is written: pieces of bytes, the blocks among them, and what was odd.
 * Marks are put in at the end, by exchanging the pieces that close the marked blocks. Confined to
 * one thread, used once.
 */
abstract class Body {
  static final byte[] COMMA = Encoded.bytes(",");
  static final byte[] CLOSE = Encoded.bytes("}");

  final RequestInput input;
  final ModelProfile profile;
  final List<Finding> findings = new ArrayList<>();
  final Blocks blocks = new Blocks();
  final Memory.Search search;
  private final ModelProfiles profiles;
  private HeadMemory head;
  private final List<byte[]> pieces;
  private final List<MarkPlan.Wish> wishes = new ArrayList<>();
  private final Map<String, Boolean> readable = new HashMap<>();
  private final int stableParts;
  private int writtenParts;
  private int omittedOpaque;

  Body(RequestInput input, ModelProfiles profiles, Memory before) {
    this.input = input;
    this.profiles = profiles;
    this.profile = profiles.profile(input.model());
    this.search = before.search();
    this.pieces = new ArrayList<>(4 * before.parts().size() + 64);
    this.head = before.head();
    this.stableParts =
        input.messages().stream().mapToInt(message -> message.parts().size()).sum()
            - input.volatileParts();
  }

  /** A tool definition as JSON. */
  abstract String tool(String wireName, ToolDef tool);

  /** A part without its last brace. */
  abstract Encoded encode(Part part);

  /** Whether the format has a place for an opaque part of this kind. */
  abstract boolean takes(Part.Opaque opaque);

  /** A tool's name as the format takes it. */
  String wireName(String tool) {
    return ToolNames.wireName(tool);
  }

  /** Writes everything, blocks included. */
  abstract void writeAll();

  /** The most marks that can be set, and none if the model takes none. */
  abstract int slots();

  /** What closes a marked block. */
  abstract byte[] markedClose();

  /** The block as a JSON Pointer. */
  abstract String pointer(Blocks.Block block);

  final ProviderRequest write() {
    head = nextHead(head);
    if (profile.unknownModel()) {
      finding("unknown-model", "/model", "careful defaults are used for " + profile.id());
    }
    writeAll();
    if (omittedOpaque > 0) {
      finding("opaque-omitted", "", omittedOpaque + " opaque parts that this model does not read");
    }
    List<Mark> marks = new ArrayList<>();
    MarkPlan plan = new MarkPlan(blocks, profile.cache().minTokens(), slots(), findings);
    for (MarkPlan.Choice choice : slots() > 0 ? plan.choose(wishes) : List.<MarkPlan.Choice>of()) {
      Blocks.Block block = blocks.get(choice.block());
      pieces.set(block.close(), markedClose());
      marks.add(new Mark(choice.point(), pointer(block)));
    }
    return new ProviderRequest(
        input.model(), RequestBody.of(pieces), marks, head.aliases(), findings);
  }

  /** What the next request of the conversation can use. */
  final Memory memory() {
    return search.memory(head);
  }

  final HeadMemory head() {
    return head;
  }

  final void put(byte[] piece) {
    pieces.add(piece);
  }

  final void put(String text) {
    pieces.add(Encoded.bytes(text));
  }

  /** Puts a block and the piece that closes it. */
  final void block(Blocks.Kind kind, byte[] open, boolean markable, int message, int content) {
    put(open);
    blocks.add(kind, new Blocks.Block(pieces.size(), markable, message, content));
    put(CLOSE);
  }

  final void finding(String code, String pointer, String message) {
    findings.add(new Finding(code, pointer, message));
  }

  /** The system point sits on the block that was put last. */
  final void systemPointHere() {
    wishes.removeIf(wish -> wish.point() == Point.SYSTEM);
    wishes.add(new MarkPlan.Wish(Point.SYSTEM, blocks.size() - 1, input.systemTokens()));
  }

  /** Wishes for marks that the format grants anyway. */
  final void waive(Point point, String why) {
    if (wishes.removeIf(wish -> wish.point() == point)) {
      finding("point-dropped", "", point.wireName() + " " + why);
    }
  }

  /** Says that a part of the input is about to be put. */
  final void beforePart() {
    if (writtenParts++ >= stableParts) {
      blocks.volatileFromHere();
    }
  }

  /** Says that a part of the input has been put, or left out: its points sit on the last block. */
  final void afterPart(int message, int part) {
    for (PointPlace place : input.points()) {
      if (place.message() == message && place.part() == part) {
        wishes.add(new MarkPlan.Wish(place.point(), blocks.size() - 1, place.tokens()));
      }
    }
  }

  /**
   * The parts of a message that are sent, by their index: verbatim forms instead of what they stand
   * for if the model reads them, no opaque part that it does not read, no blank text.
   */
  final List<Sent> sent(Message message) {
    List<Part> parts = message.parts();
    List<Sent> sent = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (!(part instanceof Part.Opaque opaque)) {
        sent.add(new Sent(part, i, isBlank(part)));
        continue;
      }
      boolean goes = goes(opaque);
      boolean stands = opaque.verbatim() && i + 1 < parts.size() && canStandFor(parts.get(i + 1));
      omittedOpaque += goes || stands ? 0 : 1;
      sent.add(new Sent(part, i, opaque.verbatim() || !goes));
      if (stands && goes) {
        sent.add(new Sent(part, ++i, false));
      }
    }
    return sent;
  }

  /**
   * A part and its place in its message.
   *
   * @param skipped whether nothing is sent for it
   */
  record Sent(Part part, int index, boolean skipped) {}

  private static boolean canStandFor(Part next) {
    return next instanceof Part.Text || next instanceof Part.ToolCall;
  }

  private static boolean isBlank(Part part) {
    return part instanceof Part.Text text && text.text().isBlank();
  }

  private boolean goes(Part.Opaque opaque) {
    return opaque.provider().equals(input.model().provider())
        && ReplyOpaque.isSendable(opaque.kind())
        && takes(opaque)
        && readable.computeIfAbsent(opaque.model(), this::canRead);
  }

  private boolean canRead(String maker) {
    return maker.equals(input.model().model())
        || profile.canRead(profiles.profile(new ModelRef(profile.provider(), maker)));
  }

  /** The wire's id of a call: the provider's own, else the engine's (P-9). */
  static String callId(Part.ToolCall call) {
    return call.providerId().orElse(call.id().value());
  }

  static String callId(Part.ToolResult result) {
    return result.providerId().orElse(result.id().value());
  }

  private HeadMemory nextHead(HeadMemory before) {
    boolean sameTools = before.tools().equals(input.tools());
    boolean sameSystem = before.system().equals(input.system());
    if (sameTools && sameSystem) {
      return before;
    }
    Map<String, ToolDef> byWireName = sameTools ? Map.of() : byWireName();
    return new HeadMemory(
        input.tools(),
        sameTools ? before.toolText() : toolText(byWireName),
        sameTools ? before.aliases() : aliases(byWireName),
        input.system(),
        sameSystem ? before.systemTexts() : systemTexts());
  }

  private Map<String, ToolDef> byWireName() {
    Map<String, ToolDef> tools = new TreeMap<>(); // wire names are ASCII: this is their order
    for (ToolDef tool : input.tools()) {
      if (tools.put(wireName(tool.name()), tool) != null) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_PARAMS, "tools", tool.name(), "every tool once");
      }
    }
    return tools;
  }

  private Encoded toolText(Map<String, ToolDef> byWireName) {
    List<String> tools = new ArrayList<>();
    byWireName.forEach((name, tool) -> tools.add(tool(name, tool)));
    return Encoded.of("[" + String.join(",", tools) + "]");
  }

  private static Map<String, String> aliases(Map<String, ToolDef> byWireName) {
    Map<String, String> aliases = new HashMap<>();
    byWireName.forEach(
        (name, tool) -> {
          if (!name.equals(tool.name())) {
            aliases.put(name, tool.name());
          }
        });
    return Map.copyOf(aliases);
  }

  private List<HeadMemory.SystemText> systemTexts() {
    return input.system().stream()
        .filter(part -> !part.text().isBlank())
        .map(part -> new HeadMemory.SystemText(encode(new Part.Text(part.text())), part.cache()))
        .toList();
  }
}
