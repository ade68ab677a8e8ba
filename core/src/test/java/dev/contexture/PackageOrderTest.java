package dev.contexture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.contexture.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The packages of core in the order of the data flow: each uses only those before it. */
class PackageOrderTest {
  /** Also read from the top by people; a package that does not exist yet holds its place. */
  private static final List<String> ORDER =
      List.of(
          "error",
          "json",
          "block",
          "model",
          "token",
          "event",
          "timeline",
          "view",
          "compaction",
          "render",
          "memory",
          "search",
          "tool",
          "prompt",
          "request",
          "store",
          "turn",
          "engine");

  private static final String FACADE = "dev.contexture"; // on top of all
  private static final String ROOT = FACADE + ".";
  private static final String JACKSON = "tools.jackson..";

  // Only what core ships, wherever the build put it: the classes beside ErrorCode.
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .importUrl(ErrorCode.class.getProtectionDomain().getCodeSource().getLocation());

  static Stream<String> order() {
    return ORDER.stream();
  }

  @ParameterizedTest
  @MethodSource("order")
  void usesOnlyPackagesBeforeIt(String name) {
    List<String> later = ORDER.subList(ORDER.indexOf(name) + 1, ORDER.size());
    if (later.isEmpty()) {
      return;
    }
    String[] forbidden = later.stream().map(other -> ROOT + other + "..").toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(ROOT + name + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(forbidden)
        .allowEmptyShould(true)
        .check(CORE);
  }

  @Test
  void holdsNoOtherPackage() {
    List<String> allowed = new ArrayList<>(ORDER.stream().map(name -> ROOT + name).toList());
    allowed.add(ROOT + "store.memory"); // the rows of memory, as many again
    allowed.add(ROOT + "memory..");
    allowed.add(ROOT + "compaction.summary");
    allowed.add(ROOT + "request.history");
    allowed.add(ROOT + "engine..");
    allowed.add(FACADE);
    classes().should().resideInAnyPackage(allowed.toArray(String[]::new)).check(CORE);
  }

  @Test
  void nothingUsesTheFacade() {
    noClasses()
        .that()
        .resideOutsideOfPackage(FACADE)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(FACADE)
        .check(CORE);
  }

  @Test
  void hasNoCycles() {
    slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void onlyJsonUsesJackson() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "json")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(JACKSON)
        .check(CORE);
  }

  @Test
  void showsNoJacksonTypeInAPublicSignature() {
    classes().that().arePublic().should(showNothingOf("tools.jackson.")).check(CORE);
  }

  @Test
  void onlyTokenUsesJtokkit() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "token")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.knuddels..")
        .check(CORE);
  }

  @Test
  void everyPackageIsNullMarked() {
    List<String> unmarked =
        CORE.stream()
            .map(JavaClass::getPackage)
            .distinct()
            .filter(found -> !isNullMarked(found))
            .map(JavaPackage::getName)
            .toList();
    assertThat(unmarked).as("packages without @NullMarked package-info.java").isEmpty();
  }

  private static boolean isNullMarked(JavaPackage found) {
    return found
        .tryGetPackageInfo()
        .map(info -> info.isAnnotatedWith(NullMarked.class))
        .orElse(false);
  }

  private static ArchCondition<JavaClass> showNothingOf(String prefix) {
    return new ArchCondition<>("show no type of " + prefix + "* to callers") {
      @Override
      public void check(JavaClass owner, ConditionEvents events) {
        Stream<JavaClass> supertypes =
            Stream.concat(
                owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream());
        Stream<JavaClass> members =
            owner.getMembers().stream()
                .filter(PackageOrderTest::isVisible)
                .flatMap(PackageOrderTest::shown);
        Stream.concat(supertypes, members)
            .filter(shown -> shown.getName().startsWith(prefix))
            .distinct()
            .map(shown -> owner.getName() + " shows " + shown.getName())
            .forEach(message -> events.add(SimpleConditionEvent.violated(owner, message)));
      }
    };
  }

  private static boolean isVisible(JavaMember member) {
    return member.getModifiers().contains(JavaModifier.PUBLIC)
        || member.getModifiers().contains(JavaModifier.PROTECTED);
  }

  private static Stream<JavaClass> shown(JavaMember member) {
    Stream<JavaClass> involved = member.getAllInvolvedRawTypes().stream();
    return member instanceof JavaCodeUnit unit
        ? Stream.concat(involved, unit.getExceptionTypes().stream())
        : involved;
  }
}
