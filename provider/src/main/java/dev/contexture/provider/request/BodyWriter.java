package dev.contexture.provider.request;

import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Repair;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.RequestRule;
import dev.contexture.model.WireFinding;
import dev.contexture.render.Message;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.Fingerprint;
import dev.contexture.request.Mark;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestBody;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One request body while it is written: pieces of bytes, the blocks among them, and what was odd.
 * Marks are put in at the end, by exchanging the pieces that close the marked blocks. Confined to
 * one thread, used once.
 */
abstract class BodyWriter {
  static final byte[] COMMA = EncodedPart.bytes(",");
  static final byte[] CLOSE = EncodedPart.bytes("}");
  private static final String ONE_HOUR = "1h";
  private static final Set<String> CALLS =
      Set.of("tool_use", "function", "function_call", "functionCall");

  final RequestInput input;
  final ModelProfile profile;
  final List<WireFinding> findings = new ArrayList<>();
  private final List<Repair> repairs = new ArrayList<>();
  final MarkableBlocks blocks = new MarkableBlocks();
  final EncodingCache.Search search;
  final ModelProfiles profiles;
  private final PreviousBody before;
  private final HeadEncodings headBefore;
  private HeadEncodings head;
  private final List<byte[]> pieces;
  private final List<int[]> ends = new ArrayList<>();
  private final List<PreviousBody.Stop> stops = new ArrayList<>();
  private final List<MarkPlan.Wish> wishes = new ArrayList<>();
  private final Map<String, Boolean> readable = new HashMap<>();
  private final int stableParts;
  private int writtenParts;
  private int firstMessage; // the first that is written
  private int omittedOpaque;
  private int behindLast; // the first piece behind the last block
  private int fromMessage; // of the input: what is being put
  private int fromPart;

  BodyWriter(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    this.input = input;
    this.profiles = profiles;
    this.profile = profiles.profile(input.model());
    this.search = before.search();
    this.pieces = new ArrayList<>(4 * before.parts().size() + 64);
    this.before = before.written();
    this.headBefore = before.head();
    this.head = before.head();
    this.stableParts = parts(input.messages()) - input.volatileParts();
  }

  private static int parts(List<Message> messages) {
    int parts = 0;
    for (Message message : messages) {
      parts += message.parts().size();
    }
    return parts;
  }

  /** A tool definition as JSON. */
  abstract String tool(String wireName, ToolDef tool);

  /** A part without its last brace. */
  abstract EncodedPart encode(Part part);

  /** Whether the format has a place for an opaque part of this kind. */
  abstract boolean takes(Part.Opaque opaque);

  /** A tool's name as the format takes it. */
  String wireName(String tool) {
    return ToolNames.wireName(tool);
  }

  /** Writes everything, blocks included. */
  abstract void writeAll();

  /** Writes one message. */
  abstract void message(Message from, int index);

  /** What the format keeps between two messages. */
  abstract Object state();

  /** Goes on from there. */
  abstract void goOn(Object state);

  /** The same state, which holds nothing of the body that it was made by. */
  Object renewed(Object state) {
    return state;
  }

  /**
   * Writes messages from one on. Those that the body before began with, too, are taken from there:
   * they are the same objects.
   */
  final void messages(int from) {
    firstMessage = from;
    for (Message left : input.messages().subList(0, from)) {
      writtenParts += left.parts().size();
    }
    stops.add(stop());
    int done = from == 0 ? takeOver() : from;
    for (int i = done; i < input.messages().size(); i++) {
      message(input.messages().get(i), i);
      stops.add(stop());
    }
  }

  private PreviousBody.Stop stop() {
    return new PreviousBody.Stop(
        pieces.size(),
        blocks.size(),
        ends.size(),
        findings.size(),
        repairs.size(),
        writtenParts,
        search.size(),
        omittedOpaque,
        behindLast,
        blocks.groups(),
        state());
  }

  @SuppressWarnings("ReferenceEquality") // what stands before is the same, or was written anew
  private int takeOver() {
    int shared =
        head == headBefore ? before.shared(input.model(), input.messages(), stableParts) : 0;
    if (shared == 0 || !isSameStart(before.stops().getFirst(), stops.getFirst())) {
      return 0;
    }
    PreviousBody.Stop start = before.stops().getFirst();
    PreviousBody.Stop end = before.stops().get(shared);
    pieces.addAll(before.pieces().subList(start.pieces(), end.pieces()));
    blocks.begin(
        before.blocks().subList(start.blocks(), end.blocks()),
        before.places().subList(start.blocks(), end.blocks()),
        before.groups(),
        end.groups());
    ends.addAll(before.ends().subList(0, end.ends()));
    findings.addAll(before.findings().subList(start.findings(), end.findings()));
    repairs.addAll(before.repairs().subList(0, end.repairs()));
    search.begin(end.encodings());
    writtenParts = end.parts();
    omittedOpaque = end.omittedOpaque();
    behindLast = end.behindLast();
    goOn(end.format());
    for (PreviousBody.Stop stop : before.stops().subList(1, shared + 1)) {
      stops.add(stop.withFormat(renewed(stop.format())));
    }
    for (PointPlace point : input.points()) {
      if (point.message() < shared) {
        wish(point);
      }
    }
    return shared;
  }

