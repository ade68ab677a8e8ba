package dev.contexture.provider;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.wire.BodyWriter;
import dev.contexture.provider.wire.EncodedPart;
import dev.contexture.provider.wire.WireFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may know whom among the packages of providers. */
class ProviderArchitectureTest {
  private static final String[] PROVIDERS = {
    "..provider.anthropic..", "..provider.openai..", "..provider.gemini.."
  };
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.contexture.provider");

  @ParameterizedTest
  @ValueSource(strings = {"anthropic", "openai", "gemini"})
  void aProviderIsKnownToTheListOfProvidersAlone(String provider) {
    noClasses()
        .that()
        .resideOutsideOfPackage("..provider." + provider + "..")
        .and(not(belongToAnyOf(BuiltInProviders.class)))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..provider." + provider + "..")
        .check(CLASSES);
  }

  /** Writing and judging cannot share a mistake. */
  @Test
  void whatJudgesBodiesKnowsNothingThatWritesThem() {
    noClasses()
        .that()
        .haveNameMatching(
            ".*(Parser|Rules|Prover|Pairs|Proof|BodyView|BodyPart|BodyMessage|MessageCuts)")
        .should()
        .dependOnClassesThat(
            belongToAnyOf(EncodedPart.class)
                .or(
                    com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo(
                        BodyWriter.class)))
        .check(CLASSES);
  }

  /** P-13, P-73: whoever has an answer can read it, without the engine. */
  @Test
  void readersKnowJsonAndAnswersOnly() {
    classes()
        .that()
        .haveNameMatching(
            ".*(Reader|Stream|AnswerJson|ErrorBody|EventParser|ReplyBuilder|JsonAccumulator)")
        .and()
        .resideInAnyPackage(concat("..provider.wire.."))
        .and(
            not(
                com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo(
                    ForeignHistoryReader.class)))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                concat(
                    "..provider.wire..",
                    "dev.contexture.json..",
                    "dev.contexture.error..",
                    "dev.contexture.model..",
                    "java..",
                    "org.apiguardian..",
                    "org.jspecify..")))
        .check(CLASSES);
  }

  /** P-13: whoever has a body can judge it, without the engine. */
  @Test
  void rulesKnowJsonAndModelsOnly() {
    classes()
        .that()
        .haveNameMatching(
            ".*provider\\.(rules\\..*(Rules|Prover|Pairs|Proof)|wire\\.(BodyP.*|BodyM.*|BodyV.*|.*Facts))")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                concat(
                    "..provider.wire..",
                    "..provider.rules..",
                    "dev.contexture.json..",
                    "dev.contexture.error..",
                    "dev.contexture.model..",
                    "java..",
                    "org.apiguardian..",
                    "org.jspecify..")))
        .check(CLASSES);
  }

  @Test
  void aFormatIsTheOnlyTypeThatAProviderShows() {
    classes()
        .that()
        .resideInAnyPackage(PROVIDERS)
        .and()
        .arePublic()
        .should()
        .beAssignableTo(WireFormat.class)
        .check(CLASSES);
  }

  private static String[] concat(String... more) {
    String[] all = new String[PROVIDERS.length + more.length];
    System.arraycopy(PROVIDERS, 0, all, 0, PROVIDERS.length);
    System.arraycopy(more, 0, all, PROVIDERS.length, more.length);
    return all;
  }
}
