package dev.contexture.engine.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.Omission;
import dev.contexture.request.ToolDef;
import dev.contexture.tool.ToolRules;
import dev.contexture.tool.ToolSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Reads the tools as they are sent and keeps the rules that fit them. */
final class ToolsStep implements RequestStep {
  private static final long MAX_CACHED_CHARS = 16L << 20;
  private static final Cache<ToolDef, ToolSpec> READ =
      Caffeine.newBuilder()
          .maximumWeight(MAX_CACHED_CHARS)
          .weigher((ToolDef tool, ToolSpec spec) -> weight(tool))
          .build();

  private static int weight(ToolDef tool) {
    return 64 + tool.name().length() + tool.description().length() + 2 * tool.schema().length();
  }

  @Override
  public void run(RequestState state) {
    StepFailures.step("tools", () -> resolve(state));
  }

  private static void resolve(RequestState state) {
    state.rules = state.options.rules;
    List<ToolDef> given = state.options.tools;
    if (given == null) {
      state.toolsDigest = digest(List.of());
      return;
    }
    List<ToolSpec> specs = new ArrayList<>();
    given.forEach(tool -> specs.add(read(tool)));
    specs.sort(Comparator.comparing(ToolSpec::name));
    checkNames(specs);
    ToolRules.Fitted fitted = state.rules.fit(specs);
    specs.replaceAll(
        spec -> fitted.rules().allowedOperations(spec.name()).map(spec::narrowedTo).orElse(spec));
    for (String tool : fitted.unknown()) {
      state.dropped.add(
          new Omission(
              "tool_rule",
              tool,
              Omission.Reason.UNKNOWN_TOOL,
              "rules about " + tool + " are left out: there is no such tool"));
    }
    List<String> texts = specs.stream().map(ToolsStep::text).toList();
    Map<String, Long> costs = new HashMap<>();
    specs.forEach(spec -> costs.put(spec.name(), state.meter.texts(List.of(text(spec)))));
    state.tools = List.copyOf(specs);
    state.rules = fitted.rules();
    state.toolCosts = Map.copyOf(costs);
    state.toolTokens = costs.values().stream().mapToLong(Long::longValue).sum();
    state.toolsDigest = digest(texts);
  }

  private static String digest(List<String> texts) {
    return Binary.of(String.join("\n", texts).getBytes(StandardCharsets.UTF_8)).sha256();
  }

  private static ToolSpec read(ToolDef tool) {
    return Objects.requireNonNull(
        READ.get(tool, def -> ToolSpec.of(def.name(), def.description(), def.schema())));
  }

  private static void checkNames(List<ToolSpec> specs) {
    Set<String> names = new HashSet<>();
    for (ToolSpec spec : specs) {
      if (!names.add(spec.name())) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "tools", spec.name(), "each name once");
      }
    }
  }

  private static String text(ToolSpec tool) {
    return tool.name() + tool.description() + tool.parameters().toJson();
  }
}
