// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.SavepointRegistration;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.api.status.bluegreen.TransitionSavepoint;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.manifest.Room;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.decide.HalfView;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.bluegreen.decide.PairDecider;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.bluegreen.decide.PairObservedState.SnapshotUse;
import io.sluice.operator.bluegreen.decide.PairSpec;
import io.sluice.operator.decide.step.SnapshotCreations;
import io.sluice.operator.ingress.PairIngress;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.RunView.SnapshotView;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.observe.RunReader;
import io.sluice.operator.observe.SpecReview;
import io.sluice.operator.observe.snapshot.SavepointProgress;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.SnapshotOptions;
import java.net.URI;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads a pair and its halves. The halves are read from the API server itself, as each decision
 * hangs on whether they are there and what they are.
 *
 * @param halves reads a FlinkDeployment as a half
 * @param sizes reads what the autoscaler asks of a half
 * @param room asks the ResourceQuotas
 * @param figures makes the looks of the analysis
 * @param snapshots reads the FlinkStateSnapshots of savepoints
 * @param ingress finds out where the pair's Ingress leads
 * @param validators are asked beside the built-in rules
 * @param progress is told how far the savepoints are that Flink makes
 */
record PairObserver(
        KubernetesClient client,
        JobManagerRest rest,
        HalfReader halves,
        HalfSize sizes,
        RoomReader room,
        FigureReader figures,
        SnapshotReader snapshots,
        PairIngress ingress,
        Supplier<DefaultConfiguration> defaults,
        SpecValidators validators,
        RejectedManifests rejected,
        SavepointProgress progress,
        InstantSource clock) {

    PairObservedState observe(FlinkBlueGreenDeployment resource) {
        PairObservedState observed = figures.looked(withoutRoom(resource));
        return PairDecider.secondHalf(observed)
                .map(half -> room.of(observed.identity().namespace(), half, asked(observed)))
                .map(observed::withRoom)
                .orElse(observed);
    }

    /** What the autoscaler asks of the active half, which the second one starts with. */
    private AutoscalerOverrides asked(PairObservedState observed) {
        return AutoscalerOverrides.of(
                observed.status()
                        .blueGreenState()
                        .flatMap(BlueGreenState::half)
                        .map(active -> sizes.of(observed, active))
                        .orElseGet(Map::of));
    }

    /** ResourceQuotas are asked only if the decision hangs on them. */
    private PairObservedState withoutRoom(FlinkBlueGreenDeployment resource) {
        ObjectMeta metadata = resource.getMetadata();
        boolean deleting = metadata.getDeletionTimestamp() != null;
        var status = FlinkBlueGreenDeploymentStatus.of(orEmpty(resource.getStatus()));
        PairSpec wish = PairSpec.of(orEmpty(resource.getSpec()));
        HalfView blue = half(metadata, HalfColor.BLUE, deleting);
        HalfView green = half(metadata, HalfColor.GREEN, deleting);
        return new PairObservedState(
                new PairObservedState.Identity(
                        metadata.getNamespace(),
                        metadata.getName(),
                        metadata.getUid(),
                        Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                        deleting),
                wish,
                deleting
                        ? Optional.empty()
                        : new SpecReview(defaults.get(), validators)
                                .objection(ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT, resource),
                status,
                blue,
                green,
                savepoint(
                        metadata.getUid(), status, color -> color == HalfColor.BLUE ? blue : green),
                Figures.NOT_ASKED,
                rejected.of(metadata.getUid(), status.transition().map(PairTransition::id)),
                Room.NOT_ASKED,
                snapshots(metadata, status, color -> color == HalfColor.BLUE ? blue : green),
                deleting ? Set.of() : ingress.misled(resource, wish.spec()),
                promoted(metadata),
                Polls.of(defaults.get(), metadata.getNamespace()),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }

    private HalfView half(ObjectMeta pair, HalfColor color, boolean deleting) {
        return deleting
                ? new HalfView.Absent()
                : halves.read(
                        Optional.ofNullable(
                                client.resources(FlinkDeployment.class)
                                        .inNamespace(pair.getNamespace())
                                        .withName(color.nameIn(pair.getName()))
                                        .get()),
                        pair.getUid());
    }

    /**
     * Asked for only while one is in progress.
     *
     * @param uid of the pair
     */
    private AsyncResult savepoint(
            String uid,
            FlinkBlueGreenDeploymentStatus status,
            Function<HalfColor, HalfView> halfOf) {
        Optional<TransitionSavepoint> savepoint =
                status.transition()
                        .filter(it -> it.phase() == TransitionPhase.SAVING)
                        .flatMap(PairTransition::savepoint)
                        .filter(it -> it.nextTry().isEmpty());
        Optional<Half> active =
                status.transition()
                        .flatMap(PairTransition::from)
                        .flatMap(color -> halfOf.apply(color).half());
        Optional<URI> at = active.flatMap(Half::jobManager);
        String jobId = savepoint.flatMap(TransitionSavepoint::jobId).orElse("");
        AsyncResult answer =
                savepoint
                        .flatMap(TransitionSavepoint::triggerId)
                        .map(trigger -> answer(at, jobId, trigger))
                        .orElseGet(AsyncResult.NotAsked::new);
        progress.saw(
                uid,
                Optional.of(StateKind.SAVEPOINT).filter(_ -> answer instanceof AsyncResult.Pending),
                () -> at.flatMap(it -> rest.checkpoints(it, jobId).answer()));
        return answer;
    }

    private AsyncResult answer(Optional<URI> at, String jobId, String trigger) {
        return at.map(it -> RunReader.savepoint(rest.savepoint(it, jobId, trigger)))
                .orElseGet(() -> new AsyncResult.Silent("There is no JobManager to ask."));
    }

    /**
     * What the active half is configured to is only of interest during a transition, and there is
     * one to look for only while it is on record.
     */
    private SnapshotUse snapshots(
            ObjectMeta metadata,
            FlinkBlueGreenDeploymentStatus status,
            Function<HalfColor, HalfView> halfOf) {
        DefaultConfiguration now = defaults.get();
        boolean isOfInterest = status.isBetweenHalves() || status.registration().isPresent();
        if (!snapshots.serves() || !isOfInterest) {
            return SnapshotUse.NONE;
        }
        Options options =
                status.blueGreenState()
                        .flatMap(BlueGreenState::half)
                        .flatMap(active -> halfOf.apply(active).half())
                        .map(active -> FlinkDeploymentSpec.parse(active.spec(), "spec").value())
                        .map(
                                spec ->
                                        now.effective(
                                                metadata.getNamespace(),
                                                spec.flinkVersion(),
                                                spec.flinkConfiguration()))
                        .map(Options::new)
                        .orElseGet(() -> new Options(FlinkConfiguration.EMPTY));
        return new SnapshotUse(
                true,
                options.get(SnapshotOptions.RESOURCE_ENABLED),
                options.get(SnapshotOptions.DISPOSE_ON_DELETE),
                SnapshotCreations.inheritedLabels(now.own()),
                status.registration()
                        .map(it -> registered(metadata, it))
                        .orElseGet(SnapshotView.NotRead::new));
    }

    private SnapshotView registered(ObjectMeta metadata, SavepointRegistration registration) {
        return snapshots.named(
                metadata.getNamespace(),
                metadata.getUid(),
                new JobReference(
                        Optional.of(ResourceKind.FLINK_DEPLOYMENT),
                        Optional.of(registration.job())),
                registration.name());
    }

    private static Optional<Long> promoted(ObjectMeta metadata) {
        return Optional.ofNullable(metadata.getAnnotations()).orElseGet(Map::of).entrySet().stream()
                .filter(entry -> entry.getKey().equals(FlinkBlueGreenDeployment.PROMOTE))
                .map(Map.Entry::getValue)
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::valueOf)
                .findFirst();
    }

    private static ObjectNode orEmpty(ObjectNode node) {
        return Optional.ofNullable(node).orElseGet(JsonNodeFactory.instance::objectNode);
    }
}
