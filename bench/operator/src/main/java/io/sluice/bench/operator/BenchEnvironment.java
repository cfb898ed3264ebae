// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.RunningApiServer;
import io.sluice.testkit.ServiceAddresses;
import io.sluice.testkit.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The operator in a process of its own, and all it has to do with. */
final class BenchEnvironment implements AutoCloseable {
    private static final String NAMESPACE = "bench";
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private final Path folder;
    private final List<String> command;
    private final RunningApiServer api = RunningApiServer.start();
    private final JobManagers jobManagers = JobManagers.start();
    private final Nodes nodes;
    private final Resources resources;
    private final List<String> overdue = new ArrayList<>();
    private OperatorProcess operator;

    /**
     * @param kind what {@link #resources} makes
     * @param folder for what the operator is given, and its log
     * @param command the operator's Java command with all its flags, up to the main class
     * @param interval the operator's configured interval between two looks
     */
    BenchEnvironment(Kind kind, Path folder, List<String> command, String interval)
            throws IOException {
        this.folder = Files.createDirectories(folder);
        Files.deleteIfExists(folder.resolve("operator.log"));
        this.command = List.copyOf(command);
        Files.writeString(
                folder.resolve("config.yaml"),
                """
                kubernetes.operator.reconcile.interval: %s
                kubernetes.operator.observer.progress-check.interval: 5 s
                """
                        .formatted(interval));
        var metadata = new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata();
        api.client().resource(metadata.build()).create();
        Files.writeString(
                folder.resolve("kubeconfig"),
                ServiceUser.in(NAMESPACE, api.client(), api.kubeconfig()));
        ServiceAddresses.addTo(api.client());
        nodes = new Nodes(api.client(), jobManagers, kind);
        resources = new Resources(api.client(), NAMESPACE, kind);
        operator = OperatorProcess.start(command, folder, jobManagers.port());
        waitFor("the operator's metrics", () -> operator.metric("process_start_time_seconds") > 0);
        Waits.pause(Duration.ofSeconds(3));
    }

    OperatorProcess operator() {
        return operator;
    }

    JobManagers jobManagers() {
        return jobManagers;
    }

    Nodes nodes() {
        return nodes;
    }

    Resources resources() {
        return resources;
    }

    /** Makes more like the first resource, beside the operator. */
    Planting planting() {
        return Planting.of(api.client(), NAMESPACE, Names.of(0));
    }

    /** All that the API server was asked so far. */
    ApiRequests requests() {
        return ApiRequests.of(api.client());
    }

    void endOperator() {
        operator.close();
    }

    void startOperator() throws IOException {
        operator = OperatorProcess.start(command, folder, jobManagers.port());
    }

    /** Until {@code reached}, or for a quarter of an hour; then it is {@link #overdue}. */
    void waitFor(String what, BooleanSupplier reached) {
        boolean came = Waits.reaches(() -> !operator.isAlive() || reached.getAsBoolean(), LONGEST);
        if (!operator.isAlive()) {
            throw new IllegalStateException("the operator has ended; see its log in " + folder);
        }
        if (!came) {
            System.err.println("not within " + LONGEST.toMinutes() + " minutes: " + what);
            overdue.add(what);
        }
    }

    /** What did not come about in time. */
    List<String> overdue() {
        return List.copyOf(overdue);
    }

    @Override
    public void close() {
        operator.close();
        nodes.close();
        resources.close();
        jobManagers.close();
        api.close();
    }
}
