package dev.contexture.provider.wire;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.WireFinding;
import dev.contexture.render.Message;
import dev.contexture.request.Fingerprint;
import dev.contexture.request.Mark;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestBody;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.request.ToolDef;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One request body while it is written: pieces of bytes, the blocks among them, and what was odd.
 * Marks are put in at the end, by exchanging the pieces that close the marked blocks. Confined to
 * one thread, used once.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract class BodyWriter {
  protected static final byte[] COMMA = EncodedPart.bytes(",");
  protected static final byte[] CLOSE = EncodedPart.bytes("}");

  protected final WireFormat format;
  protected final RequestInput input;
  protected final ModelProfile profile;
  protected final JsonObject asked; // members that the caller asks for
  private final List<WireFinding> findings = new ArrayList<>();
  private final MarkableBlocks blocks = new MarkableBlocks();
  protected final EncodingCache.Search search;
  protected final ModelProfiles profiles;
  private final PreviousBody before;
  private final HeadEncodings headBefore;
  private HeadEncodings head;
  private final List<byte[]> pieces;
  private final List<int[]> ends = new ArrayList<>();
  private final List<PreviousBody.Stop> stops = new ArrayList<>();
  private final List<MarkPlan.Wish> wishes = new ArrayList<>();
  private final int stableParts;
  private final PartSelection parts;
  private int writtenParts;
  private int firstMessage; // the first that is written
  private int behindLast; // the first piece behind the last block
  private int fromMessage; // of the input: what is being put
  private int fromPart;
  protected @Nullable MessageRole speaker; // of the message that is being written
  protected int message; // its index
  protected int content; // the index of its next part

  protected BodyWriter(
      WireFormat format, RequestInput input, ModelProfiles profiles, EncodingCache before) {
    this.format = format;
    this.input = input;
    this.profiles = profiles;
    this.profile = profiles.profile(input.model());
    this.asked = AskedMembers.of(format, input);
    this.search = before.search();
    this.pieces = new ArrayList<>(4 * before.parts().size() + 64);
    this.before = before.written();
    this.headBefore = before.head();
    this.head = before.head();
    this.stableParts = parts(input.messages()) - input.volatileParts();
    this.parts = new PartSelection(format, input.model(), profile, profiles);
  }

  /** Writes the requests of one conversation without judging: what it is given is in order. */
  public static RequestWriter series(WireFormat format, ModelProfiles profiles) {
    AtomicReference<EncodingCache> memory = new AtomicReference<>(EncodingCache.EMPTY);
    return input -> {
      BodyWriter body = format.writer(input, profiles, memory.get());
      ProviderRequest request = body.write();
      memory.set(body.memory());
      return request;
    };
  }

  private static int parts(List<Message> messages) {
    int count = 0;
    for (Message message : messages) {
      count += message.parts().size();
    }
    return count;
  }

  /** A tool definition as JSON. */
  protected abstract String tool(String wireName, ToolDef tool);

  /** A part without its last brace. */
  protected abstract EncodedPart encode(Part part);

  /** A tool's name as the format takes it. */
  protected final String wireName(String tool) {
    return format.toolNames().wireName(tool);
  }

  /** Writes everything, blocks included. */
  protected abstract void writeAll();

  /** Writes one message. */
  protected abstract void message(Message from, int index);

  /** Says that so many messages were taken from the body before: they are not written. */
  protected void takenOver(int messages) {}

  /**
   * Writes messages from one on. Those that the body before began with, too, are taken from there:
   * they are the same objects.
   */
  protected final void messages(int from) {
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
        parts.repairs().size(),
        writtenParts,
        search.size(),
        parts.omitted(),
        behindLast,
        blocks.groups(),
        new PreviousBody.Place(speaker, message, content));
  }

  @SuppressWarnings("ReferenceEquality") // what stands before is the same, or was rewritten
  private int takeOver() {
    int shared =
        head == headBefore ? before.shared(input.model(), input.messages(), stableParts) : 0;
    if (shared == 0 || !before.stops().getFirst().isLike(stops.getFirst())) {
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
    parts.begin(before.repairs().subList(0, end.repairs()), end.omittedOpaque());
    search.begin(end.encodings());
    writtenParts = end.parts();
    behindLast = end.behindLast();
    speaker = end.place().speaker();
    message = end.place().message();
    content = end.place().content();
    takenOver(shared);
    stops.addAll(before.stops().subList(1, shared + 1));
    for (PointPlace point : input.points()) {
      if (point.message() < shared) {
        wish(point);
      }
    }
    return shared;
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

  /** The most marks that can be set, and none if the model or the format takes none. */
  protected int slots() {
    return 0;
  }

  /** The life of a mark where the catalogue names none. */
  protected String defaultTtl() {
    return "5m";
  }

  /** What closes a marked block. */
  protected byte[] markedClose(String ttl) {
    throw new IllegalStateException("this format has no marks");
  }

  /** A marked block as a JSON Pointer. */
  protected String pointer(MarkableBlocks.Place place, RequestBlock block) {
    return place.message() < 0
        ? "/system/" + place.content()
        : "/" + format.messages() + "/" + place.message() + "/content/" + place.content();
  }

  final ProviderRequest write() {
    head = HeadEncodings.next(head, input, this);
    if (profile.unknownModel()) {
      finding("unknown_model", "/model", "careful defaults are used for " + profile.id());
    }
    writeAll();
    if (parts.omitted() > 0) {
      finding(
          "opaque_omitted", "", parts.omitted() + " opaque parts that this model does not read");
    }
    RequestBody plain = RequestBody.of(pieces);
    int shared = input.last().shared(blocks.all(), plain);
    List<Mark> marks = new ArrayList<>();
    List<RequestBlock> marked = new ArrayList<>(blocks.all());
    Map<Integer, byte[]> closing = new HashMap<>();
    for (MarkPlan.Choice choice : choose(shared)) {
      RequestBlock block = blocks.get(choice.block());
      String ttl = MarkPlan.ttl(input, profile, block.tier(), defaultTtl());
      closing.put(block.span().close(), markedClose(ttl));
      marked.set(choice.block(), block.marked(ttl));
      marks.add(new Mark(choice.point(), pointer(blocks.place(choice.block()), block)));
    }
    return new ProviderRequest(
        input.model(),
        plain.with(closing),
        marks,
        head.aliases(),
        findings,
        parts.repairs(),
        marked,
        format.endpoint(input),
        AskedMembers.settings(format, input, asked),
        shared);
  }

  private List<MarkPlan.Choice> choose(int shared) {
    return slots() == 0
        ? List.of()
        : new MarkPlan(blocks, profile, input, shared, slots(), findings).choose(wishes);
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
            parts.repairs(),
            stops);
    return search.memory(head, written);
  }

  protected final void put(byte[] piece) {
    pieces.add(piece);
  }

  protected final void put(String text) {
    pieces.add(EncodedPart.bytes(text));
  }

  /** Puts all tools as an array. */
  protected final void tools() {
    put("[");
    tools(0, head.toolTexts().size());
    put("]");
  }

  /** Puts some tools, in their order: functions first, then those of the provider. */
  protected final void tools(int from, int to) {
    for (int i = from; i < to; i++) {
      if (i > from) {
        put(COMMA);
      }
      MarkableBlocks.Place place = new MarkableBlocks.Place(false, -1, i);
      headBlock(RequestBlock.Tier.TOOLS, head.toolTexts().get(i), i, place);
    }
  }

  /** How many tools are functions. */
  protected final int functions() {
    return (int) input.tools().stream().filter(tool -> !tool.isNative()).count();
  }

  /**
   * Puts what the caller asks for, each member behind a comma.
   *
   * @param elsewhere members that have another place
   */
  protected final void asked(Set<String> elsewhere) {
    put(AskedMembers.members(asked, elsewhere));
  }

  /**
   * Puts the texts that stand before all messages, if there are any.
   *
   * @param within the message that holds them; -1: they are no message
   * @return whether there are any
   */
  protected final boolean system(String open, int within, boolean markable, String close) {
    List<HeadEncodings.SystemText> texts = head.systemTexts();
    if (texts.isEmpty()) {
      return false;
    }
    put(open);
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) {
        put(COMMA);
      }
      MarkableBlocks.Place place = new MarkableBlocks.Place(markable, within, i);
      headBlock(RequestBlock.Tier.SYSTEM, texts.get(i).encoded(), i, place);
      if (texts.get(i).cache() && markable) {
        wishes.removeIf(wish -> wish.point() == Point.SYSTEM); // it sits on the last such block
        wishes.add(new MarkPlan.Wish(Point.SYSTEM, blocks.size() - 1, input.systemTokens()));
      }
    }
    put(close);
    return true;
  }

  /** What is asked of the model: one of these forms, as {@link AskedMembers#toolChoice} says. */
  protected final String toolChoice(String required, String none, UnaryOperator<String> named) {
    return AskedMembers.toolChoice(
        input.toolChoice(),
        required,
        none,
        tool -> named.apply(EncodedPart.quoted(wireName(tool))));
  }

  /**
   * Goes on with the message of this speaker, or begins one: roles take turns.
   *
   * @param open what begins a message of this speaker
   * @param end what stands between two messages
   */
  protected final void enter(MessageRole who, byte[] open, byte[] end) {
    if (speaker == who) {
      put(COMMA);
      return;
    }
    if (speaker != null) {
      put(end);
      message++;
    }
    put(open);
    speaker = who;
    content = 0;
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
  protected final void block(
      MarkableBlocks.Kind kind, Part part, EncodedPart encoded, MarkableBlocks.Place place) {
    int own = pieces.size();
    put(encoded.open());
    close(
        kind, part, place, new RequestBlock.Span(behindLast, own, own + 1), encoded.fingerprint());
  }

  /** Puts the piece that closes a part which was put piece by piece, from a given one on. */
  protected final void blockFrom(
      int own, MarkableBlocks.Kind kind, Part part, MarkableBlocks.Place place) {
    List<byte[]> bytes = new ArrayList<>(pieces.subList(own, pieces.size()));
    bytes.add(CLOSE);
    RequestBlock.Span span = new RequestBlock.Span(behindLast, own, pieces.size());
    close(kind, part, place, span, Fingerprint.of(bytes.toArray(byte[][]::new)));
  }

  /** Where the next piece comes. */
  protected final int here() {
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
            PartSelection.kind(part),
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

  protected final void finding(String code, String pointer, String message) {
    findings.add(new WireFinding(code, pointer, message));
  }

  /** Wishes for marks that the format grants anyway. */
  protected final void waive(Point point, String why) {
    if (wishes.removeIf(wish -> wish.point() == point)) {
      finding("point_dropped", "", point.wireName() + " " + why);
    }
  }

  /** Says that a part of the input is about to be put. */
  protected final void beforePart(int message, int part) {
    comesFrom(message, part);
    if (writtenParts++ >= stableParts) {
      blocks.volatileFromHere();
    }
  }

  /** Says which part of the input is put now, out of its order. */
  protected final void comesFrom(int message, int part) {
    fromMessage = message;
    fromPart = part;
  }

  /** Says that a part of the input has been put, or left out: its points sit on the last block. */
  protected final void afterPart(int message, int part) {
    ends.add(new int[] {part, blocks.size() - 1});
    for (PointPlace place : input.points()) {
      if (place.message() == message && place.part() == part) {
        wishes.add(new MarkPlan.Wish(place.point(), blocks.size() - 1, place.tokens()));
      }
    }
  }

  /** The parts of a message that are sent, by their index. */
  protected final List<Sent> sent(Message message, int index) {
    return parts.sent(message, index);
  }

  /** Whether a part is sent in the place of the next one. */
  protected final boolean standsForNext(Part part) {
    return part instanceof Part.Opaque opaque && opaque.verbatim() && parts.goes(opaque);
  }

  /**
   * A part and its place in its message.
   *
   * @param skipped whether nothing is sent for it
   */
  public record Sent(Part part, int index, boolean skipped) {}
}
