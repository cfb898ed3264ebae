// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.cli.Orders;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Documents;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Live pictures of clusters that the Apache operator serves, and the verdicts on them. */
final class LivePictures {
    static final String UID = "0f3a";

    static final String ORDERS =
            Orders.withMetadata("{name: orders, namespace: shop, uid: 0f3a, generation: 2}")
                    + """
                    status:
                      observedGeneration: 2
                      reconciliationStatus:
                        state: DEPLOYED
                        lastReconciledSpec: SAME
                    """;

    static final String CLICKS =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkSessionJob
            metadata: {name: clicks, namespace: shop}
            spec:
              deploymentName: session
              job: {jarURI: "https://repo.example.org/job.jar", parallelism: 1}
            status:
              reconciliationStatus:
                state: DEPLOYED
                lastReconciledSpec: SAME
            """;

    static final String SNAPSHOT =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkStateSnapshot
            metadata: {name: nightly, namespace: shop}
            spec:
              savepoint: {}
              jobReference: {kind: FlinkDeployment, name: orders}
            status: {state: COMPLETED}
            """;

    static final String PAIR =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkBlueGreenDeployment
            metadata: {name: pair, namespace: shop}
            spec:
              template:
                spec:
                  image: flink:1.20
                  flinkVersion: v1_20
                  serviceAccount: flink
                  jobManager: {resource: {cpu: 1, memory: 1Gi}}
                  taskManager: {resource: {cpu: 1, memory: 1Gi}}
                  job: {jarURI: "local:///job.jar", parallelism: 2, upgradeMode: stateless}
            """;

    static final Installation OPERATOR = operator("kubernetes.operator.reconcile.interval: 30 s");

    private LivePictures() {}

    static CheckReport check(LivePicture picture) {
        return MigrationCheck.of(picture, "sluice-system");
    }

    static MigrationVerdict judge(String yaml) {
        return judge(picture(OPERATOR), yaml);
    }

    static MigrationVerdict judge(LivePicture around, String yaml) {
        return check(new LivePicture(List.of(read(yaml)), Set.of(), around.operators(), List.of()))
                .resources()
                .getFirst();
    }

    static LivePicture picture(Installation operator, String... yaml) {
        return new LivePicture(
                Stream.of(yaml).map(LivePictures::read).toList(),
                Set.of(),
                List.of(operator),
                List.of());
    }

    static LivePicture configured(String configuration, String... yaml) {
        return picture(operator(configuration), yaml);
    }

    private static Installation operator(String configuration) {
        return new Installation(
                "flink",
                "flink-operator",
                Map.of("config.yaml", configuration),
                List.of(),
                List.of());
    }

    /** Each remark as how it counts, its id and its path. */
    static List<String> ids(MigrationVerdict judgement) {
        Stream<String> verdict =
                switch (judgement.verdict()) {
                    case Verdict.TakenOver _ -> Stream.empty();
                    case Verdict.NeedsEdit(var edits) -> words("edit ", edits);
                    case Verdict.Blocked(var reasons, var edits) ->
                            Stream.concat(words("blocked ", reasons), words("edit ", edits));
                };
        return Stream.concat(verdict, words("note ", judgement.notes())).toList();
    }

    private static Stream<String> words(String word, List<CheckRemark> remarks) {
        return remarks.stream().map(remark -> word + remark.id() + " " + remark.path());
    }

    static String withEntry(String entry) {
        return ORDERS.replace(
                "  flinkConfiguration:\n", "  flinkConfiguration:\n    " + entry + "\n");
    }

    static String withInit(String container) {
        return ORDERS.replace(
                "  jobManager:",
                "  podTemplate: {spec: {initContainers: [" + container + "]}}\n  jobManager:");
    }

    static String withoutStatus(String yaml) {
        return yaml.substring(0, yaml.indexOf("status:"));
    }

    /** The placeholder SAME stands for a last reconciled spec that equals the spec. */
    static Document read(String yaml) {
        Document document = Documents.single("-", new ByteArrayInputStream(yaml.getBytes(UTF_8)));
        if (yaml.contains("SAME")
                && document.content().path("spec") instanceof ObjectNode spec
                && document.content().at("/status/reconciliationStatus")
                        instanceof ObjectNode reconciliation) {
            reconciliation.put(
                    "lastReconciledSpec", new ReconciledSpec(spec.deepCopy(), false).encode());
        }
        return document;
    }
}
