// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import static io.sluice.cli.migrate.LivePictures.CLICKS;
import static io.sluice.cli.migrate.LivePictures.ORDERS;
import static io.sluice.cli.migrate.LivePictures.PAIR;
import static io.sluice.cli.migrate.LivePictures.SNAPSHOT;
import static io.sluice.cli.migrate.LivePictures.check;
import static io.sluice.cli.migrate.LivePictures.configured;
import static io.sluice.cli.migrate.LivePictures.ids;
import static io.sluice.cli.migrate.LivePictures.withEntry;
import static io.sluice.cli.migrate.LivePictures.withInit;
import static io.sluice.cli.migrate.LivePictures.withoutStatus;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One cluster with a resource of each difficulty: the check names each of them, and no other. */
class EveryDifficultyTest {
    private static final String STATE = " status.reconciliationStatus.state";
    private static final String OPTION = " spec.flinkConfiguration[";

    /** By the name of the resource. */
    private static final Map<String, List<String>> EXPECTED =
            Map.ofEntries(
                    Map.entry("at-rest", List.of()),
                    Map.entry("upgrading", List.of("note upgrade-under-way" + STATE)),
                    Map.entry("rolling-back", List.of("note rollback-under-way" + STATE)),
                    Map.entry("rolled-back", List.of("note rolled-back" + STATE)),
                    Map.entry(
                            "edited",
                            List.of("note edit-not-carried-out status.observedGeneration")),
                    Map.entry(
                            "deleted",
                            List.of("note deletion-under-way metadata.deletionTimestamp")),
                    Map.entry(
                            "status-gone",
                            List.of(
                                    "note not-deployed"
                                            + " status.reconciliationStatus.lastReconciledSpec")),
                    Map.entry(
                            "status-unreadable",
                            List.of(
                                    "blocked status-lost"
                                            + " status.reconciliationStatus.lastReconciledSpec")),
                    Map.entry(
                            "zookeeper",
                            List.of(
                                    "note metadata-in-zookeeper"
                                            + OPTION
                                            + "high-availability.type]")),
                    Map.entry(
                            "own-metadata",
                            List.of("blocked ha-type" + OPTION + "high-availability.type]")),
                    Map.entry(
                            "tls",
                            List.of(
                                    "blocked rest-tls-needs-certificates"
                                            + OPTION
                                            + "security.ssl.rest.enabled]")),
                    Map.entry(
                            "root-container",
                            List.of(
                                    "edit root-container-runs spec.podTemplate.spec"
                                            + ".initContainers[chown].securityContext.runAsUser")),
                    Map.entry(
                            "unsaid-user",
                            List.of(
                                    "note init-container-user"
                                            + " spec.podTemplate.spec.initContainers[chown]")),
                    Map.entry(
                            "canary",
                            List.of(
                                    "edit canary-configured"
                                            + " metadata.labels[flink.apache.org/canary]")),
                    Map.entry(
                            "by-position",
                            List.of(
                                    "note config-key-without-effect"
                                            + OPTION
                                            + "kubernetes.operator.pod-template.merge-arrays-by-name]")),
                    Map.entry(
                            "arrays-by-position",
                            List.of(
                                    "note config-key-without-effect"
                                            + OPTION
                                            + "kubernetes.operator.pod-template.merge-arrays-by-name]")),
                    Map.entry("cron-template", List.of()),
                    Map.entry("clicks", List.of()),
                    Map.entry(
                            "jar-in-s3", List.of("blocked jar-uri-scheme-allowed spec.job.jarURI")),
                    Map.entry("nightly", List.of()),
                    Map.entry("unfinished", List.of("note snapshot-under-way status.state")),
                    Map.entry(
                            "pair",
                            List.of(
                                    "note bluegreen-overlap spec.configuration",
                                    "note bluegreen-cost spec.configuration")));

    @Test
    void eachIsNamedAndNothingElseIs() {
        var report =
                check(
                        configured(
                                "kubernetes.operator.reconcile.interval: 30 s\n"
                                        + "kubernetes.operator.metrics.reporter.slf4j.factory.class:"
                                        + " mine",
                                named("at-rest", ORDERS),
                                named("upgrading", ORDERS.replace("DEPLOYED", "UPGRADING")),
                                named("rolling-back", ORDERS.replace("DEPLOYED", "ROLLING_BACK")),
                                named("rolled-back", ORDERS.replace("DEPLOYED", "ROLLED_BACK")),
                                named("edited", ORDERS.replace("generation: 2}", "generation: 3}")),
                                named(
                                        "deleted",
                                        ORDERS.replace(
                                                "uid: 0f3a",
                                                "deletionTimestamp: \"2026-07-20T10:00:00Z\"")),
                                named("status-gone", withoutStatus(ORDERS)),
                                named("status-unreadable", ORDERS.replace("SAME", "\"{\"")),
                                named(
                                        "zookeeper",
                                        withEntry(
                                                "high-availability.type: zookeeper\n"
                                                        + "    high-availability.zookeeper.quorum:"
                                                        + " zk:2181")),
                                named(
                                        "own-metadata",
                                        withEntry("high-availability.type: org.example.Own")),
                                named("tls", withEntry("security.ssl.rest.enabled: \"true\"")),
                                named(
                                        "root-container",
                                        withInit(
                                                "{name: chown, image: busybox, securityContext:"
                                                        + " {runAsUser: 0}}")),
                                named("unsaid-user", withInit("{name: chown, image: busybox}")),
                                named(
                                        "canary",
                                        ORDERS.replace(
                                                "uid: 0f3a",
                                                "labels: {flink.apache.org/canary: \"true\"}")),
                                named(
                                        "by-position",
                                        withEntry(
                                                "kubernetes.operator.pod-template"
                                                        + ".merge-arrays-by-name: \"false\"")),
                                named(
                                        "arrays-by-position",
                                        withEntry(
                                                "kubernetes.operator.pod-template.merge-arrays-by-name:"
                                                        + " \"false\"")),
                                named(
                                        "cron-template",
                                        withoutStatus(ORDERS)
                                                .replace(
                                                        "uid: 0f3a",
                                                        "annotations: {job.execute.cron: \"0 3 * *"
                                                                + " *\"}")),
                                CLICKS,
                                CLICKS.replace("name: clicks", "name: jar-in-s3")
                                        .replace("https:", "s3:"),
                                SNAPSHOT,
                                SNAPSHOT.replace("nightly", "unfinished")
                                        .replace("COMPLETED", "IN_PROGRESS"),
                                PAIR));

        Map<String, List<String>> found = new TreeMap<>();
        report.resources().forEach(verdict -> found.put(verdict.name(), ids(verdict)));
        assertThat(found).isEqualTo(new TreeMap<>(EXPECTED));
        assertThat(report.operators())
                .singleElement()
                .satisfies(
                        operator ->
                                assertThat(ids(operator)).containsExactly("note operator-option "));
    }

    private static String named(String name, String yaml) {
        return yaml.replace("{name: orders,", "{name: " + name + ",");
    }
}
