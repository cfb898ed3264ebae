// SPDX-License-Identifier: Apache-2.0
package io.sluice.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows of ARCHITECTURE.md, on the compiled classes of every module. */
class ArrowsTest {
    private static JavaClasses house;

    @BeforeAll
    static void importAllModules() throws IOException {
        try (var modules = Files.list(Path.of(".."))) {
            List<Path> classes =
                    modules.map(module -> module.resolve("target/classes"))
                            .filter(Files::isDirectory)
                            .toList();
            house = new ClassFileImporter().importPaths(classes);
        }
        assertThat(house.size()).as("imported classes").isGreaterThan(100);
    }

    @ParameterizedTest
    @CsvSource({
        "io.sluice.api, rules manifest process mutator certs webhook operator autoscaler flink cli",
        "io.sluice.rules, manifest process mutator certs webhook operator autoscaler flink cli",
        "io.sluice.manifest, process mutator certs webhook operator autoscaler flink cli",
        "io.sluice.process, manifest mutator certs webhook operator autoscaler flink cli",
        "io.sluice.filesystem, api rules manifest process mutator certs webhook operator autoscaler flink cli",
        "io.sluice.flink, api rules manifest process mutator certs webhook operator autoscaler cli",
        "io.sluice.mutator, manifest process certs webhook operator autoscaler flink cli",
        "io.sluice.certs, api rules manifest process mutator webhook operator autoscaler flink cli",
        "io.sluice.webhook, manifest operator autoscaler flink cli",
        "io.sluice.operator, filesystem webhook mutator certs autoscaler cli",
        "io.sluice.autoscaler, manifest webhook mutator certs operator cli",
        "io.sluice.cli, process mutator certs webhook operator autoscaler",
    })
    void noArrowPointsTheWrongWay(String from, String forbidden) {
        for (String module : forbidden.split(" ", -1)) {
            noClasses()
                    .that()
                    .resideInAPackage(from + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.sluice." + module + "..")
                    .check(house);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "api",
                "autoscaler",
                "cli",
                "flink",
                "operator",
                "process",
                "rules",
                "webhook"
            })
    void packagesOfAModuleImportOneAnotherOneWayOnly(String module) {
        slices().matching("io.sluice." + module + ".(**)").should().beFreeOfCycles().check(house);
    }

    /** What a room of the operator must not know: the rooms above it, and other kinds' rooms. */
    @ParameterizedTest
    @CsvSource({
        "model, decide observe act reconcile deployment sessionjob cron ingress report leadership",
        "decide, observe act reconcile deployment sessionjob cron ingress report leadership",
        "observe, decide act reconcile deployment sessionjob cron ingress report leadership",
        "reconcile, act deployment sessionjob cron ingress report leadership",
        "act, deployment sessionjob cron ingress report leadership",
        "deployment, sessionjob cron",
        "sessionjob, deployment cron ingress",
        "cron, sessionjob ingress",
        "statesnapshot, deployment sessionjob cron ingress bluegreen",
        "bluegreen, deployment sessionjob cron statesnapshot",
        "ingress, bluegreen",
        "leadership, deployment sessionjob cron ingress",
    })
    void noRoomOfTheOperatorKnowsThoseAboveIt(String room, String forbidden) {
        for (String above : forbidden.split(" ", -1)) {
            noClasses()
                    .that()
                    .resideInAPackage("io.sluice.operator." + room + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.sluice.operator." + above + "..")
                    .check(house);
        }
    }

    @Test
    void whatDecidesKnowsNoClientAndNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.sluice.operator.decide..",
                        "io.sluice.operator.bluegreen.decide..",
                        "io.sluice.operator.model..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.fabric8.kubernetes.client..",
                        "io.javaoperatorsdk..",
                        "io.sluice.flink.rest.http..",
                        "io.sluice.flink.rest.tls..",
                        "org.slf4j..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(InstantSource.class)
                .check(house);
    }

    @Test
    void onlyTheAutoscalerKnowsFlinksAutoscaler() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.sluice.autoscaler..", "org.apache.flink.autoscaler..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink.autoscaler..")
                .check(house);
    }

    @Test
    void theWebhookHasNoFlinkJar() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.sluice.webhook..", "io.sluice.rules..", "io.sluice.mutator..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink..")
                .check(house);
    }

    @Test
    void nobodyReadsTheClockButThroughAnInstantSource() {
        noClasses().should().callMethod(Instant.class, "now").check(house);
    }

    /**
     * The JDK's immutable maps and sets look at one key after the other where many have the same
     * hash, and texts of the same hash are easily made: a few thousand hold a processor for
     * seconds. Its hash maps compare such keys by order.
     */
    @Test
    void keysThatOthersChooseAreInMapsThatNoKeysMakeSlow() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.sluice.certs..",
                        "io.sluice.cli..",
                        "io.sluice.testkit..",
                        "io.sluice.bench..")
                .should()
                .callMethod(Map.class, "copyOf", Map.class)
                .orShould()
                .callMethod(Set.class, "copyOf", Collection.class)
                .orShould()
                .callMethod(Collectors.class, "toUnmodifiableMap", Function.class, Function.class)
                .orShould()
                .callMethod(Collectors.class, "toUnmodifiableSet")
                .because("see docs/adr/0064-maps-that-no-keys-make-slow.md")
                .check(house);
    }

    @Test
    void namesSayWhatIsInside() {
        classes()
                .that()
                .resideInAPackage("io.sluice..")
                .should()
                .haveNameNotMatching(
                        ".*\\.(Abstract|Base)[A-Z]\\w*|.*(Utils?|Helper|(?<!Job|Task)Manager|Impl)")
                .check(house);
    }
}
