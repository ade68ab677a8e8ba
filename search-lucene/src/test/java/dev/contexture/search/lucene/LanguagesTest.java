package dev.contexture.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.SearchOptions;
import dev.contexture.seeds.TestSeed;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One index finds words of many languages in another form than they were written (M-77). */
class LanguagesTest {
  private static final IndexFilter ALL = IndexFilter.of(SearchOptions.DEFAULT, null, Set.of());
  private static final List<String> TEXTS =
      List.of(
          "en: The houses near the harbour were sold before the meetings began",
          "en: You must not enter the room at the end of the floor",
          "de: Die alten Häuser in der Stadt sind nicht mehr zu verkaufen",
          "de: Er war bei der Donaudampfschifffahrtsgesellschaft und hat dort gearbeitet",
          "de: Die Kinder machen ihre Hausaufgaben mit dem Vater nach der Schule",
          "fr: Les chevaux et les cavaliers sont dans la cour avec nous",
          "es: Las canciones de los niños son para el concierto de la escuela",
          "it: I ragazzi e le bambine sono nella piazza con gli amici della scuola",
          "pt: As cidades do litoral não são para os turistas da montanha",
          "nl: De fietsen van mijn buren zijn niet van het station maar van hem",
          "nl: Het was een ziekenhuisopname en dat is niet voor deze verzekering",
          "sv: Bilarna och båtarna är inte på gatan för att de har sålts",
          "no: Hyttene ved fjorden er ikke til salgs, og det har vi sagt til meg",
          "da: Bordene og stolene er ikke af træ, og det havde hun også sagt til mig",
          "fi: Talossa on hyvä olla ja se on että me olemme siellä",
          "ro: Caietele elevilor sunt pe masă și nu în ghiozdan, dar au fost verificate",
          "id: Dia sudah membaca surat itu dan akan menulis jawaban untuk mereka",
          "tr: Bu kitaplar çok güzel ve bir kısmı bizim için yeni",
          "hu: A könyvek és a házak nem egy városban vannak, hogy ez is meg legyen",
          "ru: Бюджеты городов утвердили вчера на заседании",
          "uk: Ми читали книги про старі міста",
          "el: Τα βιβλία των μαθητών είναι στο σχολείο",
          "ar: قرأت الرسالة والكتاب في المكتبة",
          "he: שָׁלוֹם לְכֻלָּם",
          "hi: लड़कियों ने किताबें पढ़ीं",
          "ta: அவர்கள் புத்தகங்கள் படித்தார்கள்",
          "hy: Երեխաները խաղում են այգում",
          "th: แมวของฉันชอบกินปลาทุกวัน",
          "lo: ຂ້ອຍມັກກິນປາທຸກມື້",
          "km: ខ្ញុំចូលចិត្តញ៉ាំត្រី",
          "my: ကျွန်တော်ငါးစားတယ်",
          "ja: 昨日の会議で予算案が承認されました",
          "zh: 我们昨天讨论了明年的预算方案",
          "ko: 학교에서 친구들과 점심을 먹었습니다");

  @TempDir Path folder;
  private LuceneIndexes indexes;
  private SearchIndex index;

  @BeforeEach
  void open() {
    indexes = LuceneIndexes.in(folder);
    index = indexes.open(Scope.of("acme", "shop"));
    List<IndexChange> changes = new ArrayList<>();
    for (int i = 0; i < TEXTS.size(); i++) {
      changes.add(put(i, TEXTS.get(i).substring(4), ""));
    }
    index.write(changes, IndexPosition.START.withText(1));
  }

  @AfterEach
  void close() {
    index.close();
    indexes.close();
  }

  private static IndexChange put(int id, String text, String context) {
    IndexEntry entry =
        new IndexEntry(
            String.valueOf(id),
            "g" + id,
            SearchContentType.MESSAGES,
            "a",
            "u",
            "c",
            "user",
            Instant.EPOCH,
            id,
            "h");
    return new IndexChange.Put(new IndexDocument(entry, text, "", context, "", ""));
  }

  private List<Integer> ids(String query) {
    return index.keyword(new KeywordQuery(query, false), ALL, 50).stream()
        .map(IndexHit::id)
        .map(Integer::valueOf)
        .toList();
  }

