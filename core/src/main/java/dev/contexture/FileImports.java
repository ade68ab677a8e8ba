package dev.contexture;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.request.history.ImportedFile;
import dev.contexture.turn.FileReport;
import java.time.InstantSource;
import org.apiguardian.api.API;

/** Takes files of other programs in, as conversations and memory of a user. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FileImports {
  private final Contexture engine;
  private final InstantSource clock;

  FileImports(Contexture engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  /**
   * Reads a file of another program: an export, a log, an agent file, a list of messages.
   *
   * @throws ContextureException {@code malformed_json} or {@code import_malformed}
   */
  public ImportedFile read(String text, ImportedFile.Options options) {
    return engine.providers().importFile(text, options.at(clock.instant()));
  }

  /**
   * Stores what was read, as conversations and memory of a user. What is there already is passed
   * over, so that doing it again adds nothing.
   *
   * @throws ContextureException {@code id_conflict} or {@code label_taken} if there is something
   *     else under one of the names, or what else cannot be stored: then nothing is
   */
  public FileReport store(Scope.OfUser user, ImportedFile file) {
    return new FileImporter(engine, user).store(file);
  }

  /** What {@link #store} would do; stores nothing and refuses the same. */
  public FileReport check(Scope.OfUser user, ImportedFile file) {
    return new FileImporter(engine, user).check(file);
  }
}
