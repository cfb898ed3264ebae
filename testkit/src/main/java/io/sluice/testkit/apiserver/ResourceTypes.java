// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static io.sluice.testkit.apiserver.ResourceType.Feature.GENERATION;
import static io.sluice.testkit.apiserver.ResourceType.Feature.SCALE;
import static io.sluice.testkit.apiserver.ResourceType.Feature.STATUS;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The kinds that are served: those that Sluice reads or writes, and those that a test adds. */
final class ResourceTypes {
    /** Beside our own kinds. */
    private static final List<ResourceType> SERVED =
            List.of(
                    ResourceType.of(Namespace.class, STATUS),
                    ResourceType.of(Node.class, STATUS),
                    ResourceType.of(Pod.class, STATUS, GENERATION),
                    ResourceType.of(ConfigMap.class),
                    ResourceType.of(Secret.class),
                    ResourceType.of(Service.class, STATUS),
                    ResourceType.of(ServiceAccount.class),
                    ResourceType.of(PersistentVolumeClaim.class, STATUS),
                    ResourceType.of(Event.class),
                    ResourceType.of(Deployment.class, STATUS, SCALE, GENERATION),
                    ResourceType.of(ReplicaSet.class, STATUS, SCALE, GENERATION),
                    ResourceType.of(Ingress.class, STATUS, GENERATION),
                    ResourceType.of(Lease.class),
                    ResourceType.of(CustomResourceDefinition.class, STATUS, GENERATION));

    private static final List<ResourceType> OURS =
            Stream.of(ResourceKind.values())
                    .map(kind -> ResourceType.custom(RawResource.of(kind).getClass()))
                    .toList();

    private final Map<String, ResourceType> byPath = new HashMap<>();
    private final Map<Class<?>, ResourceType> byModel = new HashMap<>();

    ResourceTypes() {
        SERVED.forEach(this::add);
        OURS.forEach(this::add);
    }

    void add(ResourceType type) {
        byPath.put(type.apiVersion() + "/" + type.plural(), type);
        byModel.clear();
    }

    /**
     * @param apiVersion as {@code apps/v1}
     */
    Optional<ResourceType> at(String apiVersion, String plural) {
        return Optional.ofNullable(byPath.get(apiVersion + "/" + plural));
    }

    /** The kind that an owner reference names, in whatever version it does. */
    Optional<ResourceType> ofKind(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return byPath.values().stream()
                .filter(type -> type.kind().equals(kind) && type.group().equals(group))
                .findFirst();
    }

    ResourceType namespaces() {
        return of(Namespace.class);
    }

    ResourceType of(Class<? extends HasMetadata> kind) {
        return byModel.computeIfAbsent(kind, _ -> found(kind));
    }

    private ResourceType found(Class<? extends HasMetadata> kind) {
        return at(HasMetadata.getApiVersion(kind), HasMetadata.getPlural(kind)).orElseThrow();
    }
}
