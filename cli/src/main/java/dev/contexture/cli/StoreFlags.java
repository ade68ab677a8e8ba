package dev.contexture.cli;

import dev.contexture.block.Scope;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which store, and which part of it. */
final class StoreFlags {
  private static final String LOCAL = "local";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "contexture-data",
      description = "Directory of the store (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("contexture-data");

  @Option(
      names = "--tenant",
      paramLabel = "ID",
      defaultValue = LOCAL,
      description = "The tenant (default: ${DEFAULT-VALUE}).")
  private String tenant = LOCAL;

  @Option(
      names = "--project",
      paramLabel = "ID",
      defaultValue = LOCAL,
      description = "The project (default: ${DEFAULT-VALUE}).")
  private String project = LOCAL;

  Path data() {
    return data;
  }

  Scope scope() {
    return Scope.of(tenant, project);
  }
}
