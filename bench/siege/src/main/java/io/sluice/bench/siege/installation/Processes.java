// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import io.sluice.bench.siege.recording.CollectorLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The three processes, each started as its container would be. */
public final class Processes implements AutoCloseable {
    public static final List<String> COMPONENTS = List.of("webhook", "operator", "autoscaler");

    private final Path folder;
    private final Installation installation;
    private final int jobManagers;
    private final int https;
    private final Map<String, ServedProcess> running = new TreeMap<>();

    /**
     * @param folder with a file {@code <component>.command} for each, a word a line
     * @param jobManagers the port of JobManagers
     * @param https the webhook's port
     */
    public Processes(Path folder, Installation installation, int jobManagers, int https)
            throws IOException {
        this.folder = folder;
        this.installation = installation;
        this.jobManagers = jobManagers;
        this.https = https;
        Addresses.writeHosts(folder.resolve("hosts"));
        installation.writeConfiguration(folder.resolve("conf"));
        for (String component : COMPONENTS) {
            Files.writeString(
                    folder.resolve(component + ".kubeconfig"), installation.kubeconfig(component));
            Files.deleteIfExists(log(component));
        }
    }

    /** Starts {@code component}, again if it was closed, and returns once it is ready. */
    public void start(String component) throws IOException {
        List<String> command =
                new ArrayList<>(Files.readAllLines(folder.resolve(component + ".command")));
        // Stands for the cluster's DNS.
        command.add(1, "-Djdk.net.hosts.file=" + folder.resolve("hosts"));
        command.add(1, collectorLog(component).flag());
        Map<String, String> environment = new HashMap<>(installation.environment(component));
        environment.putAll(
                Map.of(
                        "MALLOC_ARENA_MAX",
                        "1",
                        "KUBECONFIG",
                        folder.resolve(component + ".kubeconfig").toString(),
                        "SLUICE_NAMESPACE",
                        Namespaces.SYSTEM,
                        "SLUICE_CONFIG_DIR",
                        folder.resolve("conf").toString(),
                        "SLUICE_WEBHOOK_EXTRA_NAMES",
                        Addresses.ORDINARY,
                        "SLUICE_HTTPS_PORT",
                        "" + https,
                        "SLUICE_REST_TEMPLATE",
                        Addresses.template(jobManagers),
                        "SLUICE_JOBMANAGER_ADDRESS",
                        Addresses.template(jobManagers),
                        "POD_NAME",
                        component + "-0",
                        "POD_IP",
                        Addresses.ORDINARY));
        ServedProcess process =
                ServedProcess.start(
                        component, command, environment, Addresses.freePort(), log(component));
        running.put(component, process);
        process.awaitReady();
    }

    public void stop(String component) {
        of(component).close();
    }

    public ServedProcess of(String component) {
        ServedProcess found = running.get(component);
        if (found == null) {
            throw new IllegalStateException(component + " was not started");
        }
        return found;
    }

    public List<Integer> plainPorts() {
        return running.values().stream().map(ServedProcess::port).toList();
    }

    /** Returns the component that each process is, by its pid. */
    public Map<Long, String> names() {
        return running.values().stream()
                .collect(Collectors.toMap(ServedProcess::pid, ServedProcess::name));
    }

    /** Those that have ended though nobody stopped them. */
    public List<String> ended() {
        return running.values().stream()
                .filter(each -> !each.isAlive())
                .map(ServedProcess::name)
                .toList();
    }

    public void forgetPeaks() {
        running.values().forEach(ServedProcess::forgetPeak);
    }

    /**
     * Leaves a list of the live objects of each in {@code <component>-<moment>.histogram}.
     *
     * @param moment names the files
     */
    public Map<String, ServedProcess.Memory> settledMemory(String moment) throws IOException {
        Map<String, ServedProcess.Memory> memory = new TreeMap<>();
        for (Map.Entry<String, ServedProcess> each : running.entrySet()) {
            Path histogram = folder.resolve(each.getKey() + "-" + moment + ".histogram");
            memory.put(each.getKey(), each.getValue().settledMemory(histogram));
        }
        return memory;
    }

    @Override
    public void close() {
        running.values().forEach(ServedProcess::close);
    }

    /** Each JVM of a component writes its own; a second start begins it anew. */
    public CollectorLog collectorLog(String component) {
        return new CollectorLog(component, folder.resolve(component + "-gc.log"));
    }

    private Path log(String component) {
        return folder.resolve(component + ".log");
    }
}
