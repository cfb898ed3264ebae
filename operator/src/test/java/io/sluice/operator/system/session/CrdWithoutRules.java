// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.util.List;

/**
 * The CRD of session jobs without the rules that compare a resource with what it was, as one from
 * before Sluice, which Helm leaves in place. The server is shared: they are there again once this
 * is closed.
 */
final class CrdWithoutRules implements AutoCloseable {
    private static final String RULES =
            "/spec/versions/0/schema/openAPIV3Schema/x-kubernetes-validations";

    private final KubernetesClient client;
    private final String namespace;
    private final List<ValidationRule> rules;
    private boolean restored;

    CrdWithoutRules(ApiServer api) {
        client = api.client();
        namespace = api.newNamespace();
        rules =
                client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("flinksessionjobs.flink.apache.org")
                        .get()
                        .getSpec()
                        .getVersions()
                        .getFirst()
                        .getSchema()
                        .getOpenAPIV3Schema()
                        .getXKubernetesValidations();
        assertThat(rules).isNotEmpty();
        probe();
        patch("[{'op':'remove','path':'%s'}]".replace('\'', '"').formatted(RULES));
        awaitThatAMoveIsTaken(true);
    }

    /** The CRD is brought up to date. */
    void restore() {
        patch(
                "[{'op':'add','path':'%s','value':%s}]"
                        .replace('\'', '"')
                        .formatted(RULES, new KubernetesSerialization().asJson(rules)));
        awaitThatAMoveIsTaken(false);
        restored = true;
    }

    @Override
    public void close() {
        if (!restored) {
            restore();
        }
    }

    private void probe() {
        FlinkSessionJob job = new FlinkSessionJob();
        job.getMetadata().setNamespace(namespace);
        job.getMetadata().setName("probe");
        job.setSpec(SessionSnapshots.sessionJob("stateless"));
        FlinkSessionJob stored = client.resource(job).create();
        stored.setStatus(JsonNodeFactory.instance.objectNode());
        stored.getStatus().putObject("reconciliationStatus").put("lastReconciledSpec", "{}");
        client.resource(stored).updateStatus();
    }

    private void patch(String patch) {
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("flinksessionjobs.flink.apache.org")
                .patch(PatchContext.of(PatchType.JSON), patch);
    }

    private void awaitThatAMoveIsTaken(boolean isTaken) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(isMoveTaken()).isEqualTo(isTaken));
    }

    private boolean isMoveTaken() {
        try {
            var _ =
                    client.resources(FlinkSessionJob.class)
                            .inNamespace(namespace)
                            .withName("probe")
                            .dryRun()
                            .edit(
                                    found -> {
                                        found.getSpec().put("deploymentName", "elsewhere");
                                        return found;
                                    });
            return true;
        } catch (KubernetesClientException refused) {
            assertThat(refused.getMessage()).contains("deployment-name-immutable");
            return false;
        }
    }
}
