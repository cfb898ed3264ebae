// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import static io.sluice.bench.siege.ordinary.Action.ADMISSION;
import static io.sluice.bench.siege.ordinary.Action.CONTROL;
import static io.sluice.bench.siege.ordinary.Action.CREATION;
import static io.sluice.bench.siege.ordinary.Action.DELETION;
import static io.sluice.bench.siege.ordinary.Action.EDIT;
import static io.sluice.bench.siege.ordinary.Action.REFUSAL;
import static io.sluice.bench.siege.ordinary.Action.SCALING;
import static io.sluice.bench.siege.ordinary.Action.SUBMISSION;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.ApiVersion;
import io.sluice.bench.siege.installation.Addresses;
import io.sluice.bench.siege.installation.Manifests;
import io.sluice.bench.siege.installation.Namespaces;
import io.sluice.testkit.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Ordinary users: two actions a second, whatever becomes of those before. */
public final class Users {
    private static final Duration TURN = Duration.ofMillis(500);

    /** What is not done by then has failed. */
    private static final Duration LONGEST = Duration.ofSeconds(90);

    /** Until a job that was scaled may be edited. */
    private static final Duration AFTER_SCALING = Duration.ofSeconds(10);

    private static final List<Action> MIX =
            List.of(
                    EDIT,
                    SCALING,
                    CONTROL,
                    EDIT,
                    REFUSAL,
                    SUBMISSION,
                    EDIT,
                    SCALING,
                    CREATION,
                    EDIT,
                    DELETION);
    private static final PatchContext MERGE =
            new PatchContext.Builder().withPatchType(PatchType.JSON_MERGE).build();

    private final KubernetesClient client;
    private final EffectLog effects;
    private final OrdinaryResources resources;
    private final String jars;
    private final AtomicInteger applications = new AtomicInteger();
    private final AtomicInteger sessionJobs = new AtomicInteger();
    private final AtomicInteger edits = new AtomicInteger();

    /**
     * @param jars where a good jar is served
     */
    public Users(
            KubernetesClient client, EffectLog effects, OrdinaryResources resources, String jars) {
        this.client = client;
        this.effects = effects;
        this.resources = resources;
        this.jars = jars;
    }

