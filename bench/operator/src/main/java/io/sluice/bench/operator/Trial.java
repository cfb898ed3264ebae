// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.RunningApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** So many resources, from the first to the last measurement. */
final class Trial implements AutoCloseable {
    private static final String NAMESPACE = "bench";
    private static final Duration LONGEST = Duration.ofMinutes(15);
    private static final Duration SETTLING = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofSeconds(60);
    private static final int MOST_EDITS = 200;

    /** More are copied. */
    private static final int MOST_CREATED = Integer.getInteger("bench.created", 1000);

    private static final int MOST_SILENT = 1000;

    private final int size;
    private final Kind kind;
    private final Path folder;
    private final List<String> command;
    private final Column column;
    private final RunningApiServer api = RunningApiServer.start();
    private final JobManagers jobManagers = JobManagers.start();
    private final Nodes nodes;
    private final Resources resources;
    private OperatorProcess operator;

    /**
     * @param kind applications are edited too, and some fall silent
     * @param command the operator's Java command with all its flags, up to the main class
     * @param interval the operator's configured interval between two looks
     */
    Trial(int size, Kind kind, Path folder, List<String> command, String interval, Column column)
            throws IOException {
        this.size = size;
        this.kind = kind;
        this.folder = Files.createDirectories(folder);
        Files.deleteIfExists(folder.resolve("operator.log"));
        this.command = command;
        this.column = column;
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
        makeRoomForServices();
        nodes = new Nodes(api.client(), jobManagers, kind);
        resources = new Resources(api.client(), NAMESPACE, kind);
        operator = OperatorProcess.start(command, folder, jobManagers.port());
    }

    /** The test server has addresses for 254 services. */
    private void makeRoomForServices() {
        var more = new GenericKubernetesResource();
        more.setApiVersion("networking.k8s.io/v1");
        more.setKind("ServiceCIDR");
        more.setMetadata(new ObjectMetaBuilder().withName("more").build());
        more.setAdditionalProperty("spec", Map.of("cidrs", List.of("10.96.0.0/12")));
        api.client().resource(more).create();
    }

    void run() throws IOException, InterruptedException {
        Waits.until(() -> operator.metric("process_start_time_seconds") > 0, LONGEST);
        Waits.pause(Duration.ofSeconds(3));
        int created = Math.min(size, MOST_CREATED);
        creation(created);
        if (created < size) {
            planting(created);
        }
        Waits.pause(SETTLING);
        idle();
        switch (kind) {
            case APPLICATIONS -> {
                edits(0, "edit");
                restart();
                silence();
            }
            case SESSION_CLUSTERS -> restart();
        }
    }

    private void planting(int from) throws IOException, InterruptedException {
        operator.close();
        nodes.setAge(Duration.ofDays(1));
        Planting.of(api.client(), NAMESPACE, Names.of(0)).plant(from, size);
        Waits.until(() -> nodes.served() == size, LONGEST);
        nodes.setAge(Duration.ZERO);
        jobManagers.forgetWhoWasAsked();
        long start = System.nanoTime();
        operator = OperatorProcess.start(command, folder, jobManagers.port());
        whileItLives(() -> jobManagers.howManyWereAsked() == size);
        column.put("first sight of all others: after, s", seconds(Waits.since(start)));
    }

    private void creation(int size) throws InterruptedException {
        ApiRequests before = requests();
        long own = nodes.writes();
        Duration processor = operator.processorTime();
        Duration server = Processor.timeOfApiServer();
        long start = System.nanoTime();
        resources.create(0, size);
        column.put("all created after, s", seconds(Waits.since(start)));
        whileItLives(() -> resources.stable() == size);
        column.put("all stable after, s", seconds(Waits.since(start)));
        column.put("  that are stable", resources.stable());
        column.put("  processor until then, s", seconds(operator.processorTime().minus(processor)));
        column.put(
                "  the API server's until then, s",
                seconds(Processor.timeOfApiServer().minus(server)));
        Waits.pause(Duration.ofSeconds(5));
        ApiRequests made =
                requests()
                        .since(before)
                        .without("POST flinkdeployments", size)
                        .without("PUT deployments/status", nodes.writes() - own);
        column.put("requests a resource", (double) made.all() / size);
        column.put("  of which writes", (double) made.writes() / size);
        column.put("  of which status writes", (double) made.statusWrites() / size);
        column.note("requests a resource, until stable", made.perResource(size));
        column.put("resident at the most, MiB", operator.peakMebibytes());
    }

    private void whileItLives(BooleanSupplier reached) {
        Waits.until(() -> !operator.isAlive() || reached.getAsBoolean(), LONGEST);
        if (!operator.isAlive()) {
            throw new IllegalStateException("the operator has ended; see its log in " + folder);
        }
    }

    private void idle() {
        ApiRequests before = requests();
        long rest = jobManagers.requests();
        Duration processor = operator.processorTime();
        Duration took = Waits.until(() -> false, LOOK);
        double minutes = took.toMillis() / 60_000.0;
        column.put(
                "idle: processor a minute, s",
                operator.processorTime().minus(processor).toMillis() / 1000.0 / minutes);
        column.put("idle: JobManager requests a minute", (jobManagers.requests() - rest) / minutes);
        ApiRequests made = requests().since(before);
        column.put("idle: API writes", made.writes());
        column.put("idle: API reads", made.all() - made.writes());
        column.put("idle: resident, MiB", operator.residentMebibytes());
        column.put("idle: threads", operator.threads());
        column.put("idle: open files", operator.openFiles());
    }

    private void edits(int from, String what) {
        Edits edits =
                Edits.of(
                        names(from, from + Math.min(MOST_EDITS, size / 4)), resources, jobManagers);
        column.put(what + ": status p50, ms", Edits.quantile(edits.status(), 0.5));
        column.put(what + ": status p99, ms", Edits.quantile(edits.status(), 0.99));
        column.put(what + ": job asked to stop p50, ms", Edits.quantile(edits.effect(), 0.5));
        column.put(what + ": job asked to stop p99, ms", Edits.quantile(edits.effect(), 0.99));
        column.put(what + ": all carried out after, s", seconds(edits.stable()));
    }

    private void restart() throws IOException {
        operator.close();
        jobManagers.forgetWhoWasAsked();
        ApiRequests before = requests();
        long changes = jobManagers.changes();
        long start = System.nanoTime();
        operator = OperatorProcess.start(command, folder, jobManagers.port());
        whileItLives(() -> jobManagers.howManyWereAsked() == size);
        column.put("restart: every job seen after, s", seconds(Waits.since(start)));
        column.put("  processor until then, s", seconds(operator.processorTime()));
        Waits.pause(SETTLING);
        ApiRequests made = requests().since(before);
        column.put("restart: jobs touched", jobManagers.changes() - changes);
        column.put("restart: API writes", made.writes());
        column.put("restart: resident, MiB", operator.residentMebibytes());
        column.put("restart: resident at the most, MiB", operator.peakMebibytes());
    }

    private void silence() {
        int many = Math.min(MOST_SILENT, size / 10);
        names(size - many, size).forEach(jobManagers::silence);
        Waits.pause(LOOK);
        edits(size / 4, many + " silent, edit of others");
        column.put("silent: resident, MiB", operator.residentMebibytes());
        column.put("silent: threads", operator.threads());
    }

    @Override
    public void close() {
        operator.close();
        nodes.close();
        resources.close();
        jobManagers.close();
        api.close();
    }

    private ApiRequests requests() {
        return ApiRequests.of(api.client());
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(Names::of).toList();
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
