// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.RunningApiServer;
import io.sluice.testkit.ServiceAddresses;
import io.sluice.testkit.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The operator in a process of its own, and all it has to do with. */
final class BenchEnvironment implements AutoCloseable {
    private static final String NAMESPACE = "bench";
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private final Path folder;
    private final List<String> command;
    private final String configuration;
    private final RunningApiServer api;
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
        this(kind, folder, command, interval, Map.of());
    }

    /** The same, with a log of what the operator asks of the API server. */
    static BenchEnvironment audited(Kind kind, Path folder, List<String> command, String interval)
            throws IOException {
        return new BenchEnvironment(
                kind,
                folder,
                command,
                interval,
                AuditedRequests.flags(folder, ServiceUser.nameIn(NAMESPACE)));
    }

    private BenchEnvironment(
            Kind kind,
            Path folder,
            List<String> command,
            String interval,
            Map<String, String> flags)
            throws IOException {
        api = RunningApiServer.start(flags);
        this.folder = Files.createDirectories(folder);
        Files.deleteIfExists(folder.resolve("operator.log"));
        this.command = List.copyOf(command);
        configuration =
                """
                kubernetes.operator.reconcile.interval: %s
                kubernetes.operator.observer.progress-check.interval: 5 s
                # No kubelet pulls images here.
                kubernetes.operator.deployment.pull-image-first: "false"
                """
                        .formatted(interval);
        Files.writeString(folder.resolve("config.yaml"), configuration);
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

    /**
     * Makes more like the first resource, from {@code from} on, at once and with the job of the
     * first one, while no operator runs.
     */
    void plant(int from, int to) throws IOException {
        plant(0, from, to);
    }

    /** The same, like resource {@code model}. */
    void plant(int model, int from, int to) throws IOException {
        Planting.of(api.client(), NAMESPACE, Names.of(model)).plant(from, to, api.stored());
        IntStream.range(from, to).forEach(i -> jobManagers.runAlike(Names.of(i), Names.of(model)));
    }

    /** What was put into its store takes the API server a while to see. */
    void waitUntilListed() {
        boolean isListed =
                Waits.reaches(
                        () -> isListed(FlinkDeployment.class) && isListed(FlinkStateSnapshot.class),
                        LONGEST);
        if (!isListed) {
            throw new IllegalStateException("the API server does not list what it stores");
        }
    }

    private boolean isListed(Class<? extends HasMetadata> kind) {
        try {
            var all = api.client().resources(kind).inNamespace(NAMESPACE);
            var page = new ListOptionsBuilder().withLimit(1L);
            String next =
                    Objects.requireNonNullElse(
                            all.list(page.build()).getMetadata().getContinue(), "");
            // The pages after the first come from a cache, which has to be as new as the first.
            return next.isEmpty()
                    || all.list(page.withContinue(next).build()).getItems().size() == 1;
        } catch (KubernetesClientException notYet) {
            return false;
        }
    }

    /** Makes snapshots like one of the first resource's, which the operator makes now. */
    SnapshotPlanting snapshotPlanting() {
        return SnapshotPlanting.of(api, NAMESPACE, Names.of(0));
    }

    /** What the operator has asked so far, if it is {@link #audited(Kind, Path, List, String)}. */
    AuditedRequests audited() throws IOException {
        return AuditedRequests.of(folder);
    }

    /** When the operator last asked for anything but a watch. */
    Optional<Instant> lastRequest() {
        try {
            return audited().last();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
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

    /**
     * Starts another operator, which serves the resources of these labels only. The caller closes
     * it.
     */
    OperatorProcess startOperator(String labelSelector) throws IOException {
        Path own = Files.createDirectories(folder.resolve(labelSelector));
        Files.copy(
                folder.resolve("kubeconfig"),
                own.resolve("kubeconfig"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(
                own.resolve("config.yaml"),
                configuration
                        + "kubernetes.operator.label.selector: \"%s\"\n".formatted(labelSelector));
        return OperatorProcess.start(command, own, jobManagers.port());
    }

    /** Until {@code reached}, or for a quarter of an hour; then it is {@link #overdue}. */
    void waitFor(String what, BooleanSupplier reached) {
        waitFor(what, List.of(operator), reached);
    }

    /**
     * The same.
     *
     * @param operators none of which may end meanwhile
     */
    void waitFor(String what, List<OperatorProcess> operators, BooleanSupplier reached) {
        BooleanSupplier hasEnded = () -> !operators.stream().allMatch(OperatorProcess::isAlive);
        boolean came =
                Waits.reaches(() -> hasEnded.getAsBoolean() || reached.getAsBoolean(), LONGEST);
        if (hasEnded.getAsBoolean()) {
            throw new IllegalStateException("an operator has ended; see its log in " + folder);
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