  private List<String> find(String query) {
    return ids(query).stream().map(TEXTS::get).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "house, en: The houses",
    "meeting, en: The houses",
    "Haus, de: Die alten",
    "alte Haeuser oder Häuser, de: Die alten",
    "Wo sind die alten Häuser in der Stadt?, de: Die alten",
    "Ha\u0308user, de: Die alten",
    "Dampfschifffahrt, de: Er war",
    "Aufgabe, de: Die Kinder",
    "ziekenhuis, nl: Het was",
    "opname, nl: Het was",
    "cheval et cavalier, fr: Les chevaux",
    "canción, es: Las canciones",
    "ragazzo, it: I ragazzi",
    "cidade, pt: As cidades",
    "fiets, nl: De fietsen",
    "bil, sv: Bilarna",
    "hytte, no: Hyttene",
    "stol, da: Bordene",
    "hvor er den stol og det bord, da: Bordene",
    "talo, fi: Talossa",
    "caiet, ro: Caietele",
    "baca, id: Dia",
    "kitap, tr: Bu kitaplar",
    "könyv, hu: A könyvek",
    "бюджет, ru: Бюджеты",
    "город, ru: Бюджеты",
    "книга, uk: Ми",
    "μαθητής, el: Τα",
    "كتاب, ar: قرأت",
    "رِسَالَة, ar: قرأت",
    "שלום, he: שָׁלוֹם",
    "किताब, hi: लड़कियों",
    "புத்தகம், ta: அவர்கள்",
    "երեխա, hy: Երեխաները",
    "ปลา, th: แมว",
    "แมว, th: แมว",
    "ກິນປາ, lo: ຂ້ອຍ",
    "ត្រី, km: ខ្ញុំ",
    "ငါး, my: ကျွန်တော်",
    "予算, ja: 昨日",
    "会議, ja: 昨日",
    "预算, zh: 我们",
    "학교, ko: 학교에서",
    "친구, ko: 학교에서",
  })
  void findsAnotherFormOfAWord(String query, String start) {
    assertThat(find(query)).as(query).isNotEmpty().first().asString().startsWith(start);
  }

  /** An English text is found by English words only, whatever stem another language gives them. */
  @ParameterizedTest
  @ValueSource(strings = {"note", "notare", "enden", "entero", "roomen"})
  void englishIsNotFoundByStemsOfOtherLanguages(String query) {
    assertThat(find(query)).noneMatch(text -> text.startsWith("en: You"));
  }

  @Test
  void anEnglishQueryHasNoOtherForms() {
    assertThat(Language.of("What did she say about the meeting in the house?")).isNull();
    assertThat(Language.candidates("What did she say about the house?")).isEmpty();
    assertThat(OtherForms.languages("where is the house", 1)).isEmpty();
  }

  @Test
  void smallWordsOfAnotherLanguageAreLeftOutOfItsQueries() {
    assertThat(find("Wo ist der Zug mit den Leuten?")).isEmpty();
  }

  /** A short message has no small words; those around it tell its language. */
  @Test
  void aShortMessageIsOfTheLanguageAroundIt() {
    int id = TEXTS.size();
    String around = "Was hast du bei dem Händler gekauft?\nDas war nicht für die Kinder.";
    index.write(
        List.of(put(id, "Neue Fahrräder!", around), put(id + 1, "New bikes!", "Was it for you?")),
        IndexPosition.START.withText(2));
    assertThat(ids("Fahrrad")).containsExactly(id);
    assertThat(index.matcher(new KeywordQuery("Fahrrad", false)).apply("Neue Fahrräder!").words())
        .containsExactly("Fahrräder");
    assertThat(ids("bike")).containsExactly(id + 1);
  }

  @Test
  void whatMatchesIsShown() {
    KeywordQuery inside = new KeywordQuery("Dampfschifffahrt", false);
    assertThat(index.matcher(inside).apply(TEXTS.get(3)).words())
        .containsExactly("Donaudampfschifffahrtsgesellschaft");
    assertThat(index.matcher(new KeywordQuery("Haus", false)).apply(TEXTS.get(2)).words())
        .containsExactly("Häuser");
    assertThat(index.matcher(new KeywordQuery("город", false)).apply(TEXTS.get(19)).words())
        .containsExactly("городов");
  }

  /** Raw queries and phrases see the words of a text as those of an English one. */
  @Test
  void phrasesAndRawQueriesWorkInEveryLanguage() {
    assertThat(find("\"alten Häuser in der Stadt\"")).containsExactly(TEXTS.get(2));
    assertThat(find("\"ชอบกินปลา\"")).hasSize(1);
    assertThat(index.keyword(new KeywordQuery("own:fiets*", true), ALL, 5)).hasSize(1);
    assertThat(index.keyword(new KeywordQuery("own:de*", true), ALL, 5))
        .extracting(IndexHit::id)
        .allMatch(id -> TEXTS.get(Integer.parseInt(id)).toLowerCase(Locale.ROOT).contains(" de"));
  }

  @Test
  void tellsLanguagesApart() {
    for (String text : TEXTS) {
      Language language = Language.of(text.substring(4));
      boolean latin = text.charAt(4) < 0x250 && !text.startsWith("en");
      assertThat(language == null ? "" : language.code())
          .as(text)
          .isEqualTo(latin ? text.substring(0, 2) : "");
    }
  }

  /** No stemmer fails or runs on for letters that are no word. */
  @Test
  void anyLettersHaveAStem() {
    Random random = TestSeed.random(5);
    int[] scripts = {'a', 0xc0, 0x370, 0x400, 0x531, 0x5d0, 0x620, 0x900, 0xb80, 0xe00, 0x1000};
    for (int round = 0; round < TestSeed.tries(2_000); round++) {
      StringBuilder text = new StringBuilder();
      int script = scripts[random.nextInt(scripts.length)];
      for (int chars = 1 + random.nextInt(80); chars > 0; chars--) {
        text.append((char) (script + random.nextInt(random.nextBoolean() ? 8 : 100)));
      }
      for (Language language : Language.values()) {
        assertThat(TextAnalysis.INDEX.in(language).words(text.toString()))
            .as(text.toString())
            .allMatch(word -> !word.term().isEmpty() && word.start() <= word.end());
      }
    }
  }
}
