package dev.contexture.search.lucene;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Keeps of a text only what may hold one of some terms, so that the rest need not be analysed,
 * which is most of the time of showing where texts match. What is left stands where it stood.
 *
 * <p>Only words of plain ASCII are left out. The stem of such a word begins as the word does, or as
 * a part of it, without regard to case: rules of English change at most the last two of the
 * characters that stay, others leave the first two of four alone. Only Indonesian has endings in
 * front; there nothing is left out.
 */
final class CandidateWords {
  private static final int ASCII = 128;
  private static final int CHANGED_CHARS = 2;
  private static final int MAX_PREFIX = 6;

  private final List<String> prefixes = new ArrayList<>();
  private final BitSet firsts = new BitSet(ASCII);
  private boolean all;

  /** What may hold a term as English texts have it. */
  static CandidateWords ofTerms(Collection<String> terms) {
    CandidateWords words = new CandidateWords();
    for (String term : terms) {
      words.add(term, Math.clamp(term.length() - CHANGED_CHARS, 1, MAX_PREFIX));
    }
    return words;
  }

  /** What may hold other forms of a query. */
  static CandidateWords ofForms(OtherForms forms, Language language) {
    CandidateWords words = new CandidateWords();
    words.all = language == Language.INDONESIAN && !forms.isEmpty();
    for (String term : forms.stems()) {
      String stem = Objects.requireNonNullElse(LanguageStems.stem(term, language), term);
      words.add(stem, stem.length() < 2 * CHANGED_CHARS ? 1 : CHANGED_CHARS);
    }
    for (String inside : forms.joined()) {
      words.add(inside, Math.min(inside.length(), MAX_PREFIX));
    }
    return words;
  }

  private void add(String term, int length) {
    if (term.isEmpty()) {
      return;
    }
    char first = term.charAt(0);
    if (first < ASCII) {
      prefixes.add(term.substring(0, length));
      firsts.set(Character.toLowerCase(first));
      firsts.set(Character.toUpperCase(first));
    }
  }

  /** The text with blanks for the words that hold none of the terms. */
  String in(String text) {
    if (all) {
      return text;
    }
    char[] kept = null;
    for (int at = 0; at < text.length(); ) {
      int end = at;
      boolean candidate = false;
      while (end < text.length() && text.charAt(end) > ' ') {
        char c = text.charAt(end);
        candidate = candidate || c >= ASCII || (firsts.get(c) && begins(text, end));
        end++;
      }
      if (!candidate && end > at) {
        kept = kept == null ? text.toCharArray() : kept;
        Arrays.fill(kept, at, end, ' ');
      }
      at = end + 1;
    }
    return kept == null ? text : new String(kept);
  }

  private boolean begins(String text, int at) {
    for (String prefix : prefixes) {
      if (text.regionMatches(true, at, prefix, 0, prefix.length())) {
        return true;
      }
    }
    return false;
  }
}
