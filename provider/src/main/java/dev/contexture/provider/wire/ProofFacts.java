package dev.contexture.provider.wire;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * Facts about a body that it does not hold itself; a caller that does not know them gives {@link
 * #NONE}, and the rules that need them are not checked.
 *
 * @param received thinking by the SHA-256 of its JSON without white space, in hex: each place where
 *     it came, oldest first, as thinking may repeat itself
 * @param pairs ids of Responses items by the id of the reasoning that led to them: item to
 *     reasoning
 * @param prefixChangedAt the first block that is another one than in the request before
 * @param volatileBlocks how many blocks at the end the next request will not repeat
 * @param highTokens the high estimate of the input; 0: nobody counted
 * @param apiVersion the version of the interface; empty: the newest that is known
 * @param compat whether it is for a server of another maker that is compatible with the format
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProofFacts(
    Map<String, List<Received>> received,
    Map<String, String> pairs,
    OptionalInt prefixChangedAt,
    int volatileBlocks,
    long highTokens,
    String apiVersion,
    boolean compat) {
  public static final ProofFacts NONE =
      new ProofFacts(Map.of(), Map.of(), OptionalInt.empty(), 0, 0);

  /** Facts about a request for the newest version. */
  public ProofFacts(
      Map<String, List<Received>> received,
      Map<String, String> pairs,
      OptionalInt prefixChangedAt,
      int volatileBlocks,
      long highTokens) {
    this(received, pairs, prefixChangedAt, volatileBlocks, highTokens, "", false);
  }

  public ProofFacts {
    received = Map.copyOf(received);
    pairs = Map.copyOf(pairs);
  }

  /** The same with what was received. */
  public ProofFacts withThinking(Map<String, List<Received>> thinking, Map<String, String> items) {
    return new ProofFacts(
        thinking, items, prefixChangedAt, volatileBlocks, highTokens, apiVersion, compat);
  }

  /** The same with the first block that is not the one that was sent before. */
  public ProofFacts withPrefixChangedAt(int block) {
    return new ProofFacts(
        received, pairs, OptionalInt.of(block), volatileBlocks, highTokens, apiVersion, compat);
  }

  /** The same with an estimate of the input. */
  public ProofFacts withHighTokens(long tokens) {
    return new ProofFacts(
        received, pairs, prefixChangedAt, volatileBlocks, tokens, apiVersion, compat);
  }

  /** The same with so many blocks at the end that do not stay. */
  public ProofFacts withVolatileBlocks(int blocks) {
    return new ProofFacts(received, pairs, prefixChangedAt, blocks, highTokens, apiVersion, compat);
  }

  /** The same for a version of the interface. */
  public ProofFacts withApiVersion(String version) {
    return new ProofFacts(
        received, pairs, prefixChangedAt, volatileBlocks, highTokens, version, compat);
  }

  /** The same for a compatible server, or not. */
  public ProofFacts withCompat(boolean compatible) {
    return new ProofFacts(
        received, pairs, prefixChangedAt, volatileBlocks, highTokens, apiVersion, compatible);
  }

  /**
   * Thinking when it was received.
   *
   * @param provider who made it
   * @param model the model that made it
   * @param sameAccount whether it was made under the account that asks now
   * @param reply the answer that it was part of
   * @param order its place there
   */
  public record Received(
      String provider, String model, boolean sameAccount, String reply, int order) {}
}
