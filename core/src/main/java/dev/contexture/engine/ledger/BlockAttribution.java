package dev.contexture.engine.ledger;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.render.PartOrigins;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.Origin;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.StreamItem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Tells where the blocks of a request come from and what they count as: each tool, system part and
 * text of the tail as it was counted, those of the stream as the render counted them. A part that
 * became several blocks counts with the last of them. Confined to one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BlockAttribution {
  private final PartOrigins origins;
  private final Costs costs;
  private final TokenMeter meter;
  private final Map<Integer, Integer> rendered = new HashMap<>(); // by message, if others
  private @Nullable ProviderRequest counted;
  private long[] tokens = {};
  private long streamTokens;
  private long addedTokens;

  /**
   * The token counts of everything beside the stream.
   *
   * @param tools by name
   * @param system each part, in order
   * @param tail the parts at the end that the next request will not repeat, in order
   * @param tailFrom the index of the first of them in the last message
   */
  public record Costs(Map<String, Long> tools, List<Long> system, List<Long> tail, int tailFrom) {}

  /**
   * @param places by rendered message: which of those sent it is, or -1; empty: the same one
   */
  public BlockAttribution(
      PartOrigins origins, List<Integer> places, Costs costs, TokenMeter meter) {
    this.origins = origins;
    this.costs = costs;
    this.meter = meter;
    for (int i = 0; i < places.size(); i++) {
      rendered.put(places.get(i), i);
    }
  }

  LedgerBlock describe(ProviderRequest request, int index) {
    count(request);
    RequestBlock block = request.blocks().get(index);
    return LedgerBlock.of(request.body(), block, tokens[index], origin(block, item(block)));
  }

  /** What its blocks count as that come from the stream. */
  public long streamTokens(ProviderRequest request) {
    count(request);
    return streamTokens;
  }

  /** What its format needed put in between. */
  public long addedTokens(ProviderRequest request) {
    count(request);
    return addedTokens;
  }

  /** Blocks of the stream that the request does not hold although they were rendered. */
  public List<StreamItem> unsent(ProviderRequest request) {
    Set<List<Integer>> sent = new HashSet<>();
    for (RequestBlock block : request.blocks()) {
      if (block.message() >= 0 && !block.volatileTail()) {
        sent.add(List.of(message(block), block.part()));
      }
    }
    List<StreamItem> unsent = new ArrayList<>();
    origins.forEach(
        (message, part, item) -> {
          if (item.cost() > 0 && !sent.contains(List.of(message, part))) {
            unsent.add(item);
          }
        });
    return unsent;
  }

  private Optional<StreamItem> item(RequestBlock block) {
    return block.message() < 0 || block.volatileTail()
        ? Optional.empty()
        : origins.item(message(block), block.part());
  }

  /** The rendered message of a block; -1: none, it was put in for the format. */
  private int message(RequestBlock block) {
    return rendered.isEmpty() ? block.message() : rendered.getOrDefault(block.message(), -1);
  }

  private static Origin origin(RequestBlock block, Optional<StreamItem> item) {
    if (item.isEmpty()) {
      return Origin.host(block.volatileTail() ? "tail" : block.tier().wireName());
    }
    StreamItem from = item.get();
    String actor = from.block().map(known -> known.author().name()).orElse("compaction");
    String path = from.path().map(known -> known.text()).orElse(from.type().name());
    return new Origin(path, from.seq().orElse(0), actor);
  }

  @SuppressWarnings("ReferenceEquality") // another request of the same content counts alike
  private void count(ProviderRequest request) {
    if (request == counted) {
      return;
    }
    counted = request;
    tokens = new long[request.blocks().size()];
    streamTokens = 0;
    addedTokens = 0;
    head(request, RequestBlock.Tier.TOOLS, toolCosts(request));
    head(request, RequestBlock.Tier.SYSTEM, costs.system);
    BitSet seen = new BitSet(); // parts of the message
    int message = -1;
    for (int i = tokens.length - 1; i >= 0; i--) {
      RequestBlock block = request.blocks().get(i);
      if (block.message() < 0) {
        continue;
      }
      if (block.message() != message) {
        message = block.message();
        seen.clear();
      }
      if (!seen.get(block.part())) {
        seen.set(block.part());
        tokens[i] = block.volatileTail() ? tail(block) : stream(request, i, block);
      }
    }
  }

  private long tail(RequestBlock block) {
    int index = block.part() - costs.tailFrom;
    return index < 0 || index >= costs.tail.size() ? 0 : costs.tail.get(index);
  }

  private long stream(ProviderRequest request, int index, RequestBlock block) {
    int message = message(block);
    if (message < 0 || origins.item(message, block.part()).isEmpty()) {
      long added = meter.texts(texts(JsonValue.parse(request.text(index))));
      addedTokens += added;
      return added;
    }
    long count = origins.tokens(message, block.part());
    streamTokens += count;
    return count;
  }

  /** What was put in for the format says nothing but its text. */
  private static List<String> texts(JsonValue block) {
    List<String> texts = new ArrayList<>();
    if (block instanceof JsonObject object) {
      object
          .members()
          .forEach(
              (name, value) -> {
                if (value instanceof JsonString text) {
                  if (name.equals("text") || name.equals("content")) {
                    texts.add(text.value());
                  }
                } else {
                  texts.addAll(texts(value));
                }
              });
    } else if (block instanceof JsonArray array) {
      array.items().forEach(item -> texts.addAll(texts(item)));
    }
    return texts;
  }

  /** Tools come in the order of the names that the body gives them. */
  private List<Long> toolCosts(ProviderRequest request) {
    Map<String, String> aliases = new HashMap<>();
    request.aliases().forEach((alias, name) -> aliases.put(name, alias));
    Map<String, Long> byWireName = new TreeMap<>();
    costs.tools.forEach((name, cost) -> byWireName.put(aliases.getOrDefault(name, name), cost));
    return List.copyOf(byWireName.values());
  }

  /** Each as it was counted; where others are written than were counted, by their bytes. */
  private void head(ProviderRequest request, RequestBlock.Tier tier, List<Long> counts) {
    List<Integer> blocks = new ArrayList<>();
    for (int i = 0; i < tokens.length && request.blocks().get(i).message() < 0; i++) {
      if (request.blocks().get(i).tier() == tier) {
        blocks.add(i);
      }
    }
    if (blocks.size() == counts.size()) {
      for (int i = 0; i < blocks.size(); i++) {
        tokens[blocks.get(i)] = counts.get(i);
      }
      return;
    }
    long all = counts.stream().mapToLong(Long::longValue).sum();
    long bytes = blocks.stream().mapToLong(block -> size(request, block)).sum();
    long before = 0;
    long given = 0;
    for (int block : blocks) {
      before += size(request, block);
      long upTo = Math.round((double) all * before / Math.max(1, bytes));
      tokens[block] = upTo - given;
      given = upTo;
    }
  }

  private static int size(ProviderRequest request, int block) {
    return request.body().sizeBytes(request.blocks().get(block).span());
  }
}