    /** Creates {@code many} applications and a session cluster, and waits until all are stable. */
    public void settle(int many, Duration longest) {
        var discarded = new Measurements();
        client.resource(Manifests.sessionCluster(Namespaces.ORDINARY, Addresses.SESSION_CLUSTER))
                .create();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < many; i++) {
                threads.execute(() -> create(discarded));
            }
        }
        if (!Waits.reaches(() -> resources.available() >= many, longest)) {
            throw new IllegalStateException(
                    "only %d of %d applications got stable: %s %s"
                            .formatted(
                                    resources.available(),
                                    many,
                                    resources.unstable(),
                                    discarded.failures(ADMISSION)));
        }
    }

    /** Acts for {@code length}, and waits for what has begun. */
    public void act(Duration length, Measurements measured, Supplier<Boolean> goesOn) {
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int turn = 0; Waits.since(begin).compareTo(length) < 0 && goesOn.get(); turn++) {
                Waits.pause(TURN.multipliedBy(turn).minus(Waits.since(begin)));
                Action next = MIX.get(turn % MIX.size());
                threads.execute(() -> act(next, measured));
            }
        }
    }

    private void act(Action action, Measurements measured) {
        try {
            switch (action) {
                case CREATION -> create(measured);
                case SUBMISSION -> submit(measured);
                case CONTROL -> writeWithoutReview(measured);
                case EDIT, SCALING, REFUSAL, DELETION -> {
                    Optional<String> name = resources.take();
                    if (name.isEmpty()) {
                        measured.failed(action, "no application is stable");
                    } else {
                        act(action, name.get(), measured);
                    }
                }
                default -> throw new IllegalArgumentException(action.name());
            }
        } catch (RuntimeException failed) {
            measured.failed(action, "" + failed.getMessage());
        }
    }

    private void act(Action action, String name, Measurements measured) {
        switch (action) {
            case EDIT -> edit(name, measured);
            case SCALING -> scale(name, measured);
            case REFUSAL -> beRefused(name, measured);
            default -> delete(name, measured);
        }
    }

    private void create(Measurements measured) {
        String name = Addresses.application(applications.getAndIncrement());
        CompletableFuture<Long> deployed = effects.expect(Effect.DEPLOYED, name);
        long begin = System.nanoTime();
        Optional<HasMetadata> created =
                write(
                        measured,
                        () ->
                                client.resource(Manifests.application(Namespaces.ORDINARY, name))
                                        .create());
        if (created.isPresent()) {
            await(deployed, begin, CREATION, name, measured);
            resources.giveBack(name, 1);
        }
    }

    private void edit(String name, Measurements measured) {
        CompletableFuture<Long> stopped = effects.expect(Effect.STOPPED, name);
        long begin = System.nanoTime();
        Optional<HasMetadata> edited =
                write(
                        measured,
                        () ->
                                patch(
                                        name,
                                        "{\"spec\":{\"image\":\"registry.example.org/orders:%d\"}}"
                                                .formatted(edits.incrementAndGet())));
        if (edited.isPresent()) {
            await(stopped, begin, EDIT, name, measured);
        }
        resources.giveBack(name, generation(edited));
    }

    private void scale(String name, Measurements measured) {
        int to = 3 + edits.incrementAndGet() % 100;
        CompletableFuture<Long> scaled = effects.expect(Effect.SCALED, name);
        String uid =
                client.resources(FlinkDeployment.class)
                        .inNamespace(Namespaces.ORDINARY)
                        .withName(name)
                        .get()
                        .getMetadata()
                        .getUid();
        long begin = System.nanoTime();
        client.resource(overrides(name, uid, to))
                .fieldManager("siege")
                .forceConflicts()
                .serverSideApply();
        await(scaled, begin, SCALING, name, measured);
        Waits.pause(AFTER_SCALING);
        resources.giveBack(name, 1);
    }

    private static HasMetadata overrides(String name, String uid, int to) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(Namespaces.ORDINARY)
                .withName("autoscaler-" + name)
                .addToLabels("component", "autoscaler")
                .addToLabels("app", name)
                .addNewOwnerReference()
                .withApiVersion(ApiVersion.TEXT)
                .withKind("FlinkDeployment")
                .withName(name)
                .withUid(uid)
                .endOwnerReference()
                .endMetadata()
                .addToData("parallelismOverrides", OrdinaryJob.VERTICES.getFirst() + ":" + to)
                .build();
    }

    private void submit(Measurements measured) {
        int number = sessionJobs.getAndIncrement();
        if (number >= 5) {
            effects.ends(Addresses.SESSION_CLUSTER);
            client.resources(FlinkSessionJob.class)
                    .inNamespace(Namespaces.ORDINARY)
                    .withName("report-" + (number - 5))
                    .delete();
        }
        String name = "report-" + number;
        CompletableFuture<Long> submitted = effects.expect(Effect.SUBMITTED, name);
        long begin = System.nanoTime();
        GenericKubernetesResource job =
                Manifests.sessionJob(
                        Namespaces.ORDINARY,
                        name,
                        Addresses.SESSION_CLUSTER,
                        jars + "/" + name + ".jar");
        if (write(measured, () -> client.resource(job).create()).isPresent()) {
            await(submitted, begin, SUBMISSION, name, measured);
        }
    }

    private void delete(String name, Measurements measured) {
        effects.ends(name);
        CompletableFuture<Long> gone = effects.expect(Effect.GONE, name);
        long begin = System.nanoTime();
        client.resources(FlinkDeployment.class)
                .inNamespace(Namespaces.ORDINARY)
                .withName(name)
                .delete();
        await(gone, begin, DELETION, name, measured);
    }

    /** Only the webhook knows that the operator sets this option itself. */
    private void beRefused(String name, Measurements measured) {
        long begin = System.nanoTime();
        try {
            patch(
                    name,
                    "{\"spec\":{\"flinkConfiguration\":{\"kubernetes.cluster-id\":\"other\"}}}");
            measured.failed(REFUSAL, name + " was admitted with kubernetes.cluster-id");
        } catch (KubernetesClientException refused) {
            if (("" + refused.getMessage()).contains("denied the request")) {
                measured.took(REFUSAL, name, Waits.since(begin).toMillis());
            } else {
                measured.failed(REFUSAL, "" + refused.getMessage());
            }
        }
        resources.giveBack(name, 1);
    }

    private HasMetadata patch(String name, String patch) {
        return client.resources(FlinkDeployment.class)
                .inNamespace(Namespaces.ORDINARY)
                .withName(name)
                .patch(MERGE, patch);
    }

    /** Tells how the API server itself is. */
    private void writeWithoutReview(Measurements measured) {
        var map =
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(Namespaces.ORDINARY)
                        .withName("control")
                        .endMetadata()
                        .addToData("edit", "" + edits.incrementAndGet())
                        .build();
        long begin = System.nanoTime();
        client.resource(map).fieldManager("siege").forceConflicts().serverSideApply();
        measured.took(CONTROL, "control", Waits.since(begin).toMillis());
    }

    /** Empty if it was not admitted. */
    private static Optional<HasMetadata> write(
            Measurements measured, Supplier<HasMetadata> request) {
        long begin = System.nanoTime();
        try {
            HasMetadata written = request.get();
            measured.took(
                    ADMISSION, written.getMetadata().getName(), Waits.since(begin).toMillis());
            return Optional.of(written);
        } catch (KubernetesClientException failed) {
            measured.failed(ADMISSION, "" + failed.getMessage());
            return Optional.empty();
        }
    }

    private static long generation(Optional<HasMetadata> written) {
        return written.map(each -> each.getMetadata().getGeneration()).orElse(1L);
    }

    private static void await(
            CompletableFuture<Long> effect,
            long begin,
            Action action,
            String name,
            Measurements measured) {
        try {
            long at = effect.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
            measured.took(action, name, Math.max(0, (at - begin) / 1_000_000));
        } catch (TimeoutException late) {
            measured.failed(action, name + ": not within " + LONGEST.toSeconds() + " s");
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
