package dev.contexture.search.lucene;

import dev.contexture.search.lucene.script.ScriptStems;
import dev.contexture.search.lucene.script.SyllablePairs;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.DanishStemmer;
import org.tartarus.snowball.ext.DutchStemmer;
import org.tartarus.snowball.ext.FinnishStemmer;
import org.tartarus.snowball.ext.FrenchStemmer;
import org.tartarus.snowball.ext.GermanStemmer;
import org.tartarus.snowball.ext.HungarianStemmer;
import org.tartarus.snowball.ext.IndonesianStemmer;
import org.tartarus.snowball.ext.ItalianStemmer;
import org.tartarus.snowball.ext.NorwegianStemmer;
import org.tartarus.snowball.ext.PortugueseStemmer;
import org.tartarus.snowball.ext.RomanianStemmer;
import org.tartarus.snowball.ext.SpanishStemmer;
import org.tartarus.snowball.ext.SwedishStemmer;
import org.tartarus.snowball.ext.TurkishStemmer;

/**
 * A language in Latin letters other than English, which has endings of its own. A text is of the
 * language whose small words it holds most, if these are at least two and more than the English
 * ones; all other texts are treated as English. Other scripts need no guess: {@link ScriptStems}.
 */
enum Language {
  GERMAN(
      "de",
      true,
      "der die das den dem des ein eine einen einem einer und oder ist sind war waren nicht kein"
          + " keine mit von zu zum zur auf für fur im ich du er sie es wir ihr mir dich auch noch"
          + " nach bei aus wie wenn dass daß hat haben wird werden über uber unter vor durch wo wer"
          + " wann"),
  DUTCH(
      "nl",
      true,
      "de het een en van ik niet dat die te zijn is was op aan met voor er maar om hem dan zou wat"
          + " mijn ook als bij naar heeft hebben deze uit geen werd worden wij zij waar hoe onze"),
  SWEDISH(
      "sv",
      true,
      "och det att i en jag hon som han på pa den med var sig för for så sa till är ar men ett om"
          + " hade de av icke mig du inte när nar från fran har vi eller hur många manga vilka"),
  NORWEGIAN(
      "no",
      true,
      "og i jeg det at en et den til er som på pa de med han av ikke der så sa var meg seg men ett"
          + " har om vi min mitt ha hadde hun nå na over da ved fra hvor hva mange"),
  DANISH(
      "da",
      true,
      "og i jeg det at en den til er som på pa de med han af for ikke der var mig sig men et har om"
          + " vi min havde ham hun nu over da fra du ud sin dem os op hvad hvor mange"),
  FINNISH(
      "fi",
      true,
      "olla olen on ovat oli ja ei en että etta se ne hän han minä mina sinä sina me te he joka"
          + " mikä mika kun niin kuin tai mutta myös myos vain ole ollut siellä missä"),
  FRENCH(
      "fr",
      false,
      "le la les un une des du de et est sont dans que qui pour pas sur au aux avec ce cette ces il"
          + " elle nous vous ils je tu ne se plus par mais ou où été ete sans chez son sa ses"),
  SPANISH(
      "es",
      false,
      "el la los las un una unos unas de del y en que es son por para con no se su sus al lo como"
          + " más mas pero le ya este esta porque muy sin sobre también tambien me hay donde"
          + " quien"),
  ITALIAN(
      "it",
      false,
      "il lo la gli le un una di del della dei delle e che è per con non in si da al alla nel nella"
          + " sono ma come anche più piu questo questa o se ha hanno dove molto i"),
  PORTUGUESE(
      "pt",
      false,
      "o a os as um uma de do da dos das e em que é no na nos nas por para com não nao se mais como"
          + " mas foi ao ele ela seu sua ou ser quando muito são sao está"),
  ROMANIAN(
      "ro",
      false,
      "și si în este sunt la cu pe de un o nu care din că ca mai a fost pentru prin sau dar după"
          + " dupa au am ai foarte acest această unde lui"),
  HUNGARIAN(
      "hu",
      true,
      "a az és es hogy nem is egy van volt meg de ez csak mint már mar vagy ki mi ezt azt még"
          + " sem lesz nagyon kell itt ott"),
  TURKISH(
      "tr",
      false,
      "ve bir bu da de için icin ile çok cok ne o gibi daha en var yok ama mi mı ben sen biz siz"
          + " onlar değil degil olarak kadar sonra her"),
  INDONESIAN(
      "id",
      false,
      "yang dan di ke dari ini itu untuk dengan tidak pada adalah akan saya kami mereka dia ada"
          + " juga sudah atau dalam oleh karena bisa");

