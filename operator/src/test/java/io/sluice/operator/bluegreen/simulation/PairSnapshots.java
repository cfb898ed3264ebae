// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.SavepointRegistration;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.ApiRefusal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The FlinkStateSnapshots of a pair, whoever deletes them, and what must hold of them: each
 * savepoint that a half made for a transition has exactly one.
 */
final class PairSnapshots {
    private static final int FORBIDDEN = 403;

    private final PairWorld world;
    private final boolean areEnabled;
    private final Map<String, FlinkStateSnapshot> standing = new TreeMap<>();

    /** The names of all that there ever were, by the path. */
    private final Map<String, Set<String>> names = new TreeMap<>();

    /** The savepoints that were made for transitions: the path by the job and the trigger. */
    private final Map<String, String> made = new TreeMap<>();

    /** The paths of those that nobody has to register. */
    private final Set<String> excused = new HashSet<>();

    /** What was asked for and is not waited for any more: the job and the trigger. */
    private final Set<String> late = new HashSet<>();

    /** The names of those that could not be created at some time. */
    private final Set<String> refused = new HashSet<>();

    private boolean isRefused;

    /**
     * @param areEnabled whether the halves ask for any
     */
    PairSnapshots(PairWorld world, boolean areEnabled) {
        this.world = world;
        this.areEnabled = areEnabled;
    }

    /** No more can be created in the namespace, or again. */
    void refuses(boolean isRefused) {
        this.isRefused = isRefused;
    }

    /** A process is about to create one. */
    void review(ApiCall call, ObjectNode object) {
        if (call.verb() != ApiCall.Verb.CREATE) {
            return;
        }
        String name = object.at("/metadata/name").asText();
        if (isRefused) {
            refused.add(name);
            throw new ApiRefusal(FORBIDDEN, "Forbidden", "exceeded quota");
        }
        if (world.flaws().contains(PairFlaws.NAMED_BY_THE_CLOCK)) {
            object.withObject("/metadata").put("name", name + "-" + world.now().toEpochMilli());
        }
    }

    /** The API server has another version of one, or none any more. */
    void saw(boolean isThere, FlinkStateSnapshot snapshot) {
        String name = snapshot.getMetadata().getName();
        if (!isThere) {
            standing.remove(name);
        } else if (standing.put(name, snapshot) == null) {
            created(name, path(snapshot));
        }
    }

    private static String path(FlinkStateSnapshot snapshot) {
        return snapshot.getSpec().at("/savepoint/path").asText();
    }

    private void created(String name, String path) {
        if (!areEnabled) {
            world.violated("a FlinkStateSnapshot is created though none is asked for");
        }
        Set<String> all = names.computeIfAbsent(path, _ -> new TreeSet<>());
        all.add(name);
        if (all.size() > 1) {
            world.violated(path + " has more than one FlinkStateSnapshot: " + all);
        }
    }

    /** Flink has made a savepoint that was asked for. */
    void made(String jobId, String triggerId, String path) {
        String key = jobId + "/" + triggerId;
        made.put(key, path);
        if (late.contains(key)) {
            excused.add(path);
        }
    }

    /** Nobody can be asked for the savepoints of a job any more that the operator has not seen. */
    void forgotten(String jobId) {
        String known = world.promises().status().toString();
        made.forEach(
                (key, path) -> {
                    boolean isKnown = known.contains("\"" + path + "\"");
                    if (key.startsWith(jobId + "/") && !isKnown) {
                        excused.add(path);
                    }
                });
    }

    /**
     * The operator has waited for a savepoint as long as it may: it may be complete and not seen
     * yet, or be completed later.
     */
    void stored(ObjectNode before, ObjectNode next) {
        Optional<PairTransition> saving = saving(before);
        boolean isLate =
                saving.flatMap(PairTransition::deadline)
                        .filter(end -> !world.now().isBefore(end))
                        .isPresent();
        boolean isFound =
                registration(next).isPresent() && !registration(next).equals(registration(before));
        if (isLate && !isFound && !key(saving).equals(key(saving(next)))) {
            key(saving)
                    .ifPresent(
                            key -> {
                                late.add(key);
                                Optional.ofNullable(made.get(key)).ifPresent(excused::add);
                            });
        }
    }

    /** A FlinkStateSnapshot could not be created for so long that somebody was told. */
    void givenUp(String name) {
        registration(world.promises().status())
                .filter(it -> it.name().equals(name) && refused.contains(name))
                .map(SavepointRegistration::path)
                .ifPresent(excused::add);
    }

    private static Optional<PairTransition> saving(ObjectNode status) {
        return FlinkBlueGreenDeploymentStatus.of(status)
                .transition()
                .filter(it -> it.phase() == TransitionPhase.SAVING);
    }

    private static Optional<String> key(Optional<PairTransition> saving) {
        return saving.flatMap(PairTransition::savepoint)
                .map(it -> it.jobId().orElse("") + "/" + it.triggerId().orElse(""));
    }

    private static Optional<SavepointRegistration> registration(ObjectNode status) {
        return FlinkBlueGreenDeploymentStatus.of(status).registration();
    }

    /** Somebody deletes one, and its files go with it, unless a job may need them. */
    void deleteOne() {
        if (standing.isEmpty()) {
            return;
        }
        String name = world.dice().pick(new ArrayList<>(standing.keySet()));
        String path = path(standing.get(name));
        world.trace("somebody deletes " + name + " with " + path);
        world.quietly(
                () ->
                        world.client()
                                .resources(FlinkStateSnapshot.class)
                                .inNamespace(world.namespace())
                                .withName(name)
                                .delete());
    }

    /** A savepoint that is not registered as it has to be in the end. */
    Optional<String> unregistered() {
        if (!areEnabled) {
            return Optional.empty();
        }
        return made.values().stream()
                .filter(path -> !excused.contains(path))
                .filter(path -> !names.containsKey(path))
                .findFirst()
                .map(path -> path + " has no FlinkStateSnapshot, of " + made);
    }
}
