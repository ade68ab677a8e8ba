package dev.contexture.search.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.lucene.QueryWords;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionSqlTest {
  private static final Lexemes LEXEMES = new Lexemes(46); // 1a in base 36

  private static String of(String raw) throws SQLException {
    List<String> words = List.of("fox", "foxes", "owl");
    ConditionSql sql =
        new ConditionSql(LEXEMES, pattern -> words.stream().filter(pattern).toList());
    return sql.of(QueryWords.raw(new KeywordQuery(raw, true)));
  }

  @Test
  void aFieldIsAWeightAndALexemeBeginsWithItsProject() throws SQLException {
    assertThat(of("own:fox")).isEqualTo("'1a:fox':A");
    assertThat(of("label:fox")).isEqualTo("'1a:fox':D");
    assertThat(of("description:fox")).isEqualTo("'1a:fox':C");
  }

  @Test
  void requiredAndProhibitedWordsAreJoined() throws SQLException {
    assertThat(of("+own:fox -own:owl")).isEqualTo("('1a:fox':A & !'1a:owl':A)");
    assertThat(of("own:fox own:owl")).isEqualTo("(('1a:fox':A | '1a:owl':A))");
    assertThat(of("-own:owl")).as("nothing is asked for").isEmpty();
  }

  @Test
  void aPatternIsTheWordsThatItTakes() throws SQLException {
    assertThat(of("own:fo*")).isEqualTo("('1a:fox':A | '1a:foxes':A)");
    assertThat(of("own:zebra*")).isEmpty();
  }

  @Test
  void aPhraseSaysHowFarItsWordsAreApart() throws SQLException {
    assertThat(of("own:\"red fox\"")).isEqualTo("(('1a:red':A) <1> ('1a:fox':A))");
    assertThatThrownBy(() -> of("own:\"red fox\"~2"))
        .isInstanceOf(ContextureException.class)
        .hasMessageContaining("phrase");
  }

  @Test
  void quotesCannotLeaveALexeme() {
    assertThat(LEXEMES.quoted("a'b\\c")).isEqualTo("'1a:a''b\\\\c'");
  }
}
