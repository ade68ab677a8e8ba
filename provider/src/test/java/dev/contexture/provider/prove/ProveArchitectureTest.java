package dev.contexture.provider.prove;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** P-13: whoever has a body can judge it, without the engine. */
class ProveArchitectureTest {
  @Test
  void theProverKnowsJsonAndModelsOnly() {
    classes()
        .that()
        .resideInAPackage("dev.contexture.provider.prove..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.contexture.provider.prove..",
            "dev.contexture.json..",
            "dev.contexture.error..",
            "dev.contexture.model..",
            "java..",
            "org.apiguardian..",
            "org.jspecify..")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.contexture"));
  }
}