  /** Words of English that say nothing; a constant, so that no class waits for another. */
  static final String ENGLISH_WORDS =
      "a an and are as at be but by for if in into is it no not of on or such that the"
          + " their then there these they this to was will with i me my we our you"
          + " your he him his she her its them what which who whom when where why"
          + " how am were been being have has had having do does did doing would"
          + " should could can might must shall from up down out over under"
          + " again further once here all any both each few more most other some"
          + " only own same so than too very s t just don now about d ll m re ve";

  private static final int SEEN_CHARS = 1_000;
  private static final int LEAST_HITS = 2;
  private static final int MAX_SMALL_CHARS = 8;
  private static final List<Language> ALL = List.of(values());
  private static final int ENGLISH = ALL.size();

  /** Each small word with the languages that have it, one bit for each, the last for English. */
  private static final SmallWords SMALL_WORDS = new SmallWords();

  static {
    ALL.forEach(language -> note(language.smallWords, language.place()));
    note(ENGLISH_WORDS, ENGLISH);
  }

  private final String code;
  private final boolean compounds;
  private final String smallWords;

  Language(String code, boolean compounds, String smallWords) {
    this.code = code;
    this.compounds = compounds;
    this.smallWords = smallWords;
  }

  /** Which bit, and which of the counts, is its own. */
  private int place() {
    return ALL.indexOf(this);
  }

  private static void note(String words, int language) {
    for (String word : words.split(" ")) {
      SMALL_WORDS.add(word, 1 << language);
    }
  }

  /** The language of a text; null: English, another script, or too little to tell. */
  static @Nullable Language of(String text) {
    return of(hits(text));
  }

  /** The language of a text, or of what stands around it if it has no small words to tell. */
  static @Nullable Language of(String text, String around) {
    int[] hits = hits(text);
    Language own = of(hits);
    return own == null && hits[ENGLISH] == 0 ? of(around) : own;
  }

  private static @Nullable Language of(int[] hits) {
    int most = Math.max(LEAST_HITS - 1, hits[ENGLISH]);
    Language best = null;
    for (Language language : ALL) {
      if (hits[language.place()] > most) {
        most = hits[language.place()];
        best = language;
      }
    }
    return best;
  }

  /**
   * The languages that a text may be of: none for an English one, several that are alike such as
   * Norwegian and Danish, all if there is too little to tell.
   */
  static Set<Language> candidates(String text) {
    int[] hits = hits(text);
    Language best = of(hits);
    if (best == null) {
      return hits[ENGLISH] > 0 ? Set.of() : EnumSet.allOf(Language.class);
    }
    Set<Language> close = EnumSet.of(best);
    ALL.stream().filter(other -> 2 * hits[other.place()] > hits[best.place()]).forEach(close::add);
    return close;
  }

  /** How many small words of each language a text has, at last those of English. */
  private static int[] hits(String text) {
    int[] hits = new int[ALL.size() + 1];
    int end = Math.min(text.length(), SEEN_CHARS);
    for (int at = 0; at < end; at++) {
      int start = at;
      while (at < end && isOfWord(text.charAt(at))) {
        at++;
      }
      if (at > start && at - start <= MAX_SMALL_CHARS) {
        int languages = SMALL_WORDS.find(text, start, at);
        for (int i = 0; languages != 0; i++, languages >>= 1) {
          hits[i] += languages & 1;
        }
      }
    }
    return hits;
  }

  private static boolean isOfWord(char c) {
    if (c < 0x80) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    return Character.isLetter(c) || SyllablePairs.isMark(c);
  }

  /** As ISO 639 names it. */
  String code() {
    return code;
  }

  /** Whether a word says nothing by itself. */
  boolean isSmall(String word) {
    int languages = SMALL_WORDS.find(word, 0, word.length());
    return (languages & (1 << place())) != 0;
  }

  /** Whether its words are joined to longer ones, which are found by their parts. */
  boolean compounds() {
    return compounds;
  }

  /** A stemmer, confined to one thread. */
  SnowballStemmer stemmer() {
    return switch (this) {
      case GERMAN -> new GermanStemmer();
      case DUTCH -> new DutchStemmer();
      case SWEDISH -> new SwedishStemmer();
      case NORWEGIAN -> new NorwegianStemmer();
      case DANISH -> new DanishStemmer();
      case FINNISH -> new FinnishStemmer();
      case FRENCH -> new FrenchStemmer();
      case SPANISH -> new SpanishStemmer();
      case ITALIAN -> new ItalianStemmer();
      case PORTUGUESE -> new PortugueseStemmer();
      case ROMANIAN -> new RomanianStemmer();
      case HUNGARIAN -> new HungarianStemmer();
      case TURKISH -> new TurkishStemmer();
      case INDONESIAN -> new IndonesianStemmer();
    };
  }
}