  private static boolean isSameStart(PreviousBody.Stop one, PreviousBody.Stop other) {
    return one.pieces() == other.pieces()
        && one.blocks() == other.blocks()
        && one.findings() == other.findings()
        && one.behindLast() == other.behindLast();
  }

  /** A point in a message that was taken over sits on the block that was last behind its part. */
  private void wish(PointPlace point) {
    int from = stops.get(point.message()).ends();
    int to = stops.get(point.message() + 1).ends();
    for (int[] end : ends.subList(from, to)) {
      if (end[0] == point.part()) {
        wishes.add(new MarkPlan.Wish(point.point(), end[1], point.tokens()));
      }
    }
  }

  /** The most marks that can be set, and none if the model takes none. */
  abstract int slots();

  /** The life of a mark where the catalogue names none. */
  abstract String defaultTtl();

  /** What closes a marked block. */
  abstract byte[] markedClose(String ttl);

  /** The block as a JSON Pointer. */
  abstract String pointer(MarkableBlocks.Place place);

  final ProviderRequest write() {
    head = HeadEncodings.next(head, input, this);
    if (profile.unknownModel()) {
      finding("unknown_model", "/model", "careful defaults are used for " + profile.id());
    }
    writeAll();
    if (omittedOpaque > 0) {
      finding("opaque_omitted", "", omittedOpaque + " opaque parts that this model does not read");
    }
    RequestBody plain = RequestBody.of(pieces);
    int shared = input.last().shared(blocks.all(), plain);
    List<Mark> marks = new ArrayList<>();
    List<RequestBlock> marked = new ArrayList<>(blocks.all());
    Map<Integer, byte[]> closing = new HashMap<>();
    for (MarkPlan.Choice choice : choose(shared)) {
      RequestBlock block = blocks.get(choice.block());
      String ttl = ttl(block.tier());
      closing.put(block.span().close(), markedClose(ttl));
      marked.set(choice.block(), block.marked(ttl));
      marks.add(new Mark(choice.point(), pointer(blocks.place(choice.block()))));
    }
    return new ProviderRequest(
        input.model(),
        plain.with(closing),
        marks,
        head.aliases(),
        findings,
        repairs,
        marked,
        shared);
  }

  private List<MarkPlan.Choice> choose(int shared) {
    return slots() == 0
        ? List.of()
        : new MarkPlan(blocks, profile, input, shared, slots(), findings).choose(wishes);
  }

  /** The life that is asked for; the model's own where there is no choice. */
  private String ttl(RequestBlock.Tier tier) {
    List<String> lives = profile.cache().ttl();
    CachePolicy.Life wanted =
        tier == RequestBlock.Tier.MESSAGES
            ? input.cache().messageLife()
            : input.cache().systemLife();
    boolean hour = wanted == CachePolicy.Life.LONG && lives.contains(ONE_HOUR);
    return hour ? ONE_HOUR : lives.isEmpty() ? defaultTtl() : lives.get(0);
  }

  /** What the next request of the conversation can use. */
  final EncodingCache memory() {
    if (firstMessage > 0) {
      return search.memory(head, PreviousBody.NOTHING);
    }
    PreviousBody written =
        new PreviousBody(
            input.model(),
            input.messages(),
            stableParts,
            pieces,
            blocks.all(),
            blocks.places(),
            blocks.allGroups(),
            ends,
            findings,
            repairs,
            stops);
    return search.memory(head, written);
  }

  final HeadEncodings head() {
    return head;
  }

  final void put(byte[] piece) {
    pieces.add(piece);
  }

  final void put(String text) {
    pieces.add(EncodedPart.bytes(text));
  }

  /** Puts all tools as an array. */
  final void tools() {
    put("[");
    List<EncodedPart> tools = head.toolTexts();
    for (int i = 0; i < tools.size(); i++) {
      if (i > 0) {
        put(COMMA);
      }
      headBlock(RequestBlock.Tier.TOOLS, tools.get(i), i, new MarkableBlocks.Place(false, -1, i));
    }
    put("]");
  }

