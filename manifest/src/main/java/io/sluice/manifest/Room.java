// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ResourceKind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a whole second half would ask of the ResourceQuotas of its namespace, and what they leave. A
 * quota of something that the half does not ask for says nothing.
 *
 * @param asked by the name that a ResourceQuota has for a resource, such as {@code requests.cpu}:
 *     cores, bytes, or a number
 */
public record Room(Map<String, BigDecimal> asked, List<Quota> quotas) {
    /** Nothing is asked for, so that nothing lacks. */
    public static final Room NOT_ASKED = new Room(Map.of(), List.of());

    private static final String FLINK_DEPLOYMENTS = "count/" + ResourceKind.FLINK_DEPLOYMENT.crd();
    private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1 << 20);

    /** The names that a ResourceQuota may have for the same. */
    private static final Map<String, String> ALIASES =
            Map.of(
                    "cpu", "requests.cpu",
                    "memory", "requests.memory",
                    "count/pods", "pods",
                    "count/services", "services");

    /**
     * A ResourceQuota.
     *
     * @param left by resource; below zero if more is used than the quota grants now
     */
    public record Quota(String name, Map<String, BigDecimal> left) {
        public Quota {
            left = Collections.unmodifiableMap(new TreeMap<>(left));
        }

        /** By what its status says, which a quota has as soon as it counts. */
        static Quota of(ResourceQuota quota) {
            Map<String, BigDecimal> left = new TreeMap<>();
            Optional.ofNullable(quota.getStatus())
                    .ifPresent(
                            status -> {
                                Map<String, BigDecimal> used = amounts(status.getUsed());
                                amounts(status.getHard())
                                        .forEach(
                                                (resource, hard) ->
                                                        left.put(
                                                                resource,
                                                                hard.subtract(
                                                                        used.getOrDefault(
                                                                                resource,
                                                                                BigDecimal.ZERO))));
                            });
            return new Quota(quota.getMetadata().getName(), left);
        }

        private static Map<String, BigDecimal> amounts(Map<String, Quantity> quantities) {
            Map<String, BigDecimal> amounts = new TreeMap<>();
            Optional.ofNullable(quantities)
                    .ifPresent(
                            all ->
                                    all.forEach(
                                            (resource, quantity) ->
                                                    amounts.put(
                                                            resource,
                                                            Quantity.getAmountInBytes(quantity))));
            return amounts;
        }
    }

    /**
     * @param spec of the half
     * @param effective what its cluster is to run with, less the spec's own sizes
     * @param quotas of the namespace. One with scopes is left out, as it depends on the pod
     *     templates whether it counts pods of Flink
     * @throws IllegalArgumentException if it can't be told what the half asks for
     */
    public static Room of(
            FlinkDeploymentSpec spec, FlinkConfiguration effective, List<ResourceQuota> quotas) {
        Map<String, BigDecimal> asked = new TreeMap<>(ClusterDemand.of(spec, effective).amounts());
        asked.put(FLINK_DEPLOYMENTS, BigDecimal.ONE);
        return new Room(
                asked, quotas.stream().filter(quota -> !isScoped(quota)).map(Quota::of).toList());
    }

    private static boolean isScoped(ResourceQuota quota) {
        return Optional.ofNullable(quota.getSpec())
                .filter(spec -> spec.getScopeSelector() != null || !spec.getScopes().isEmpty())
                .isPresent();
    }

    public Room {
        asked = Collections.unmodifiableMap(new LinkedHashMap<>(asked));
        quotas = List.copyOf(quotas);
    }

    /** What there is too little of, for people; empty if there is room for a second half. */
    public Optional<String> lack() {
        String all = quotas.stream().flatMap(this::lacks).collect(Collectors.joining(" "));
        return Optional.of(all).filter(text -> !text.isEmpty());
    }

    private Stream<String> lacks(Quota quota) {
        return quota.left().entrySet().stream()
                .flatMap(left -> lack(quota.name(), left.getKey(), left.getValue()).stream());
    }

    private Optional<String> lack(String quota, String resource, BigDecimal left) {
        return Optional.ofNullable(asked.get(ALIASES.getOrDefault(resource, resource)))
                .filter(wanted -> wanted.signum() > 0 && wanted.compareTo(left) > 0)
                .map(
                        wanted ->
                                "ResourceQuota '%s' leaves %s of %s, and a second half takes %s."
                                        .formatted(
                                                quota,
                                                text(
                                                        resource,
                                                        left.max(BigDecimal.ZERO),
                                                        RoundingMode.FLOOR),
                                                resource,
                                                text(resource, wanted, RoundingMode.CEILING)));
    }

    private static String text(String resource, BigDecimal amount, RoundingMode rounding) {
        return resource.endsWith("memory")
                ? amount.divide(MEBIBYTE, 0, rounding).toPlainString() + "Mi"
                : amount.setScale(3, rounding).stripTrailingZeros().toPlainString();
    }
}
