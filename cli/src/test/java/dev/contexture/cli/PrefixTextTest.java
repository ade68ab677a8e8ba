package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import org.junit.jupiter.api.Test;

class PrefixTextTest {
  private static JsonObject row(String members) {
    return (JsonObject) JsonValue.parse("{" + members.replace('\'', '"') + "}");
  }

  @Test
  void aNewBeginningHasItsCause() {
    JsonObject cold = row("'prefix':'rebased','epoch':'s1@2','epoch_cause':'cold_cache'");
    assertThat(PrefixText.word(cold, null)).isEqualTo("rebased: cold_cache");
    assertThat(PrefixText.word(row("'prefix':'rebased','rebased_by':'first'"), null))
        .isEqualTo("rebased: first");
    assertThat(PrefixText.word(row("'prefix':'extends'"), cold)).isEqualTo("extends");
    assertThat(PrefixText.word(row(""), null)).isEqualTo("-");
  }

  @Test
  void aSummaryThatCameOrWentIsTheCauseWhateverElseIsRecorded() {
    JsonObject with = row("'prefix':'rebased','epoch':'s1@2','epoch_cause':'cold_cache'");
    JsonObject without = row("'prefix':'rebased','epoch':'@1','rebased_by':'epoch'");
    assertThat(PrefixText.word(with, without)).isEqualTo("rebased: compaction");
    assertThat(PrefixText.anew(without, with))
        .hasValueSatisfying(words -> assertThat(words).endsWith("a summary was withdrawn"));
  }

  @Test
  void whatIsWrittenAgainHasItsPriceWhereItIsKnown() {
    JsonObject priced =
        row("'rewritten':{'tokens':900,'cost':1035,'money':0.0052},'currency':'EUR'");
    assertThat(PrefixText.rewritten(priced))
        .hasValue(
            "900 tokens are written to the cache again, which costs 1035 plain input tokens more"
                + " than reading them (0.0052 EUR)");
    assertThat(PrefixText.rewritten(row("'rewritten':{'tokens':900,'cost':1035}")))
        .hasValueSatisfying(words -> assertThat(words).endsWith("reading them"));
    assertThat(PrefixText.rewritten(row(""))).isEmpty();
  }
}
