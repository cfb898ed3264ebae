// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import java.util.Set;

/**
 * What the API server serves under one plural.
 *
 * @param group empty of the core group
 * @param namespaced whether each object belongs to a namespace
 */
public record ResourceType(
        String group,
        String version,
        String plural,
        String kind,
        boolean namespaced,
        Set<Feature> features) {

    /** In what kinds differ, as far as this server knows. */
    public enum Feature {
        /** The status has an endpoint of its own, and is left alone by the object's. */
        STATUS,
        /** The number of replicas has an endpoint of its own. */
        SCALE,
        /** {@code metadata.generation} counts the changes of what is wanted. */
        GENERATION,
        /** Defined by a CRD: an update has to name the resource version that it is based on. */
        CUSTOM
    }

    public ResourceType {
        features = Set.copyOf(features);
    }

    /** A kind of Kubernetes. */
    static ResourceType of(Class<? extends HasMetadata> kind, Feature... features) {
        return new ResourceType(
                HasMetadata.getGroup(kind),
                HasMetadata.getVersion(kind),
                HasMetadata.getPlural(kind),
                HasMetadata.getKind(kind),
                Namespaced.class.isAssignableFrom(kind),
                Set.of(features));
    }

    /** A kind that a CRD defines, with a status of its own. */
    public static ResourceType custom(Class<? extends HasMetadata> kind) {
        return of(kind, Feature.CUSTOM, Feature.GENERATION, Feature.STATUS);
    }

    /** Many calls look something up by the kind. */
    @Override
    public int hashCode() {
        return plural.hashCode();
    }

    boolean has(Feature feature) {
        return features.contains(feature);
    }

    String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** As messages of the API server name it, as {@code deployments.apps}. */
    String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    boolean isNamespaces() {
        return group.isEmpty() && plural.equals("namespaces");
    }

    boolean isPods() {
        return group.isEmpty() && plural.equals("pods");
    }
}
