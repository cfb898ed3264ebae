// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.review.Lookup;
import io.sluice.testkit.ApiServer;
import io.sluice.webhook.InstalledWebhook;
import io.sluice.webhook.Reviews;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Under the chart's role, at a real API server. */
class ResourceCacheIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private InstalledWebhook installed;
    private KubernetesClient role;
    private ResourceCache cache;

    @BeforeEach
    void start() throws Exception {
        installed = new InstalledWebhook(API);
        installed.grantRole();
        role = installed.clientOfTheRole();
        cache = cache(ResourceKind.FLINK_DEPLOYMENT);
    }

    @AfterEach
    void stop() throws Exception {
        cache.close();
        role.close();
        installed.remove();
    }

    @Test
    void holdsWhatWasThereBeforeAndWhatComesAndForgetsWhatGoes() {
        // more than two pages
        for (int i = 0; i < 110; i++) {
            create("early-" + i);
        }
        cache.start();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(cache.missing()).isEmpty());
        assertThat(cache.size()).isEqualTo(110);

        create("late");
        await().untilAsserted(
                        () -> assertThat(cache.read(installed.namespace(), "late")).isPresent());
        remove("early-7");
        await().untilAsserted(
                        () -> assertThat(cache.read(installed.namespace(), "early-7")).isEmpty());
        assertThat(cache.read(installed.namespace(), "never")).isEmpty();
    }

    @Test
    void holdsOnlyWhatRulesRead() {
        create("orders", false);
        create("cluster", true);
        cache.start();
        await().untilAsserted(() -> assertThat(cache.size()).isEqualTo(2));

        ObjectNode job = cache.read(installed.namespace(), "orders").orElseThrow();
        assertThat(job.at("/metadata/name").textValue()).isEqualTo("orders");
        assertThat(job.at("/metadata/managedFields").isMissingNode()).isTrue();
        assertThat(job.path("spec"))
                .isEqualTo(
                        Reviews.yaml(
                                """
                                flinkVersion: v1_20
                                flinkConfiguration: {job.autoscaler.enabled: "true"}
                                job: {}
                                """));
        ObjectNode cluster = cache.read(installed.namespace(), "cluster").orElseThrow();
        assertThat(cluster.at("/spec/flinkVersion").textValue()).isEqualTo("v1_20");
        assertThat(cluster.at("/spec/podTemplate").isMissingNode()).isTrue();
    }

    @Test
    void asksTheApiServerForWhatItDoesNotHoldYet() {
        var lookup = new CacheLookup(role, List.of(cache));
        create("new");

        assertThat(lookup.find(ResourceKind.FLINK_DEPLOYMENT, installed.namespace(), "new"))
                .isInstanceOf(Lookup.Found.class);
        assertThat(lookup.find(ResourceKind.FLINK_DEPLOYMENT, installed.namespace(), "absent"))
                .isEqualTo(new Lookup.Absent());
        assertThat(lookup.find(ResourceKind.FLINK_STATE_SNAPSHOT, installed.namespace(), "any"))
                .isEqualTo(new Lookup.Unknown());
    }

    @Test
    void aNamespaceWithoutRightsKeepsNoOtherFromBeingServed() throws Exception {
        var other = new InstalledWebhook(API);
        cache =
                new ResourceCache(
                        role,
                        ResourceKind.FLINK_DEPLOYMENT,
                        ResourceCache.Need.REQUIRED,
                        List.of(installed.namespace(), other.namespace()));
        create("orders");
        installed.restrictToItsNamespace();
        try {
            cache.start();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(cache.refused()).isEqualTo(1));
            await().untilAsserted(() -> assertThat(cache.missing()).isEmpty());
            assertThat(cache.read(installed.namespace(), "orders")).isPresent();
            assertThat(
                            new CacheLookup(role, List.of(cache))
                                    .find(ResourceKind.FLINK_DEPLOYMENT, other.namespace(), "any"))
                    .isEqualTo(new Lookup.Unknown());

            installed.grantRole();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(cache.refused()).isZero());
        } finally {
            other.remove();
        }
    }

    @Test
    void saysThatTheCrdIsMissingAndGoesOnOnceItIsThere() {
        // Given
        var crds = API.client().apiextensions().v1().customResourceDefinitions();
        var crd = crds.withName("flinksessionjobs.flink.apache.org").get();
        crds.resource(crd).delete();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () ->
                                assertThat(crds.withName(crd.getMetadata().getName()).get())
                                        .isNull());
        cache = cache(ResourceKind.FLINK_SESSION_JOB);
        try {
            // When
            cache.start();
            // Then
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () ->
                                    assertThat(cache.missing())
                                            .contains(
                                                    "FlinkSessionJob: the cluster does not know"
                                                            + " it; apply the CRDs of the chart"));
        } finally {
            create(crd);
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(cache.missing()).isEmpty());
    }

    private static void create(CustomResourceDefinition crd) {
        crd.getMetadata().setResourceVersion("");
        crd.getMetadata().setUid("");
        API.client().resource(crd).create();
    }

    private ResourceCache cache(ResourceKind kind) {
        return new ResourceCache(
                role, kind, ResourceCache.Need.REQUIRED, List.of(installed.namespace()));
    }

    private void create(String name) {
        create(name, false);
    }

    private void create(String name, boolean session) {
        ObjectNode resource = installed.deployment(Reviews.VALID.replace("orders", name));
        ObjectNode spec = resource.withObjectProperty("spec");
        spec.putObject("podTemplate").putObject("spec");
        ObjectNode options = spec.putObject("flinkConfiguration");
        options.put("state.backend.type", "rocksdb");
        options.putObject("job.autoscaler").put("enabled", "true");
        if (session) {
            spec.remove("job");
        }
        API.client()
                .resource(
                        API.client()
                                .getKubernetesSerialization()
                                .unmarshal(resource.toString(), GenericKubernetesResource.class))
                .create();
    }

    private void remove(String name) {
        API.client()
                .genericKubernetesResources(ResourceCache.context(ResourceKind.FLINK_DEPLOYMENT))
                .inNamespace(installed.namespace())
                .withName(name)
                .delete();
    }
}
