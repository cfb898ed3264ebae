// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import io.sluice.api.spec.DeploymentMode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How an object that a FlinkDeployment needs is named after it. Two resources of a namespace can
 * need objects of the same kind and name, as {@code orders} and {@code orders-rest} both need the
 * Service {@code orders-rest}.
 */
record ChildName(String kind, String prefix, String suffix, Need need) {
    /** Which clusters need it. */
    private enum Need {
        ALL,
        STANDALONE;

        boolean isOf(DeploymentMode mode) {
            return this == ALL || mode == DeploymentMode.STANDALONE;
        }
    }

    /** An object that another FlinkDeployment needs, too. */
    record Shared(String kind, String name, String other) {}

    private static final List<ChildName> ALL =
            List.of(
                    new ChildName("Service", "", "", Need.ALL),
                    new ChildName("Service", "", "-rest", Need.ALL),
                    new ChildName("Deployment", "", "", Need.ALL),
                    new ChildName("Deployment", "", "-taskmanager", Need.STANDALONE),
                    new ChildName("ConfigMap", "flink-config-", "", Need.ALL),
                    new ChildName("ConfigMap", "autoscaler-", "", Need.ALL),
                    new ChildName("ConfigMap", "", "-cluster-config-map", Need.ALL));

    /**
     * What a FlinkDeployment would share with others.
     *
     * @param others the specs of those of the namespace that are known, by name
     */
    static List<Shared> shared(
            String name,
            DeploymentMode mode,
            Function<String, Optional<FlinkDeploymentSpec>> others) {
        return ALL.stream()
                .filter(own -> own.need().isOf(mode))
                .flatMap(
                        own ->
                                ALL.stream()
                                        .filter(its -> its.kind().equals(own.kind()))
                                        .flatMap(
                                                its ->
                                                        its
                                                                .shared(own.of(name), name, others)
                                                                .stream()))
                .toList();
    }

    private Optional<Shared> shared(
            String object, String name, Function<String, Optional<FlinkDeploymentSpec>> others) {
        return owner(object)
                .filter(other -> !other.equals(name))
                .filter(
                        other ->
                                others.apply(other)
                                        .filter(spec -> need.isOf(spec.mode()))
                                        .isPresent())
                .map(other -> new Shared(kind, object, other));
    }

    private String of(String name) {
        return prefix + name + suffix;
    }

    /** What a FlinkDeployment would be called that needs such an object of that name. */
    private Optional<String> owner(String object) {
        return Optional.of(object)
                .filter(it -> it.length() > prefix.length() + suffix.length())
                .filter(it -> it.startsWith(prefix) && it.endsWith(suffix))
                .map(it -> it.substring(prefix.length(), it.length() - suffix.length()))
                .filter(IdentityRules::isName);
    }
}
