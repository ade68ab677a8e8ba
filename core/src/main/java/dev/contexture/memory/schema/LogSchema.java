package dev.contexture.memory.schema;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Entries that are only added.
 *
 * @param displayLimit how many of the newest are rendered
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LogSchema(int displayLimit, EntrySchema entry) implements BlockSchema {
  public static final String TIMESTAMP = "timestamp";
  public static final String AGENT_ID = "agent_id";

  public LogSchema {
    SchemaJson.atLeastOne("display_limit", displayLimit);
  }

  /**
   * The schema of an entry.
   *
   * @param timestamp whether entries have {@code timestamp}, from the clock where absent
   * @param agentId whether entries have {@code agent_id}, from the actor where absent
   * @param fields all other keys; any if empty
   */
  public record EntrySchema(boolean timestamp, boolean agentId, List<FieldDef> fields) {
    public EntrySchema {
      fields = List.copyOf(fields);
      SchemaJson.checkFields(fields);
      for (FieldDef field : fields) {
        boolean taken =
            (timestamp && field.name().equals(TIMESTAMP))
                || (agentId && field.name().equals(AGENT_ID));
        if (taken) {
          throw MemoryErrors.schema(
              "entry_schema.fields", field.name(), "another name: the entry has this one already");
        }
      }
    }

    /** The declared field of this name. */
    public Optional<FieldDef> field(String name) {
      return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }
  }
}
