package dev.contexture.engine.ledger;

import dev.contexture.render.PartOrigins;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.Origin;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.view.StreamItem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Tells where the blocks of a request come from and what they count as: those of the stream as the
 * render counted them, the others by their share of the bytes. A part that became several blocks
 * counts with the last of them. Confined to one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BlockAttribution {
  private final PartOrigins origins;
  private final long systemTokens;
  private final long tailTokens;
  private final Map<Integer, Integer> rendered = new HashMap<>(); // by message, if others
  private long headBytes = -1;
  private long tailBytes;

  /**
   * @param places by rendered message: which of those sent it is, or -1; empty: the same one
   * @param systemTokens of system and tools together
   * @param tailTokens of what stands behind the conversation
   */
  public BlockAttribution(
      PartOrigins origins, List<Integer> places, long systemTokens, long tailTokens) {
    this.origins = origins;
    this.systemTokens = systemTokens;
    this.tailTokens = tailTokens;
    for (int i = 0; i < places.size(); i++) {
      rendered.put(places.get(i), i);
    }
  }

  LedgerBlock describe(ProviderRequest request, int index) {
    RequestBlock block = request.blocks().get(index);
    Optional<StreamItem> item = item(block);
    long tokens = item.isPresent() ? streamTokens(request.blocks(), index) : share(request, block);
    return LedgerBlock.of(request.body(), block, tokens, origin(block, item));
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

  private long streamTokens(List<RequestBlock> blocks, int index) {
    RequestBlock block = blocks.get(index);
    for (int i = index + 1; i < blocks.size() && blocks.get(i).message() == block.message(); i++) {
      if (blocks.get(i).part() == block.part()) {
        return 0;
      }
    }
    return origins.tokens(message(block), block.part());
  }

  private long share(ProviderRequest request, RequestBlock block) {
    count(request);
    boolean head = block.message() < 0;
    if (!head && !block.volatileTail()) {
      return 0; // put in for the format, and not counted
    }
    long bytes = head ? headBytes : tailBytes;
    long all = head ? systemTokens : tailTokens;
    return bytes == 0
        ? 0
        : Math.round((double) all * request.body().sizeBytes(block.span()) / bytes);
  }

  private void count(ProviderRequest request) {
    if (headBytes >= 0) {
      return;
    }
    headBytes = 0;
    for (RequestBlock block : request.blocks()) {
      int size = request.body().sizeBytes(block.span());
      headBytes += block.message() < 0 ? size : 0;
      tailBytes += block.volatileTail() ? size : 0;
    }
  }
}