  /** Puts a text that stands before all messages. */
  final void systemBlock(HeadEncodings.SystemText text, int index, MarkableBlocks.Place place) {
    if (index > 0) {
      put(COMMA);
    }
    headBlock(RequestBlock.Tier.SYSTEM, text.encoded(), index, place);
    if (text.cache() && place.markable()) {
      systemPointHere();
    }
  }

  private void headBlock(
      RequestBlock.Tier tier, EncodedPart encoded, int index, MarkableBlocks.Place place) {
    int own = pieces.size();
    put(encoded.open());
    RequestBlock block =
        new RequestBlock(
            tier,
            tier == RequestBlock.Tier.TOOLS ? "tool" : "text",
            "system",
            encoded.fingerprint(),
            -1,
            index,
            new RequestBlock.Span(behindLast, own, pieces.size()),
            false,
            false,
            null);
    close(MarkableBlocks.Kind.OTHER, place, block);
  }

  /** Puts a part and the piece that closes it. */
  final void block(
      MarkableBlocks.Kind kind, Part part, EncodedPart encoded, MarkableBlocks.Place place) {
    int own = pieces.size();
    put(encoded.open());
    close(
        kind, part, place, new RequestBlock.Span(behindLast, own, own + 1), encoded.fingerprint());
  }

  /** Puts the piece that closes a part which was put piece by piece, from a given one on. */
  final void blockFrom(int own, MarkableBlocks.Kind kind, Part part, MarkableBlocks.Place place) {
    List<byte[]> bytes = new ArrayList<>(pieces.subList(own, pieces.size()));
    bytes.add(CLOSE);
    RequestBlock.Span span = new RequestBlock.Span(behindLast, own, pieces.size());
    close(kind, part, place, span, Fingerprint.of(bytes.toArray(byte[][]::new)));
  }

  /** Where the next piece comes. */
  final int here() {
    return pieces.size();
  }

  private void close(
      MarkableBlocks.Kind kind,
      Part part,
      MarkableBlocks.Place place,
      RequestBlock.Span span,
      Fingerprint fingerprint) {
    RequestBlock block =
        new RequestBlock(
            RequestBlock.Tier.MESSAGES,
            type(part),
            input.messages().get(fromMessage).role().wireName(),
            fingerprint,
            fromMessage,
            fromPart,
            span,
            writtenParts > stableParts,
            part instanceof Part.Opaque,
            null);
    close(kind, place, block);
  }

  private void close(MarkableBlocks.Kind kind, MarkableBlocks.Place place, RequestBlock block) {
    blocks.add(kind, place, block);
    put(CLOSE);
    behindLast = pieces.size();
  }

  /** A word that all formats share for what a part is. */
  private static String type(Part part) {
    return switch (part) {
      case Part.Text _unused -> "text";
      case Part.Image _unused -> "image";
      case Part.Document _unused -> "document";
      case Part.ToolCall _unused -> "tool_use";
      case Part.ToolResult _unused -> "tool_result";
      case Part.Opaque opaque -> CALLS.contains(opaque.kind()) ? "tool_use" : opaque.kind();
    };
  }

  final void finding(String code, String pointer, String message) {
    findings.add(new WireFinding(code, pointer, message));
  }

  /** The system point sits on the block that was put last. */
  private void systemPointHere() {
    wishes.removeIf(wish -> wish.point() == Point.SYSTEM);
    wishes.add(new MarkPlan.Wish(Point.SYSTEM, blocks.size() - 1, input.systemTokens()));
  }

  /** Wishes for marks that the format grants anyway. */
  final void waive(Point point, String why) {
    if (wishes.removeIf(wish -> wish.point() == point)) {
      finding("point_dropped", "", point.wireName() + " " + why);
    }
  }

  /** Says that a part of the input is about to be put. */
  final void beforePart(int message, int part) {
    comesFrom(message, part);
    if (writtenParts++ >= stableParts) {
      blocks.volatileFromHere();
    }
  }

  /** Says which part of the input is put now, out of its order. */
  final void comesFrom(int message, int part) {
    fromMessage = message;
    fromPart = part;
  }

  /** Says that a part of the input has been put, or left out: its points sit on the last block. */
  final void afterPart(int message, int part) {
    ends.add(new int[] {part, blocks.size() - 1});
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
  final List<Sent> sent(Message message, int index) {
    List<Part> parts = message.parts();
    List<Sent> sent = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (!(part instanceof Part.Opaque opaque)) {
        boolean blank = isBlank(part);
        if (blank) {
          blank(index, i);
        }
        sent.add(new Sent(part, i, blank));
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

  private void blank(int message, int part) {
    String where = "/messages/" + message + "/parts/" + part;
    repairs.add(new Repair(RequestRule.V04, where, "the text is blank and was left out"));
  }

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
}
