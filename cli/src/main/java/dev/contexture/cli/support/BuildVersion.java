package dev.contexture.cli.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, from the resource that the build writes. */
public final class BuildVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {line()};
  }

  public static String line() {
    return "contexture " + text();
  }

  public static String text() {
    Properties properties = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream("version.properties")) {
      properties.load(Objects.requireNonNull(in, "version.properties is missing from the jar"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Objects.requireNonNull(properties.getProperty("version"));
  }
}
