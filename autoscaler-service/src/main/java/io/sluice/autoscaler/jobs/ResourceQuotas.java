// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.autoscaler.govern.Allowance;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the ResourceQuotas of a namespace leave. They are read when a job is about to take more, and
 * not again for half a minute. One with scopes is left out: whether it counts TaskManagers depends
 * on their pod template.
 */
public final class ResourceQuotas {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceQuotas.class);
    private static final Duration FRESH = Duration.ofSeconds(30);
    private static final List<String> CORES = List.of("cpu", "requests.cpu", "limits.cpu");
    private static final List<String> MEMORY =
            List.of("memory", "requests.memory", "limits.memory");

    private final KubernetesClient client;
    private final InstantSource uptime;
    private final Map<String, Read> byNamespace = new ConcurrentHashMap<>();

    private record Read(Allowance left, Instant at) {}

    /**
     * @param uptime a clock that nobody sets
     */
    public ResourceQuotas(KubernetesClient client, InstantSource uptime) {
        this.client = client;
        this.uptime = uptime;
    }

    /** Unlimited where there are none, or where they can't be read. */
    public Allowance left(String namespace) {
        Instant now = uptime.instant();
        byNamespace.values().removeIf(read -> read.at().plus(FRESH).isBefore(now));
        Read read =
                Optional.ofNullable(byNamespace.get(namespace))
                        .orElseGet(() -> new Read(read(namespace), now));
        byNamespace.put(namespace, read);
        return read.left();
    }

    private Allowance read(String namespace) {
        try {
            return client.resourceQuotas().inNamespace(namespace).list().getItems().stream()
                    .map(ResourceQuotas::left)
                    .reduce(Allowance.UNLIMITED, Allowance::and);
        } catch (KubernetesClientException refused) {
            LOG.atWarn()
                    .addKeyValue("resource.namespace", namespace)
                    .log(
                            "jobs are scaled up without a look at ResourceQuotas, which can't be"
                                    + " read: {}",
                            refused.getMessage());
            return Allowance.UNLIMITED;
        }
    }

    /** By what its status says, which a quota has as soon as it counts. */
    static Allowance left(ResourceQuota quota) {
        boolean isScoped =
                Optional.ofNullable(quota.getSpec())
                        .filter(
                                spec ->
                                        spec.getScopeSelector() != null
                                                || !spec.getScopes().isEmpty())
                        .isPresent();
        return isScoped
                ? Allowance.UNLIMITED
                : new Allowance(
                        left(quota, CORES).map(BigDecimal::doubleValue),
                        left(quota, MEMORY).map(BigDecimal::longValue));
    }

    private static Optional<BigDecimal> left(ResourceQuota quota, List<String> resources) {
        return Optional.ofNullable(quota.getStatus()).stream()
                .flatMap(
                        status ->
                                resources.stream()
                                        .flatMap(
                                                resource ->
                                                        left(
                                                                amount(status.getHard(), resource),
                                                                amount(
                                                                        status.getUsed(),
                                                                        resource))))
                .min(BigDecimal::compareTo);
    }

    private static Stream<BigDecimal> left(Optional<BigDecimal> hard, Optional<BigDecimal> used) {
        return hard.map(most -> most.subtract(used.orElse(BigDecimal.ZERO))).stream();
    }

    private static Optional<BigDecimal> amount(Map<String, Quantity> amounts, String resource) {
        return Optional.ofNullable(amounts)
                .map(all -> all.get(resource))
                .map(Quantity::getAmountInBytes);
    }
}
