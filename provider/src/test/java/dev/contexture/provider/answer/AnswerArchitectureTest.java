package dev.contexture.provider.answer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** P-13, P-73: whoever has an answer can read it, without the engine. */
class AnswerArchitectureTest {
  @Test
  void readersKnowJsonRepliesAndTheCatalogueOnly() {
    JavaClasses imported =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.contexture");
    classes()
        .that()
        .resideInAPackage("dev.contexture.provider.answer..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.contexture.provider.answer..",
            "dev.contexture.provider.catalogue..",
            "dev.contexture.json..",
            "dev.contexture.error..",
            "dev.contexture.model..",
            "java..",
            "org.apiguardian..",
            "org.jspecify..")
        .check(imported);
  }
}
