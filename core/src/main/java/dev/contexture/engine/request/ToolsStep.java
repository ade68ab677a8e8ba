package dev.contexture.engine.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.Omission;
import dev.contexture.request.Providers;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestParams;
import dev.contexture.request.ToolChoice;
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

/**
 * Reads the tools as they are sent, keeps the rules that fit them, and refuses what cannot be asked
 * of the model, before anything else is done.
 */
final class ToolsStep implements RequestStep {
  private static final char BEHIND_NAMES = '\uffff'; // tools of the provider stand behind others
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
    checkParams(state);
  }

  private static void resolve(RequestState state) {
    state.rules = state.options.rules;
    List<ToolDef> given = state.options.tools;
    if (given == null) {
      state.toolsDigest = digest(List.of());
      return;
    }
    checkNames(given);
    List<ToolSpec> specs = new ArrayList<>();
    given.stream().filter(tool -> !tool.isNative()).forEach(tool -> specs.add(read(tool)));
    specs.sort(Comparator.comparing(ToolSpec::name));
    state.nativeTools = given.stream().filter(ToolDef::isNative).toList();
    ToolRules.Fitted fitted = state.rules.fit(withNative(specs, state.nativeTools));
    specs.replaceAll(
        spec -> fitted.rules().allowedOperations(spec.name()).map(spec::narrowedTo).orElse(spec));
    specs.replaceAll(spec -> inGivenNames(state, spec, given));
    for (String tool : fitted.unknown()) {
      state.dropped.add(
          new Omission(
              "tool_rule",
              tool,
              Omission.Reason.UNKNOWN_TOOL,
              "rules about " + tool + " are left out: there is no such tool"));
    }
    List<String> texts = new ArrayList<>(specs.stream().map(ToolsStep::text).toList());
    state.nativeTools.forEach(tool -> texts.add(Objects.requireNonNull(tool.raw())));
    Map<String, Long> costs = new HashMap<>();
    specs.forEach(spec -> costs.put(spec.name(), state.meter.texts(List.of(text(spec)))));
    for (ToolDef tool : state.nativeTools) {
      String raw = Objects.requireNonNull(tool.raw());
      costs.put(BEHIND_NAMES + raw, state.meter.texts(List.of(raw))); // as they are sent
    }
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
    ToolSpec spec =
        Objects.requireNonNull(
            READ.get(tool, def -> ToolSpec.of(def.name(), def.description(), def.schema())));
    if (!spec.parameters().has("type")) {
      throw ContextureException.invalid(
          ErrorCode.TOOL_SCHEMA_INVALID,
          "schema of " + tool.name(),
          spec.parameters().toJson(),
          "a schema with \"type\":\"object\"");
    }
    return spec;
  }

  /** A description that speaks of other tools calls them as the model does. */
  private static ToolSpec inGivenNames(RequestState state, ToolSpec spec, List<ToolDef> tools) {
    String told = spec.description();
    for (ToolDef tool : tools) {
      told = told.replace(tool.name(), state.wireName(tool.name()));
    }
    return told.equals(spec.description())
        ? spec
        : new ToolSpec(spec.name(), told, spec.parameters());
  }

  /** Rules may name the provider's own tools, too; nobody knows their operations. */
  private static List<ToolSpec> withNative(List<ToolSpec> specs, List<ToolDef> tools) {
    List<ToolSpec> all = new ArrayList<>(specs);
    tools.forEach(tool -> all.add(new ToolSpec(tool.name(), "", ToolSpec.NO_ARGUMENTS)));
    return all;
  }

  private static void checkParams(RequestState state) {
    Providers.Target target = state.options.target;
    boolean asks =
        !state.options.params.equals(RequestParams.NONE)
            || state.options.toolChoice != ToolChoice.AUTO
            || state.options.maxOutputTokens.isPresent()
            || !state.nativeTools.isEmpty();
    if (target != null && (asks || target.profile().unknownModel())) {
      target
          .format()
          .checkParams(
              RequestInput.builder(target.model(), WriteStep.outputTokens(state, target))
                  .tools(WriteStep.tools(state))
                  .toolChoice(state.options.toolChoice)
                  .params(state.options.params)
                  .stream(state.options.stream)
                  .proof(state.options.proof)
                  .build());
    }
  }

  private static void checkNames(List<ToolDef> tools) {
    Set<String> names = new HashSet<>();
    for (ToolDef tool : tools) {
      if (!names.add(tool.name())) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "tools", tool.name(), "each name once");
      }
    }
  }

  private static String text(ToolSpec tool) {
    return tool.name() + tool.description() + tool.parameters().toJson();
  }
}
