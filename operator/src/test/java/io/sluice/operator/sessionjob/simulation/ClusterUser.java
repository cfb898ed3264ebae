// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.model.Reason;
import io.sluice.operator.world.Settling;
import io.sluice.testkit.sim.Dice;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The user of the session cluster's resource, and whether the user has what was asked for. */
final class ClusterUser {
    private static final String HIGH_AVAILABILITY = "high-availability.type";
    private static final String JAVA_OPTIONS = "env.java.opts.all";
    private static final String BLOCK =
            "kubernetes.operator.session.deletion.block-on-session-jobs";
    private static final String BLOCK_UNMANAGED =
            "kubernetes.operator.session.deletion.block-on-unmanaged-jobs";
    private static final String RESOURCES = "FlinkSessionJobs to delete first: ";
    private static final String JOBS = "Jobs to cancel first: ";

    private final SessionWorld world;
    private final Dice dice;
    private ObjectNode spec;
    private int edits;

    /**
     * @param kind of the cluster that it begins with
     */
    ClusterUser(SessionWorld world, Dice dice, SessionMetadata.Kind kind) {
        this.world = world;
        this.dice = dice;
        spec = spec(kind);
        create();
    }

    private ObjectNode spec(SessionMetadata.Kind kind) {
        ObjectNode made = GivenCluster.spec(kind);
        ObjectNode options = made.withObject("/flinkConfiguration");
        options.put("kubernetes.operator.deployment.pull-image-first", "false");
        if (dice.chance(30)) {
            options.put(BLOCK, "false");
        }
        if (dice.chance(30)) {
            options.put(BLOCK_UNMANAGED, "false");
        }
        return made;
    }

    Dice dice() {
        return dice;
    }

    Optional<FlinkDeployment> resource() {
        return world.api().find(FlinkDeployment.class, world.namespace(), SessionCluster.NAME);
    }

    private void create() {
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(world.namespace());
        resource.getMetadata().setName(SessionCluster.NAME);
        resource.setSpec(spec.deepCopy());
        world.quietly(() -> world.client().resource(resource).create());
        world.trace("a user creates the cluster " + text());
    }

    private String text() {
        return spec.path("image").asText() + spec.path("flinkConfiguration");
    }

    /** The user creates it again, if it is gone; some with another kind of cluster. */
    void createAgain() {
        if (resource().isEmpty()) {
            boolean isHighlyAvailable = dice.chance(60);
            spec =
                    spec(
                            new SessionMetadata.Kind(
                                    isHighlyAvailable,
                                    isHighlyAvailable && dice.chance(50),
                                    version()));
            create();
        }
    }

    boolean isHighlyAvailable() {
        return spec.path("flinkConfiguration").has(HIGH_AVAILABILITY);
    }

    boolean blocksDeletion() {
        return !spec.path("flinkConfiguration").has(BLOCK);
    }

    /** Whether the cluster goes, and its jobs with it, whatever their resources say. */
    boolean takesJobsAlong() {
        return isBeingDeleted() && !blocksDeletion();
    }

    boolean isBeingDeleted() {
        return resource().filter(it -> it.getMetadata().getDeletionTimestamp() != null).isPresent();
    }

    String version() {
        return spec.path("image").asText().replace("flink:", "");
    }

    void delete() {
        if (resource().isPresent()) {
            DeletionPropagation how =
                    dice.pick(
                            List.of(
                                    DeletionPropagation.BACKGROUND,
                                    DeletionPropagation.FOREGROUND,
                                    DeletionPropagation.ORPHAN));
            world.trace("a user deletes the cluster, " + how);
            world.quietly(
                    () ->
                            world.client()
                                    .resources(FlinkDeployment.class)
                                    .inNamespace(world.namespace())
                                    .withName(SessionCluster.NAME)
                                    .withPropagationPolicy(how)
                                    .delete());
        }
    }

    /** Most of the edits replace the cluster. */
    void change() {
        edits++;
        switch (dice.below(10)) {
            case 0, 1 -> edit(it -> it.put("restartNonce", edits));
            case 2, 3 -> edit(ClusterUser::changeVersion);
            case 4 -> edit(ClusterUser::changeHighAvailability);
            case 5 -> toggle(BLOCK);
            case 6 -> toggle(BLOCK_UNMANAGED);
            default -> options(it -> it.put(JAVA_OPTIONS, "-Dn=" + edits));
        }
    }

