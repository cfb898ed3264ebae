// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * One kube-apiserver and its etcd. The library chooses free ports and starts the processes on them
 * a moment later. Another process may have such a port by then: ours ends, and the library goes on
 * polling until its timeout, or takes the other process for ours. Here the end of a process ends
 * the start, and whoever answers must name the host name that only our process was given.
 */
final class ApiServerProcesses extends KubeAPIServer {
    private static final String STARTED = "";

    private final String hostname;
    private final CompletableFuture<String> start = new CompletableFuture<>();
    private boolean stopped;

    static ApiServerProcesses in(String toolFolder, Map<String, String> flags) {
        return new ApiServerProcesses(toolFolder, "test-" + UUID.randomUUID(), flags);
    }

    private ApiServerProcesses(String toolFolder, String hostname, Map<String, String> flags) {
        super(configuration(toolFolder, hostname, flags).build());
        this.hostname = hostname;
    }

    private static KubeAPIServerConfigBuilder configuration(
            String toolFolder, String hostname, Map<String, String> flags) {
        var configuration =
                KubeAPIServerConfigBuilder.anAPIServerConfig()
                        .withTestDir(toolFolder)
                        .withOfflineMode(true)
                        .withUpdateKubeConfig(false)
                        .withStartupTimeout(120_000)
                        .withApiServerFlag("--external-hostname", hostname);
        flags.forEach(configuration::withApiServerFlag);
        return configuration;
    }

    /** Starts both, or says why they did not start, and then neither of them lives. */
    Optional<String> launch() {
        String failure = startUnlessAProcessEnds();
        if (!failure.isEmpty()) {
            stop();
        }
        return Optional.of(failure).filter(said -> !said.isEmpty());
    }

    private String startUnlessAProcessEnds() {
        try (ExecutorService starter = Executors.newVirtualThreadPerTaskExecutor()) {
            starter.execute(this::startAndTell);
            String failure = start.join();
            starter.shutdownNow();
            return failure;
        }
    }

    private void startAndTell() {
        try {
            start();
            start.complete(answersItself() ? STARTED : "another API server answers on its port");
        } catch (KubeAPITestException | KubernetesClientException failed) {
            start.complete(failed.toString());
        }
    }

    private boolean answersItself() {
        try (KubernetesClient client = newClient()) {
            return client.raw("/api").contains(hostname);
        }
    }

    KubernetesClient newClient() {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(getKubeConfigYaml()))
                .build();
    }

    /** One that ends later takes the other with it, as the library does it. */
    @Override
    public void processStopped(Process process) {
        if (!start.complete("a process ended with code " + process.exitValue())
                && start.join().isEmpty()) {
            stop();
        }
    }

    @Override
    public synchronized void stop() {
        if (!stopped) {
            stopped = true;
            stopAndClean();
        }
    }

    /**
     * A new etcd replaces the folder of its write-ahead log by another. Killed between the two
     * steps it leaves none, and the library, which deletes that folder last, misses it.
     */
    private void stopAndClean() {
        try {
            super.stop();
        } catch (KubeAPITestException failed) {
            if (!(failed.getCause() instanceof NoSuchFileException)) {
                throw failed;
            }
        }
    }

    /**
     * Ends both when this JVM has ended, also if it was killed: a shell that waits for a line then
     * reads the end of its input. To be kept: the input also ends when the process is collected.
     */
    Process endWithThisJvm() {
        Stream<String> shell = Stream.of("sh", "-c", "read -r _ || kill -9 \"$@\"", "sh");
        try {
            return new ProcessBuilder(Stream.concat(shell, pids()).toList())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Those of this JVM's children that are a kube-apiserver or an etcd. */
    static Stream<String> pids() {
        return ProcessHandle.current()
                .children()
                .filter(
                        child ->
                                child.info()
                                        .arguments()
                                        .filter(ApiServerProcesses::ours)
                                        .isPresent())
                .map(child -> Long.toString(child.pid()));
    }

    /** Where the etcd answers that this JVM has started last. */
    Optional<URI> etcd() {
        return ProcessHandle.current()
                .children()
                .flatMap(child -> child.info().arguments().map(List::of).stream())
                .filter(given -> given.contains("--etcd-servers"))
                .map(given -> given.get(given.indexOf("--etcd-servers") + 1))
                .map(address -> URI.create(address.replace("0.0.0.0", "127.0.0.1")))
                .reduce((_, last) -> last);
    }

    /** Told by the arguments: the executable may be one that is both. */
    private static boolean ours(String... arguments) {
        List<String> given = List.of(arguments);
        return given.contains("--etcd-servers") || given.contains("--listen-peer-urls");
    }
}
