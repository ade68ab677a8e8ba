package dev.contexture.provider;

import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.request.ProviderFormat;
import java.util.List;
import java.util.Optional;

/** The built-in formats by the catalogue's names. */
public record TestFormats(ModelProfiles profiles) {
  public static TestFormats of(ModelProfiles profiles) {
    return new TestFormats(profiles);
  }

  /** A format without facts about models. */
  public static WireFormat wire(String name) {
    return BuiltInProviders.FORMATS.stream()
        .filter(format -> format.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  public List<ProviderFormat> all() {
    return BuiltInProviders.FORMATS.stream()
        .map(format -> BuiltInProviders.proved(format, profiles))
        .toList();
  }

  public Optional<ProviderFormat> named(String name) {
    return all().stream().filter(format -> format.name().equals(name)).findFirst();
  }

  /** The first format that the model is served in. */
  public ProviderFormat forModel(ModelRef model) {
    return profiles.profile(model).apis().stream()
        .flatMap(api -> named(api).stream())
        .findFirst()
        .orElseThrow();
  }
}
