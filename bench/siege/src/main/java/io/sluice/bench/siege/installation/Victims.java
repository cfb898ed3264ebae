// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Objects of somebody else in the attackers' namespace, with the names that a FlinkDeployment
 * {@link #NAME} gives its own: they are to stay as they are.
 */
public final class Victims {
    public static final String NAME = "victim";

    private final KubernetesClient client;
    private final Map<String, String> before = new TreeMap<>();

    public Victims(KubernetesClient client) {
        this.client = client;
    }

    public void create() {
        for (String name : List.of(NAME, NAME + "-rest")) {
            remember(
                    new ServiceBuilder()
                            .withNewMetadata()
                            .withNamespace(Namespaces.HOSTILE)
                            .withName(name)
                            .endMetadata()
                            .withNewSpec()
                            .addToSelector("app", "somebody-else")
                            .addNewPort()
                            .withPort(80)
                            .endPort()
                            .endSpec()
                            .build());
        }
        for (String name :
                List.of("flink-config-" + NAME, "pod-template-" + NAME, NAME + "-config")) {
            remember(
                    new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(Namespaces.HOSTILE)
                            .withName(name)
                            .endMetadata()
                            .addToData("of", "somebody else")
                            .build());
        }
    }

    /** Those that were changed or deleted since. */
    public List<String> touched() {
        return before.entrySet().stream()
                .filter(each -> !each.getValue().equals(version(each.getKey())))
                .map(Map.Entry::getKey)
                .toList();
    }

    private void remember(HasMetadata victim) {
        HasMetadata created = client.resource(victim).create();
        before.put(
                created.getKind() + " " + created.getMetadata().getName(),
                created.getMetadata().getResourceVersion());
    }

    private String version(String victim) {
        String[] words = victim.split(" ", 2);
        HasMetadata found =
                words[0].equals("Service")
                        ? client.services().inNamespace(Namespaces.HOSTILE).withName(words[1]).get()
                        : client.configMaps()
                                .inNamespace(Namespaces.HOSTILE)
                                .withName(words[1])
                                .get();
        return found == null ? "gone" : found.getMetadata().getResourceVersion();
    }
}
