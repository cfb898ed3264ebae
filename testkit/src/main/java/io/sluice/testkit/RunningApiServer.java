// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A started server and what belongs to it. JUnit closes it after the last test class. */
public record RunningApiServer(Optional<Parts> parts) implements AutoCloseable {
    static final RunningApiServer NONE = new RunningApiServer(Optional.empty());
    private static final int STARTS = 4;

    /**
     * @param guard ends the processes if this JVM is killed
     */
    record Parts(ApiServerProcesses processes, Process guard, KubernetesClient client) {}

    public static RunningApiServer start() {
        return start(Map.of());
    }

    /**
     * @param flags of the kube-apiserver, beside those that make it listen and trust
     */
    public static RunningApiServer start(Map<String, String> flags) {
        return start(toolFolder(), flags);
    }

    static RunningApiServer start(String toolFolder) {
        return start(toolFolder, Map.of());
    }

    /** Starts again, on other ports, when the kube-apiserver or its etcd ends at the start. */
    private static RunningApiServer start(String toolFolder, Map<String, String> flags) {
        List<String> failures = new ArrayList<>();
        while (failures.size() < STARTS) {
            ApiServerProcesses processes = ApiServerProcesses.in(toolFolder, flags);
            Optional<String> failure = processes.launch();
            if (failure.isEmpty()) {
                return connected(processes);
            }
            failures.add(failure.get());
        }
        throw new IllegalStateException(
                "kube-apiserver did not start in " + STARTS + " attempts: " + failures);
    }

    private static RunningApiServer connected(ApiServerProcesses processes) {
        var parts = new Parts(processes, processes.endWithThisJvm(), processes.newClient());
        var running = new RunningApiServer(Optional.of(parts));
        try {
            Crds.install(parts.client());
            return running;
        } catch (RuntimeException failed) {
            running.close();
            throw failed;
        }
    }

    public String kubeconfig() {
        return parts.map(started -> started.processes().getKubeConfigYaml()).orElse("");
    }

    public KubernetesClient client() {
        return parts.map(Parts::client)
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "the API server starts with the test class: register the"
                                                + " extension as a static field"));
    }

    /** What the API server stores, to put more into it. */
    public StoredResources stored() {
        URI etcd = parts.flatMap(started -> started.processes().etcd()).orElseThrow();
        return new StoredResources(etcd, client().getKubernetesSerialization());
    }

    @Override
    public void close() {
        parts.ifPresent(
                started -> {
                    started.client().close();
                    started.guard().destroyForcibly();
                    started.processes().stop();
                });
    }

    static String toolFolder() {
        return environment("JENVTEST_DIR")
                .or(() -> environment("SLUICE_API_TEST"))
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "SLUICE_API_TEST is not set: it must name the folder of"
                                                + " kube-apiserver and etcd that 'local/toolbox"
                                                + " api-test' prints"));
    }

    private static Optional<String> environment(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }
}
