package dev.contexture.mcp;

import dev.contexture.ContextBrowser;
import dev.contexture.block.Binary;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.DocumentSnapshot;
import dev.contexture.memory.schema.EntityShape;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.store.ConversationEntry;
import dev.contexture.store.Head;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.Artifact;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Memory blocks, conversations and what their paths hold, as resources. */
final class McpResources {
  private static final int PAGE = 100;
  private static final int CONVERSATIONS = 20;
  private static final int TURNS = 100;
  private static final int NEWEST_BLOCKS = 500;
  private static final String TEXT = "text/plain";
  private static final String JSON = "application/json";

  private final AgentMemory memory;
  private final ConversationTools conversations;
  private final GraphTools graph;
  private final ResultLimit limit;

  McpResources(AgentMemory memory, ResultLimit limit) {
    this.memory = memory;
    this.limit = limit;
    this.conversations = new ConversationTools(memory, limit);
    this.graph = new GraphTools(memory, limit);
  }

  JsonObject list(Optional<String> cursor) {
    List<JsonObject> all = new ArrayList<>();
    if (memory.settings().profiles().contains(McpProfile.GRAPH)) {
      all.add(
          resource(ResourceAddress.GRAPH, "knowledge-graph", "Entities and their relations", JSON));
    }
    for (BlockMetadata block : memory.own()) {
      if (!block.label().startsWith(EntityShape.PREFIX)) {
        String uri = ResourceAddress.block(block.owner(), block.label());
        all.add(resource(uri, block.label(), block.description(), TEXT));
      }
    }
    for (SharedBlockInfo shared : memory.store().listSharedBlocks(memory.agent())) {
      String uri = ResourceAddress.block(shared.owner(), shared.label());
      all.add(resource(uri, shared.owner() + "/" + shared.label(), shared.description(), TEXT));
    }
    recent("").forEach(all::add);
    int start = Cursors.index(cursor, all.size());
    int end = Math.min(all.size(), start + PAGE);
    JsonObject.Builder page =
        JsonObject.builder().put("resources", MemoryTools.array(all.subList(start, end)));
    return end < all.size() ? page.put("nextCursor", String.valueOf(end)).build() : page.build();
  }

  private List<JsonObject> recent(String prefix) {
    return recentIds(prefix).stream()
        .map(id -> resource(ResourceAddress.conversation(id), id, "A conversation", JSON))
        .toList();
  }

  /** Newest conversations of the user whose id begins with a text. */
  List<String> recentIds(String prefix) {
    if (memory.settings().user() == null) {
      return List.of();
    }
    return memory.engine().conversations(memory.user(), null, PAGE).stream()
        .filter(entry -> memory.shows(entry.conversation()))
        .map(ConversationEntry::conversation)
        .map(conversation -> conversation.conversation())
        .filter(id -> id.startsWith(prefix))
        .limit(CONVERSATIONS)
        .toList();
  }

  private static JsonObject resource(String uri, String name, String description, String mime) {
    JsonObject.Builder resource = JsonObject.builder().put("uri", uri).put("name", name);
    if (!description.isEmpty()) {
      resource.put("description", description);
    }
    return resource.put("mimeType", mime).build();
  }

  JsonObject templates() {
    return JsonObject.of(
        "resourceTemplates",
        JsonArray.of(
            template(ResourceAddress.BLOCKS, "block", "A memory block of an agent", TEXT),
            template(
                ResourceAddress.CONVERSATIONS, "conversation", "Turns of a conversation", JSON),
            template(
                ResourceAddress.PATHS,
                "path",
                "What a path of a conversation holds; the path is percent-encoded",
                TEXT)));
  }

  private static JsonObject template(String uri, String name, String description, String mime) {
    return JsonObject.builder()
        .put("uriTemplate", uri)
        .put("name", name)
        .put("description", description)
        .put("mimeType", mime)
        .build();
  }

  /** The contents of a resource, cut where they are larger than results of tools may be. */
  JsonObject read(String uri) {
    return JsonObject.of("contents", JsonArray.of(contents(uri)));
  }

