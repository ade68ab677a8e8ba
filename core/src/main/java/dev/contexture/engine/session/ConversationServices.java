package dev.contexture.engine.session;

import dev.contexture.block.Limits;
import dev.contexture.block.Scope;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.event.Changes;
import dev.contexture.event.EngineObserver;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.Providers;
import dev.contexture.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * The services and settings that conversations work with.
 *
 * @param store keeps everything
 * @param exclusive whether this process is the only one that writes to the store: then leases of
 *     earlier processes are dead, and what was loaded stays valid
 * @param owner names this process in leases
 * @param clock tells the time
 * @param ids makes ids
 * @param limits bounds of everything
 * @param changes tells who listens
 * @param providers knows wire formats and models
 * @param summarizer writes summaries of what leaves the context
 * @param policy when and how conversations are compacted, where a call names no other policy
 * @param summarizerTimeout what the summariser may take for one compaction
 * @param calibrations what was learned about the tokens of models
 * @param cacheSecrets secrets for cache keys, by tenant; empty: no key
 * @param ledger how requests are kept and compared
 * @param paces how fast the requests of agents follow each other
 * @param traffic what requests mean to each other in the providers' caches
 * @param observer watches what is done
 * @param memories what the agents of projects remember
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ConversationServices(
    Store store,
    boolean exclusive,
    String owner,
    InstantSource clock,
    IdGenerator ids,
    Limits limits,
    Changes changes,
    Providers providers,
    Summarizer summarizer,
    CompactionPolicy policy,
    Duration summarizerTimeout,
    ModelCalibrations calibrations,
    Function<String, Optional<byte[]>> cacheSecrets,
    LedgerSettings ledger,
    RequestRates paces,
    InFlightRequests traffic,
    EngineObserver observer,
    Function<Scope, MemoryStore> memories) {
  /** The time, as it is written into blocks: to the millisecond. */
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
