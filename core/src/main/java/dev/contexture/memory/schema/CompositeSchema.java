package dev.contexture.memory.schema;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Sections with schemas of their own.
 *
 * @param sections in the order of rendering
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CompositeSchema(List<SectionDef> sections) implements BlockSchema {
  public CompositeSchema {
    sections = List.copyOf(sections);
    SchemaJson.checkSections(sections);
  }

  public static CompositeSchema of(SectionDef... sections) {
    return new CompositeSchema(List.of(sections));
  }

  /** The section of this name. */
  public Optional<SectionDef> section(String name) {
    return sections.stream().filter(section -> section.name().equals(name)).findFirst();
  }
}
