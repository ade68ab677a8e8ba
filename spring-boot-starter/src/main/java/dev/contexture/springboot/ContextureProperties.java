package dev.contexture.springboot;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.nio.file.Path;
import java.util.Locale;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the engine of an application, under {@code contexture}.
 *
 * @param directory where the data is
 * @param tenant of all conversations
 * @param project of all conversations
 * @param model that the chat model asks
 * @param provider the API that serves the model, if the catalogue does not list it
 * @param agent whose memory is shown and whose tools are offered
 * @param maxTokens the most tokens of a request, with its answer
 * @param chatClient whether chat clients are advised
 * @param chatMemory whether there is a chat memory
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@ConfigurationProperties("contexture")
public record ContextureProperties(
    @Nullable Path directory,
    @Nullable String tenant,
    @Nullable String project,
    @Nullable String model,
    @Nullable String provider,
    @Nullable String agent,
    @Nullable Long maxTokens,
    @DefaultValue ChatClientChoice chatClient,
    @DefaultValue ChatMemoryChoice chatMemory) {
  /**
   * Whether chat clients are advised.
   *
   * @param enabled whether the builder of Spring AI has the advisors
   */
  public record ChatClientChoice(@DefaultValue("true") boolean enabled) {}

  /**
   * Whether there is a chat memory.
   *
   * @param enabled whether the application's chat memory is one over the engine
   */
  public record ChatMemoryChoice(@DefaultValue("false") boolean enabled) {}

  Path neededDirectory() {
    return needed("directory", directory, "the directory that holds the data");
  }

  String neededModel() {
    return needed("model", model, "the model that the chat model asks");
  }

  Scope scope() {
    return Scope.of(
        needed("tenant", tenant, "the tenant of all conversations"),
        needed("project", project, "the project of all conversations"));
  }

  private static <T> T needed(String name, @Nullable T value, String meaning) {
    if (value == null) {
      throw new ContextureException(
          ErrorCode.FIELD_REQUIRED,
          String.format(
              Locale.ROOT,
              "the property contexture.%s is missing: %s; there is no default",
              name,
              meaning));
    }
    return value;
  }
}
