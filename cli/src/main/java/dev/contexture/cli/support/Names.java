package dev.contexture.cli.support;

import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.Choices;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.search.SearchMode;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.token.TokenCounter;
import java.util.Iterator;
import java.util.List;

/** Names that options take, for help and completion, from where they are declared. */
public abstract class Names implements Iterable<String> {
  private final List<String> names;

  private Names(List<String> names) {
    this.names = names;
  }

  @Override
  public Iterator<String> iterator() {
    return names.iterator();
  }

  /** Of compaction presets. */
  public static final class Policies extends Names {
    public Policies() {
      super(CompactionPolicy.names());
    }
  }

  /** Of token counters. */
  public static final class Tokenizers extends Names {
    public Tokenizers() {
      super(TokenCounter.names());
    }
  }

  /** Of the ways to search. */
  public static final class SearchModes extends Names {
    public SearchModes() {
      super(Choices.of(SearchMode.values()));
    }
  }

  /** Of wire formats. */
  public static final class Providers extends Names {
    public Providers() {
      super(BuiltInProviders.names());
    }
  }

  /** Of what a key may do. */
  public static final class Roles extends Names {
    public Roles() {
      super(Choices.of(KeyRole.values()));
    }
  }
}