  private JsonObject contents(String uri) {
    return switch (address(uri)) {
      case ResourceAddress.OfBlock block -> text(uri, TEXT, content(block, uri));
      case ResourceAddress.OfConversation one -> text(uri, JSON, turns(one.conversation()));
      case ResourceAddress.OfPath path -> artifact(uri, path);
      case ResourceAddress.OfGraph _unused -> text(uri, JSON, wholeGraph());
    };
  }

  private ResourceAddress address(String uri) {
    return ResourceAddress.parse(uri)
        .filter(
            found ->
                !(found instanceof ResourceAddress.OfGraph)
                    || memory.settings().profiles().contains(McpProfile.GRAPH))
        .orElseThrow(() -> none(uri));
  }

  private static RpcException none(String uri) {
    return new RpcException(RpcException.NO_RESOURCE, "there is no resource " + uri);
  }

  private String content(ResourceAddress.OfBlock block, String uri) {
    return memory
        .store()
        .getSnapshot(memory.agent(), label(block))
        .map(DocumentSnapshot::renderWithoutViewport)
        .orElseThrow(() -> none(uri));
  }

  /** The block as this agent names it. */
  String label(ResourceAddress.OfBlock block) {
    return block.owner().equals(memory.agent())
        ? block.label()
        : block.owner() + "/" + block.label();
  }

  private String turns(String conversation) {
    ContextBrowser browser = conversations.known(conversation);
    List<StoredTurn> all = browser.turns(null, TURNS);
    List<JsonValue> turns = new ArrayList<>();
    all.forEach(turn -> turns.add(ConversationTools.json(browser.turnLog(turn.turn()))));
    return JsonObject.of("turns", new JsonArray(turns)).toJson();
  }

  private String wholeGraph() {
    return graph.whole().content().getFirst().string("text").orElse("");
  }

  private JsonObject artifact(String uri, ResourceAddress.OfPath path) {
    Artifact found = conversations.artifact(path.conversation(), path.path());
    Binary data = found.newestData();
    if (data != null) {
      JsonObject blob =
          JsonObject.builder()
              .put("uri", uri)
              .put("mimeType", found.mime())
              .put("blob", data.base64())
              .build();
      if (limit.fits(new ToolReply(List.of(blob), null, false))) {
        return blob;
      }
    }
    return text(uri, TEXT, ConversationTools.text(found));
  }

  private JsonObject text(String uri, String mime, String whole) {
    String shown = limit.text(whole, 0).content().getFirst().string("text").orElse("");
    return JsonObject.builder()
        .put("uri", uri)
        .put("mimeType", shown.equals(whole) ? mime : TEXT)
        .put("text", shown)
        .build();
  }

  /** Labels of the blocks of an agent that this one reaches. */
  List<String> labels(String owner) {
    return owner.equals(memory.agent())
        ? memory.own().stream().map(BlockMetadata::label).toList()
        : shared().filter(each -> each.owner().equals(owner)).map(SharedBlockInfo::label).toList();
  }

  /** The agents whose blocks this one reaches. */
  List<String> owners() {
    return Stream.concat(Stream.of(memory.agent()), shared().map(SharedBlockInfo::owner))
        .distinct()
        .toList();
  }

  private Stream<SharedBlockInfo> shared() {
    return memory.store().listSharedBlocks(memory.agent()).stream();
  }

  /** The newest paths of a conversation; none if it may not be shown. */
  List<String> paths(String conversation) {
    if (memory.settings().user() == null || conversation.isEmpty()) {
      return List.of();
    }
    Scope.OfConversation one = memory.user().conversation(conversation);
    Head head = memory.engine().store().head(one).orElse(null);
    if (head == null || !memory.shows(one)) {
      return List.of();
    }
    long from = Math.max(1, head.nextSeq() - NEWEST_BLOCKS);
    List<StoredBlock> newest =
        memory.engine().store().readRange(one, from, Long.MAX_VALUE, NEWEST_BLOCKS);
    return newest.reversed().stream()
        .flatMap(stored -> stored.block().path().stream())
        .map(BlockPath::text)
        .distinct()
        .toList();
  }

  /** Blocks that prompts of the agent show: those that are always there, and those it pinned. */
  List<BlockMetadata> shownBlocks() {
    return memory.own().stream()
        .filter(block -> block.pinned() || block.type() == MemoryBlockType.CORE)
        .toList();
  }
}
