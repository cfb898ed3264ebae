// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkDeployment;
import io.sluice.testkit.TestCluster;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * What an API server does, so that a test that uses the one in memory tells the truth about
 * Kubernetes. The parts of this suite are by subject; both servers pass all of them.
 */
interface ApiServerContract {
    /** A finalizer of nobody. */
    String FINALIZER = "sluice.example/keep";

    TestCluster cluster();

    default KubernetesClient client() {
        return cluster().client();
    }

    /** The refusal of a call, as the client shows it. */
    default KubernetesClientException refusal(ThrowingCallable call, int code) {
        KubernetesClientException refused =
                catchThrowableOfType(KubernetesClientException.class, call);
        assertThat(refused).as("the refusal").isNotNull();
        assertThat(refused.getCode()).as(refused.getMessage()).isEqualTo(code);
        return refused;
    }

    /** As it is stored now. */
    default <R extends HasMetadata> R now(R object) {
        return client().resource(object).get();
    }

    /** Stores it in the name of a field manager; {@code method} is POST or PUT. */
    default ConfigMap written(String method, ConfigMap map, String manager) {
        String all = "/api/v1/namespaces/%s/configmaps".formatted(map.getMetadata().getNamespace());
        client().raw(
                        (method.equals("PUT") ? all + "/" + map.getMetadata().getName() : all)
                                + "?fieldManager="
                                + manager,
                        method,
                        map);
        return now(map);
    }

    default ConfigMap map(String namespace, String name, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withData(data)
                .build();
    }

    default ConfigMap labelled(ConfigMap map, String key, String value) {
        return new ConfigMapBuilder(map)
                .editMetadata()
                .addToLabels(key, value)
                .endMetadata()
                .build();
    }

    default ConfigMap kept(ConfigMap map) {
        return new ConfigMapBuilder(map)
                .editMetadata()
                .addToFinalizers(FINALIZER)
                .endMetadata()
                .build();
    }

    default FlinkDeployment flink(String namespace, String name) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(name);
        resource.getSpec()
                .put("image", "flink:1.20")
                .put("flinkVersion", "v1_20")
                .put("serviceAccount", "flink");
        return resource;
    }

    default Deployment deployment(String namespace, String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("flink")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    default PodBuilder pod(String namespace, String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("flink")
                .endContainer()
                .endSpec();
    }
}