    void changeVersion() {
        edit(ClusterUser::changeVersion);
    }

    private static void changeVersion(ObjectNode spec) {
        boolean isNewer = spec.path("flinkVersion").asText().equals("v2_3");
        spec.put("flinkVersion", isNewer ? "v1_20" : "v2_3")
                .put("image", "flink:" + (isNewer ? SessionShape.OLDER : SessionShape.NEWER));
    }

    private static void changeHighAvailability(ObjectNode spec) {
        ObjectNode options = spec.withObject("/flinkConfiguration");
        if (options.has(HIGH_AVAILABILITY)) {
            options.remove(HIGH_AVAILABILITY);
        } else {
            options.put(HIGH_AVAILABILITY, "kubernetes")
                    .put("high-availability.storageDir", "s3://h");
        }
    }

    private void toggle(String key) {
        options(
                it -> {
                    if (it.has(key)) {
                        it.remove(key);
                    } else {
                        it.put(key, "false");
                    }
                });
    }

    private void options(Consumer<ObjectNode> change) {
        edit(it -> change.accept(it.withObject("/flinkConfiguration")));
    }

    private void edit(Consumer<ObjectNode> change) {
        Optional<FlinkDeployment> there =
                resource()
                        .filter(
                                it ->
                                        it.getMetadata().getDeletionTimestamp() == null
                                                || dice.chance(50));
        if (there.isPresent()) {
            change.accept(spec);
            world.api().edit(FlinkDeployment.class, there.get(), spec);
            world.trace("a user changes the cluster: " + text());
        }
    }

    /** Whether users are asked to let it go, before it is deleted. */
    private Optional<String> blockers() {
        return resource()
                .filter(it -> it.getMetadata().getDeletionTimestamp() != null)
                .flatMap(it -> Optional.ofNullable(it.getStatus()))
                .filter(it -> Settling.reason(it).equals(Optional.of(Reason.SESSION_JOBS_LEFT)))
                .map(it -> it.at("/conditions/1/message").asText());
    }

    /** Users do what the condition asks of them, if it does, and nothing else. */
    void letGo() {
        blockers().ifPresent(this::letGo);
    }

    private void letGo(String message) {
        world.jobs().stream()
                .filter(job -> names(message, RESOURCES).contains(job.name()))
                .filter(job -> job.resource().isPresent())
                .forEach(ObservedJob::delete);
        names(message, JOBS)
                .forEach(id -> world.cluster().answering().ifPresent(it -> it.cancelByHand(id)));
    }

    private static List<String> names(String message, String after) {
        int begin = message.indexOf(after);
        return begin < 0
                ? List.of()
                : Arrays.asList(message.substring(begin + after.length()).split(", "));
    }

    /**
     * @param isHeld whether a job may keep the cluster from being replaced, as a human is asked
     * @param recurs whether something is written again and again
     */
    Optional<String> unsettled(Settling settling, boolean isHeld, boolean recurs) {
        String text = "the cluster is " + resource().map(FlinkDeployment::getStatus);
        String all = text + " with " + world.cluster();
        return resource()
                .map(
                        it ->
                                settling.unsettled(
                                        it,
                                        recurs ? 0 : world.operators().writes(),
                                        all,
                                        status -> isAsWanted(status, isHeld)))
                .orElseGet(() -> Optional.of("there is no cluster: " + all));
    }

    private boolean isAsWanted(JsonNode status, boolean isHeld) {
        Optional<Reason> reason = Settling.reason(status);
        return (isHeld && reason.equals(Optional.of(Reason.WAITING_FOR_SESSION_JOBS)))
                || (reason.equals(Optional.of(Reason.SESSION_CLUSTER_READY))
                        && world.cluster().answering().filter(this::isWanted).isPresent());
    }

    private boolean isWanted(SessionProcess process) {
        return process.version().equals(version())
                && process.launch().isHighlyAvailable() == isHighlyAvailable()
                && process.launch()
                        .options()
                        .getOrDefault(JAVA_OPTIONS, "")
                        .equals(spec.path("flinkConfiguration").path(JAVA_OPTIONS).asText());
    }
}
