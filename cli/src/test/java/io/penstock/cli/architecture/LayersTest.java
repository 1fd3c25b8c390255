package io.penstock.cli.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules of ARCHITECTURE.md about who may use whom. */
class LayersTest {
    /** From the bottom up: each may use only what stands before it. */
    private static final List<String> LAYERS =
            List.of("foreign", "runtime", "kernel", "array", "comm", "distributed", "operator", "solver", "cli");

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.penstock");
    }

    @Test
    void everyLayerIsSeen() {
        for (String layer : LAYERS)
            assertThat(classes)
                    .as("classes of the layer %s", layer)
                    .anyMatch(c -> c.getPackageName().startsWith("io.penstock." + layer));
    }

    @Test
    void aLayerUsesOnlyThoseBelow() {
        for (int i = 0; i < LAYERS.size() - 1; i++) {
            String[] above = LAYERS.subList(i + 1, LAYERS.size()).stream()
                    .map(LayersTest::packages)
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(packages(LAYERS.get(i)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above)
                    .because("the layers are, from the bottom up, " + LAYERS)
                    .allowEmptyShould(true)
                    .check(classes);
        }
    }

    @Test
    void packagesFormNoCycles() {
        // A device's package and the package of devices know each other: Device.jvm() must be found without a registry.
        slices().matching("io.penstock.(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(resideInAPackage("io.penstock.runtime"), resideInAPackage("io.penstock.runtime.jvm"))
                .check(classes);
    }

    @Test
    void nativeCodeIsCalledFromOneLayer() {
        noClasses()
                .that()
                .resideOutsideOfPackage(packages("foreign"))
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker")
                .check(classes);
    }

    @Test
    void theLibraryNeedsNothingOfTheProgram() {
        noClasses()
                .that()
                .resideOutsideOfPackage(packages("cli"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "picocli..", "org.knowm..", "tools.jackson..", "me.tongfei..", "java.awt..", "javax..")
                .check(classes.that(resideOutsideOfPackage(packages("testing"))));
    }

    @Test
    void theLibraryWritesNothingToTheConsole() {
        noClasses()
                .that()
                .resideOutsideOfPackages(packages("cli"), packages("bench"), packages("testing"))
                .and() // these speak when the process ends, when nobody is left to be told otherwise
                .haveNameNotMatching("io\\.penstock\\.(comm\\.LastWords|runtime\\.Untold)")
                .should(ACCESS_STANDARD_STREAMS)
                .check(classes);
    }

    @Test
    void everyPackageRefusesNulls() {
        assertThat(classes.stream().map(JavaClass::getPackage).distinct())
                .as("packages, all with @NullMarked")
                .allMatch(p -> p.isAnnotatedWith("org.jspecify.annotations.NullMarked"));
    }

    private static String packages(String layer) {
        return "io.penstock." + layer + "..";
    }
}
