package dev.contexture.request;

import dev.contexture.model.Finding;
import dev.contexture.model.ModelRef;
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
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ProviderRequest(
    ModelRef model,
    RequestBody body,
    List<Mark> marks,
    Map<String, String> aliases,
    List<Finding> findings) {
  public ProviderRequest {
    marks = List.copyOf(marks);
    aliases = Map.copyOf(aliases);
    findings = List.copyOf(findings);
  }

  /** The tool that an answer means by this name. */
  public String toolOf(String wireName) {
    return aliases.getOrDefault(wireName, wireName);
  }
}
