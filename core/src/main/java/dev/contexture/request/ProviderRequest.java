package dev.contexture.request;

import dev.contexture.model.ModelRef;
import dev.contexture.model.Repair;
import dev.contexture.model.WireFinding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A request as a provider takes it.
 *
 * @param model whom it is for
 * @param body the exact body
 * @param marks where the provider's cache may end, in the order of the body
 * @param aliases tools by the name that the body gives them, where that is another one
 * @param findings what was left out, moved or replaced, and why
 * @param repairs what had to be changed so that the provider takes it
 * @param blocks what it holds, in the order in which caches see it
 * @param endpoint where it is sent, beside the host
 * @param settings parameters that the provider's caches depend on
 * @param shared how many blocks at its beginning the request before it had, too
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProviderRequest(
    ModelRef model,
    RequestBody body,
    List<Mark> marks,
    Map<String, String> aliases,
    List<WireFinding> findings,
    List<Repair> repairs,
    List<RequestBlock> blocks,
    Endpoint endpoint,
    List<CacheSetting> settings,
    int shared) {
  public ProviderRequest {
    marks = List.copyOf(marks);
    aliases = Map.copyOf(aliases);
    findings = List.copyOf(findings);
    repairs = List.copyOf(repairs);
    blocks = List.copyOf(blocks);
    settings = List.copyOf(settings);
  }

  /** The same request with more to say about it. */
  public ProviderRequest with(List<WireFinding> moreFindings, List<Repair> moreRepairs) {
    List<WireFinding> allFindings = new ArrayList<>(findings);
    allFindings.addAll(moreFindings);
    List<Repair> allRepairs = new ArrayList<>(repairs);
    allRepairs.addAll(moreRepairs);
    return new ProviderRequest(
        model, body, marks, aliases, allFindings, allRepairs, blocks, endpoint, settings, shared);
  }

  /** The same request, its blocks described otherwise. */
  public ProviderRequest withBlocks(List<RequestBlock> described) {
    return new ProviderRequest(
        model, body, marks, aliases, findings, repairs, described, endpoint, settings, shared);
  }

  /** The JSON text of a block, without its mark. */
  public String text(int block) {
    return new String(body.content(blocks.get(block).span()), StandardCharsets.UTF_8);
  }

  /** The tool that an answer means by this name. */
  public String toolOf(String wireName) {
    return aliases.getOrDefault(wireName, wireName);
  }
}
