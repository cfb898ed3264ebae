// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.RawResource;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.SavepointRegistration;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.PairObservedState.SnapshotUse;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.RunView.SnapshotView;
import io.sluice.operator.statesnapshot.NeededSavepoints;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The FlinkStateSnapshots of a simulated pair, whoever deletes them with their files, and what must
 * hold of them: each savepoint that a half made for a transition has exactly one, and none is
 * disposed of that a job may yet start from.
 */
final class SimulatedSnapshots {
    private final SimulatedPair pair;
    private final Set<PairFlaws> flaws;
    private final boolean areEnabled;

    /** Those that there are: the path by the name. */
    private final Map<String, String> standing = new TreeMap<>();

    /** The names of all that there ever were, by the path. */
    private final Map<String, Set<String>> names = new TreeMap<>();

    /** The savepoints that were made for transitions: the path by the job and the trigger. */
    private final Map<String, String> made = new TreeMap<>();

    /** The paths of those that nobody has to register. */
    private final Set<String> excused = new HashSet<>();

    /** What was asked for and is not waited for any more: the job and the trigger. */
    private final Set<String> late = new HashSet<>();

    private final Set<String> disposed = new HashSet<>();

    /** The names of those that could not be created at some time. */
    private final Set<String> refused = new HashSet<>();

    private boolean isRefused;

    SimulatedSnapshots(SimulatedPair pair, boolean areEnabled, Set<PairFlaws> flaws) {
        this.pair = pair;
        this.areEnabled = areEnabled;
        this.flaws = flaws;
    }

    boolean areEnabled() {
        return areEnabled;
    }

    SnapshotUse use(FlinkBlueGreenDeploymentStatus status) {
        return new SnapshotUse(
                true,
                areEnabled,
                true,
                List.of(),
                status.registration()
                        .map(SavepointRegistration::name)
                        .map(this::view)
                        .orElseGet(SnapshotView.NotRead::new));
    }

    private SnapshotView view(String name) {
        return Optional.ofNullable(standing.get(name))
                .<SnapshotView>map(path -> new SnapshotView.Complete(Optional.of(path)))
                .orElseGet(
                        () ->
                                isRefused && refused.contains(name)
                                        ? new SnapshotView.Refused("exceeded quota")
                                        : new SnapshotView.Absent());
    }

    /** No more can be created in the namespace, or again. */
    void refuses(boolean isRefused) {
        this.isRefused = isRefused;
    }

    void create(Action.CreateSnapshot creation) {
        if (flaws.contains(PairFlaws.NEVER_REGISTERED)) {
            return;
        }
        if (isRefused) {
            refused.add(creation.name());
            return;
        }
        String suffix =
                flaws.contains(PairFlaws.NAMED_BY_THE_CLOCK) ? "-" + pair.now().toEpochMilli() : "";
        registers(
                creation.name() + suffix,
                creation.spec().savepoint().flatMap(it -> it.path()).orElse(""));
    }

    /** One is created, by the operator of the pair or by that of a half. */
    void registers(String name, String path) {
        if (!areEnabled) {
            pair.violated("a FlinkStateSnapshot is created though none is asked for");
        }
        if (standing.putIfAbsent(name, path) == null) {
            Set<String> all = names.computeIfAbsent(path, _ -> new TreeSet<>());
            all.add(name);
            if (all.size() > 1) {
                pair.violated(path + " has more than one FlinkStateSnapshot: " + all);
            }
        }
    }

    /** Flink has made a savepoint that was asked for under this key. */
    void made(String key, String path) {
        made.put(key, path);
        if (late.contains(key)) {
            excused.add(path);
        }
    }

    /** Nobody can be asked for the savepoints of a job any more. */
    void forgotten(String jobId) {
        made.forEach(
                (key, path) -> {
                    if (key.startsWith(jobId + "/")) {
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
                        .filter(end -> !pair.now().isBefore(end))
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
        registration(pair.status())
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

    /** Somebody deletes one, and its files with it, unless a job may need them. */
    void deleteOne() {
        if (standing.isEmpty()) {
            return;
        }
        String name = pair.besides().pick(new ArrayList<>(standing.keySet()));
        String path = standing.remove(name);
        boolean isNeeded =
                resources().stream().anyMatch(it -> NeededSavepoints.named(it, path).isPresent());
        if (!isNeeded) {
            disposed.add(path);
        }
    }

    private List<RawResource> resources() {
        List<RawResource> all = new ArrayList<>();
        pair.halves()
                .values()
                .forEach(
                        half -> {
                            var deployment = new FlinkDeployment();
                            deployment.setSpec(half.spec());
                            ObjectNode status = JsonNodeFactory.instance.objectNode();
                            half.lastState()
                                    .ifPresent(
                                            it ->
                                                    status.putObject("jobStatus")
                                                            .put("upgradeSavepointPath", it));
                            deployment.setStatus(status);
                            all.add(deployment);
                        });
        if (!flaws.contains(PairFlaws.PAIR_NEEDS_NOTHING)) {
            var resource = new FlinkBlueGreenDeployment();
            resource.setSpec(pair.spec());
            resource.setStatus(pair.status());
            all.add(resource);
        }
        return all;
    }

    boolean isDisposed(String path) {
        return disposed.contains(path);
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
