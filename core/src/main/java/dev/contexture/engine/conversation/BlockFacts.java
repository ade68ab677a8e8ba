package dev.contexture.engine.conversation;

import dev.contexture.render.RenderedContext;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.Origin;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.view.StreamItem;
import java.util.Optional;

/**
 * Tells where the blocks of a request come from and what they count as: those of the stream as the
 * render counted them, the others by their share of the bytes. Confined to one thread.
 */
final class BlockFacts {
  private final RenderedContext context;
  private long headBytes = -1;
  private long tailBytes;

  BlockFacts(RenderedContext context) {
    this.context = context;
  }

  LedgerBlock describe(ProviderRequest request, int index) {
    RequestBlock block = request.blocks().get(index);
    Optional<StreamItem> item = item(block);
    return LedgerBlock.of(request.body(), block, tokens(request, block, item), origin(block, item));
  }

  private Optional<StreamItem> item(RequestBlock block) {
    return block.message() < 0 || block.volatileTail()
        ? Optional.empty()
        : context.origins().item(block.message(), block.part());
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

  private long tokens(ProviderRequest request, RequestBlock block, Optional<StreamItem> item) {
    if (item.isPresent()) {
      return context.origins().tokens(block.message(), block.part());
    }
    count(request);
    boolean head = block.message() < 0;
    long bytes = head ? headBytes : tailBytes;
    long all = head ? context.report().systemTokens() : context.report().tailTokens();
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
