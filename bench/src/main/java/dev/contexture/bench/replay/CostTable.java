package dev.contexture.bench.replay;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.RequestBlock;
import dev.contexture.simulator.CacheModel;
import dev.contexture.simulator.CacheReport;
import dev.contexture.simulator.CacheSimulator;
import dev.contexture.simulator.SentBlock;
import dev.contexture.simulator.SentRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Prices requests of sessions: Anthropic's rules and prices, four characters per token, a minimum
 * of 1,024 tokens, every block a position, and caches that live for a whole session. Confined to
 * one thread.
 */
public final class CostTable {
  private static final CacheModel RULES = CacheModel.explicit(1_024).countingBlocks();
  private static final int CHARS_PER_TOKEN = 4;

  private long requests;
  private double cost;
  private double ideal;

  /** Adds one session. */
  public void add(List<SentRequest> session) {
    CacheReport report = CacheSimulator.simulate(RULES, session);
    requests += session.size();
    cost += report.cost();
    ideal += report.costIdeal();
  }

  /** Thousand plain input tokens per request. */
  public double perRequest() {
    return requests == 0 ? 0 : cost / requests / 1_000;
  }

  double overIdeal() {
    return ideal == 0 ? 1 : cost / ideal;
  }

  /** A request that the engine built. */
  public static SentRequest request(List<EngineReplay.SentPart> parts) {
    List<SentBlock> blocks = new ArrayList<>();
    for (EngineReplay.SentPart part : parts) {
      blocks.add(
          block(
              SentBlock.Tier.valueOf(part.block().tier().name()),
              part.block().kind(),
              part.block().role(),
              part.block().tier() == RequestBlock.Tier.TOOLS ? spaced(part.json()) : part.text(),
              part.block().mark().isPresent()));
    }
    return SentRequest.at(0, blocks);
  }

  /** A tool as it is usually written, with a space behind each comma and colon. */
  private static String spaced(JsonValue value) {
    return switch (value) {
      case JsonObject object ->
          object.members().entrySet().stream()
              .map(
                  member ->
                      JsonValue.of(member.getKey()).toJson() + ": " + spaced(member.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      case JsonArray array ->
          array.items().stream().map(CostTable::spaced).collect(Collectors.joining(", ", "[", "]"));
      default -> value.toJson();
    };
  }

  public static SentBlock block(
      SentBlock.Tier tier, String kind, String role, String text, boolean mark) {
    int chars = text.codePointCount(0, text.length());
    long tokens = ((long) chars + CHARS_PER_TOKEN - 1) / CHARS_PER_TOKEN;
    SentBlock block = SentBlock.of(tier, kind, role + " " + text, tokens);
    return mark ? block.marked(SentBlock.Ttl.FIVE_MINUTES) : block;
  }

  /** What a block says, without its role. */
  public static String text(SentBlock block) {
    return block.content().substring(block.content().indexOf(' ') + 1);
  }
}
