// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkDeployment;
import io.sluice.rules.config.option.FlinkOptions;
import java.io.PrintStream;
import java.util.Optional;

/**
 * What {@code helm test} runs: the CRDs are there, and admission refuses what is wrong and takes
 * what is right. Nothing is stored: both requests are dry runs.
 */
public final class InstallationCheck {
    /** A key that the CRD lets pass, and only admission refuses. */
    private static final String OF_THE_RESOURCE = FlinkOptions.CLUSTER_ID.key();

    private InstallationCheck() {}

    /**
     * @param args the namespace to try it in, and the service account of the jobs there
     */
    public static void main(String[] args) {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            String namespace = args.length == 0 ? "default" : args[0];
            String account = args.length < 2 ? "flink" : args[1];
            System.exit(passes(client, namespace, account, System.out) ? 0 : 1);
        }
    }

    static boolean passes(
            KubernetesClient client, String namespace, String account, PrintStream out) {
        ObjectNode another = spec(account);
        another.putObject("flinkConfiguration").put(OF_THE_RESOURCE, "another");
        Optional<String> wrong =
                refusal(client, namespace, another).filter(text -> text.contains(OF_THE_RESOURCE));
        Optional<String> right = refusal(client, namespace, spec(account));
        out.println(
                wrong.map(text -> "ok: a wrong spec is refused: " + text)
                        .orElse(
                                "FAILED: a spec that names the cluster otherwise is not refused"
                                        + " for it"));
        out.println(
                right.map(text -> "FAILED: a right spec is refused: " + text)
                        .orElse("ok: a right spec is accepted"));
        return wrong.isPresent() && right.isEmpty();
    }

    private static Optional<String> refusal(
            KubernetesClient client, String namespace, ObjectNode spec) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName("sluice-installation-check")
                        .build());
        resource.setSpec(spec);
        try {
            client.resource(resource).dryRun().create();
            return Optional.empty();
        } catch (KubernetesClientException refused) {
            return Optional.of(Optional.ofNullable(refused.getMessage()).orElse("no message"));
        }
    }

    private static ObjectNode spec(String account) {
        ObjectNode spec =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("image", "flink:1.20")
                        .put("flinkVersion", "v1_20")
                        .put("serviceAccount", account);
        spec.putObject("jobManager").putObject("resource").put("memory", "1g").put("cpu", 0.5);
        spec.putObject("taskManager").putObject("resource").put("memory", "1g").put("cpu", 0.5);
        spec.putObject("job")
                .put("jarURI", "local:///opt/flink/examples/streaming/StateMachineExample.jar")
                .put("parallelism", 1)
                .put("upgradeMode", "stateless");
        return spec;
    }
}
