package dev.contexture.engine.context;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.request.Omission;
import dev.contexture.request.RequestDraft;
import dev.contexture.request.ToolDef;
import dev.contexture.token.TokenMeter;
import dev.contexture.tool.ToolRules;
import dev.contexture.tool.ToolSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tools as they are sent and the rules that fit them (M-98, M-115).
 *
 * @param specs by name, narrowed by the rules; null: there is no registry
 * @param rules those about tools that are there
 * @param unknown rules that are left out
 * @param tokens of all definitions
 * @param digest of all definitions
 */
record ResolvedTools(
    @Nullable List<ToolSpec> specs,
    ToolRules rules,
    List<Omission> unknown,
    long tokens,
    String digest) {
  private static final long MAX_CACHED_CHARS = 16L << 20;
  private static final Cache<ToolDef, ToolSpec> READ =
      Caffeine.newBuilder()
          .maximumWeight(MAX_CACHED_CHARS)
          .weigher((ToolDef tool, ToolSpec spec) -> weight(tool))
          .build();

  private static int weight(ToolDef tool) {
    return 64 + tool.name().length() + tool.description().length() + 2 * tool.schema().length();
  }

  static ResolvedTools of(RequestDraft draft, TokenMeter meter) {
    List<ToolDef> given = draft.tools();
    if (given == null) {
      return new ResolvedTools(null, draft.rules(), List.of(), 0, digest(List.of()));
    }
    List<ToolSpec> specs = new ArrayList<>();
    given.forEach(tool -> specs.add(read(tool)));
    specs.sort(Comparator.comparing(ToolSpec::name));
    checkNames(specs);
    ToolRules.Fitted fitted = draft.rules().fit(specs);
    specs.replaceAll(
        spec -> fitted.rules().allowedOperations(spec.name()).map(spec::narrowedTo).orElse(spec));
    List<Omission> unknown =
        fitted.unknown().stream()
            .map(
                tool ->
                    new Omission(
                        "tool_rule",
                        tool,
                        Omission.Reason.UNKNOWN_TOOL,
                        "rules about " + tool + " are left out: there is no such tool"))
            .toList();
    List<String> texts = specs.stream().map(ResolvedTools::text).toList();
    return new ResolvedTools(specs, fitted.rules(), unknown, meter.texts(texts), digest(texts));
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

  int count() {
    return specs == null ? 0 : specs.size();
  }
}
