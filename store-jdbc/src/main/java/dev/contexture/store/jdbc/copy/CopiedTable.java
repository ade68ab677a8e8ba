package dev.contexture.store.jdbc.copy;

import java.util.Locale;
import org.apiguardian.api.API;

/** The tables whose rows make a store, in the order in which they are copied. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum CopiedTable {
  SECRETS(TenantPlace.NONE),
  ERASURES(TenantPlace.OWN),
  CONVERSATIONS(TenantPlace.OWN),
  TURNS(TenantPlace.CONVERSATION),
  BINARIES(TenantPlace.OWN),
  BLOCKS(TenantPlace.CONVERSATION),
  BLOCK_MEMORY(TenantPlace.CONVERSATION_OF_BLOCK),
  SUMMARIES(TenantPlace.CONVERSATION),
  RANGES(TenantPlace.CONVERSATION),
  VISIBILITY(TenantPlace.CONVERSATION_OF_ID),
  SOURCES(TenantPlace.CONVERSATION),
  KEPT(TenantPlace.CONVERSATION),
  FEEDBACK(TenantPlace.CONVERSATION),
  OUTCOMES(TenantPlace.CONVERSATION),
  PINS(TenantPlace.CONVERSATION),
  REQUESTS(TenantPlace.CONVERSATION),
  REQUEST_MEMORY(TenantPlace.CONVERSATION),
  NOTES(TenantPlace.CONVERSATION),
  EPOCHS(TenantPlace.CONVERSATION),
  EPOCH_BLOCKS(TenantPlace.CONVERSATION),
  BINARY_REFS(TenantPlace.CONVERSATION),
  AGENTS(TenantPlace.OWN),
  MEMORY_BLOCKS(TenantPlace.OWN),
  MEMORY_UPDATES(TenantPlace.MEMORY_OF_ID),
  MEMORY_CHECKPOINTS(TenantPlace.MEMORY),
  MEMORY_PREVIEWS(TenantPlace.MEMORY),
  MEMORY_SHARES(TenantPlace.OWN),
  ARCHIVAL(TenantPlace.OWN),
  CONSENTS(TenantPlace.OWN),
  MEMORY_EVENTS(TenantPlace.OWN),
  OUTBOX(TenantPlace.OWN);

  /** The place where the tenant of a row is found, if rows do not name it. */
  public enum TenantPlace {
    NONE,
    OWN,
    CONVERSATION,
    CONVERSATION_OF_ID,
    CONVERSATION_OF_BLOCK,
    MEMORY,
    MEMORY_OF_ID
  }

  private static final int ROWS = 500;
  private static final int MIDDLE_ROWS = 50; // of up to a megabyte
  private static final int LARGE_ROWS = 4; // of up to some tens of megabytes

  private final TenantPlace place;

  CopiedTable(TenantPlace place) {
    this.place = place;
  }

  public TenantPlace place() {
    return place;
  }

  /** How many rows are held at a time: few of those that may be large. */
  int pageRows() {
    return switch (this) {
      case BINARIES -> LARGE_ROWS;
      case MEMORY_CHECKPOINTS, REQUESTS -> MIDDLE_ROWS;
      default -> ROWS;
    };
  }

  /** Its name in the database. */
  public String table() {
    return name().toLowerCase(Locale.ROOT);
  }
}
