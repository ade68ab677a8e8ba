package dev.contexture.provider.openai;

import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfiles;
import dev.contexture.provider.wire.BodyWriter;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.render.Message;
import dev.contexture.request.Point;
import dev.contexture.request.RequestInput;
import dev.contexture.view.MessageRole;
import java.util.function.UnaryOperator;

/**
 * The part that the body writers of OpenAI's two interfaces share: roles, and how caches are asked
 * for.
 */
abstract class OpenAiWriter extends BodyWriter {
  private static final int MAX_WRITES = 4;
  static final String OPENAI = "openai";

  OpenAiWriter(
      WireFormat format, RequestInput input, ModelProfiles profiles, EncodingCache before) {
    super(format, input, profiles, before);
  }

  /** Writes what the model said. */
  abstract void assistant(Message from, int index);

  /** Writes what the user said, and results. */
  abstract void user(Message from, int index);

  @Override
  protected final void message(Message from, int index) {
    if (from.role() == MessageRole.ASSISTANT) {
      assistant(from, index);
    } else {
      user(from, index);
    }
  }

  /** Whether the body goes to OpenAI and not to someone who speaks its format. */
  final boolean isOpenAi() {
    return input.model().provider().equals(OPENAI) && !compat();
  }

  /** Whether it has the shape that all take who speak the format. */
  final boolean compat() {
    return input.params().compat() || profile.has(ModelFlag.COMPAT);
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
      put(",\"prompt_cache_retention\":\"24h\"");
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

  /**
   * Puts what is asked of the model.
   *
   * @param named the form with a tool's name
   */
  final void choice(UnaryOperator<String> named) {
    String member = ",\"tool_choice\":";
    put(toolChoice(member + "\"required\"", member + "\"none\"", n -> member + named.apply(n)));
  }

  /** The provider marks the end by itself, unless it is told not to. */
  final void waiveCoveredTail() {
    if (hasBreakpoints() && implicit()) {
      waive(Point.TAIL, "is covered: the provider sets a mark at the end by itself");
    }
  }

  private boolean hasBreakpoints() {
    return profile.cache().mode() == CacheRules.Mode.BREAKPOINT && !compat();
  }

  /** Without a volatile tail the provider's own mark at the end serves. */
  private boolean implicit() {
    return input.volatileParts() == 0;
  }

  @Override
  protected final int slots() {
    int most = Math.min(MAX_WRITES, profile.cache().maxMarks());
    return hasBreakpoints() ? Math.min(most, implicit() ? MAX_WRITES - 1 : MAX_WRITES) : 0;
  }

  @Override
  protected final String defaultTtl() {
    return "30m";
  }

  @Override
  protected final byte[] markedClose(String ttl) {
    return EncodedPart.bytes(",\"prompt_cache_breakpoint\":{\"mode\":\"explicit\"}}");
  }
}
