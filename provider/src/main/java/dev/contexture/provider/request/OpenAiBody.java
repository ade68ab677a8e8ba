package dev.contexture.provider.request;

import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfiles;
import dev.contexture.render.Message;
import dev.contexture.request.Point;
import dev.contexture.request.RequestInput;
import dev.contexture.view.MessageRole;

/** What the bodies of OpenAI's two interfaces share: who speaks, and how caches are asked for. */
abstract class OpenAiBody extends BodyWriter {
  private static final int MAX_WRITES = 4;
  private static final String OPENAI = "openai";

  OpenAiBody(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(input, profiles, before);
  }

  /** Writes what the model said. */
  abstract void assistant(Message from, int index);

  /** Writes what the user said, and results. */
  abstract void user(Message from, int index);

  @Override
  final void message(Message from, int index) {
    if (from.role() == MessageRole.ASSISTANT) {
      assistant(from, index);
    } else {
      user(from, index);
    }
  }

  /** Whether the body goes to OpenAI and not to someone who speaks its format. */
  final boolean isOpenAi() {
    return input.model().provider().equals(OPENAI);
  }

  /**
   * Puts the key and the mode of the cache.
   *
   * @param before members that stand before them
   */
  final void cacheSettings(String before) {
    put(before);
    if (isOpenAi()) {
      input.cacheKey().ifPresent(key -> put(",\"prompt_cache_key\":" + EncodedPart.quoted(key)));
    }
    boolean kept =
        profile.cache().mode() == CacheRules.Mode.PREFIX
            && profile.has(ModelFlag.EXTENDED_RETENTION)
            && input.cache().extendedRetention();
    if (kept && isOpenAi()) {
      put(",\"prompt_cache_retention\":\"24h\""); // P-32
    }
    if (hasBreakpoints()) {
      put(
          ",\"prompt_cache_options\":{\"mode\":\""
              + (implicit() ? "implicit" : "explicit")
              + "\",\"ttl\":"
              + EncodedPart.quoted(
                  profile.cache().ttl().isEmpty() ? defaultTtl() : profile.cache().ttl().get(0))
              + "}");
    }
  }

  /** The provider marks the end by itself, unless it is told not to. */
  final void waiveCoveredTail() {
    if (hasBreakpoints() && implicit()) {
      waive(Point.TAIL, "is covered: the provider sets a mark at the end by itself");
    }
  }

  private boolean hasBreakpoints() {
    return profile.cache().mode() == CacheRules.Mode.BREAKPOINT;
  }

  /** Without a volatile tail the provider's own mark at the end serves (P-33). */
  private boolean implicit() {
    return input.volatileParts() == 0;
  }

  @Override
  final int slots() {
    int most = Math.min(MAX_WRITES, profile.cache().maxMarks());
    return hasBreakpoints() ? Math.min(most, implicit() ? MAX_WRITES - 1 : MAX_WRITES) : 0;
  }

  @Override
  final String defaultTtl() {
    return "30m";
  }

  @Override
  final byte[] markedClose(String ttl) {
    return EncodedPart.bytes(",\"prompt_cache_breakpoint\":{\"mode\":\"explicit\"}}");
  }
}
