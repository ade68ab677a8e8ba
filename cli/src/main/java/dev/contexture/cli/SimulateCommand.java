package dev.contexture.cli;

import dev.contexture.cli.output.MoneyLine;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.CatalogueFlags;
import dev.contexture.cli.support.JsonFile;
import dev.contexture.cli.support.Names;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelProfile;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.simulator.CacheReport;
import dev.contexture.simulator.CacheReports;
import dev.contexture.simulator.Trace;
import dev.contexture.simulator.WhatIf;
import dev.contexture.simulator.WhatIfChoice;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Computes offline how a prompt cache would serve recorded requests. */
@Command(
    name = "simulate",
    description = {
      "Says what a provider's prompt cache makes of requests.",
      "TRACE holds a request body per line, or {\"t\": SECONDS, \"request\": BODY}. Costs are in"
          + " plain input tokens, and in money where the price of the model is known."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture simulate requests.jsonl --provider anthropic --explain",
      "  contexture simulate requests.jsonl --provider anthropic --what-if ttl=1h"
    })
final class SimulateCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private CatalogueFlags catalogue = new CatalogueFlags();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "contexture-data",
      description = "Directory with facts of 'models --update' (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("contexture-data");

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      required = true,
      completionCandidates = Names.Providers.class,
      description = "${COMPLETION-CANDIDATES}.")
  private @Nullable String provider;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "The model; by default that of the first request.")
  private @Nullable String model;

  @Option(names = "--explain", description = "Print the cause of everything that was not read.")
  private boolean explain;

  @Option(
      names = "--what-if",
      paramLabel = "CHOICE",
      description =
          "Compare with another choice: ttl=5m, ttl=1h, k=ROUNDS, model=NAME or"
              + " provider=PROVIDER/MODEL.")
  private @Nullable String whatIf;

  @Parameters(
      paramLabel = "TRACE",
      description = "The requests as JSON lines; - is standard input.")
  private @Nullable Path file;

  @Override
  public Integer call() {
    Trace trace = Trace.read(JsonFile.lines(Objects.requireNonNull(file)));
    if (trace.bodies().isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "TRACE", "0 requests", "at least one");
    }
    ModelProfile profile = profile(model == null ? modelOf(trace) : model);
    CacheReport report = trace.on(profile);
    WhatIf other = whatIf == null ? null : whatIf(trace, profile, whatIf);
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (Printer.of(spec).json()) {
      out.println(json(report, other).toPrettyJson());
    } else {
      print(out, report, other);
    }
    return Main.DONE;
  }

  private ModelProfile profile(String name) {
    return profile(provider, name);
  }

  private ModelProfile profile(@Nullable String format, String name) {
    return BuiltInProviders.of(catalogue.open(data)).resolve(format, name).profile();
  }

  private static String modelOf(Trace trace) {
    return trace
        .bodies()
        .getFirst()
        .string("model")
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "--model",
                    null,
                    "the name of a model, where the first request has none"));
  }

  private WhatIf whatIf(Trace trace, ModelProfile profile, String choice) {
    return WhatIfChoice.parse("--what-if", choice)
        .of(trace, profile, (other, name) -> other == null ? profile(name) : profile(other, name));
  }

  private static JsonObject json(CacheReport report, @Nullable WhatIf other) {
    JsonObject json = CacheReports.write(report);
    return other == null ? json : json.with("what_if", CacheReports.write(other.other()));
  }

  private void print(PrintWriter out, CacheReport report, @Nullable WhatIf other) {
    out.printf(
        Locale.ROOT,
        "%s: read %d, written %d, uncached %d tokens%n",
        Printer.count(report.requests().size(), "request", "requests"),
        report.read(),
        report.written(),
        report.uncached());
    out.printf(
        Locale.ROOT,
        "cost %.1f plain input tokens; without cache %.1f, ideal %.1f; efficiency %.4f%n",
        report.cost(),
        report.costNoCache(),
        report.costIdeal(),
        report.efficiency());
    out.println(MoneyLine.rewritten(report));
    MoneyLine.of(report).ifPresent(out::println);
    if (explain) {
      out.print(CacheReports.explain(report));
    }
    if (other != null) {
      out.printf(
          Locale.ROOT,
          "what if %s: cost %.1f, %+.1f%n",
          whatIf,
          other.other().cost(),
          other.difference());
    }
  }
}
