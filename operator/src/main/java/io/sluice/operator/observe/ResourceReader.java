// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.DeploymentMode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.bluegreen.PairHalf;
import io.sluice.api.status.bluegreen.StartOverrides;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ClusterView.PodProblem;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StartOptions;
import io.sluice.operator.observe.pod.PodProblems;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads a FlinkDeployment and its children, before its JobManager is asked. */
final class ResourceReader {
    /** Remembers what was read of one resource, as a reconciliation asks for it more than once. */
    private static final class Reading {
        private Optional<FlinkDeploymentStatus> status = Optional.empty();
        private Optional<Optional<LastReconciledSpec>> wasReconciled = Optional.empty();
        private Optional<SpecView> written = Optional.empty();

        /**
         * @param read reads it by the caches
         */
        FlinkDeploymentStatus status(Supplier<FlinkDeploymentStatus> read) {
            FlinkDeploymentStatus known = status.orElseGet(read);
            status = Optional.of(known);
            return known;
        }

        /**
         * @param read reads it beside what was reconciled last
         */
        SpecView written(Optional<LastReconciledSpec> lastReconciled, Supplier<SpecView> read) {
            SpecView known =
                    written.filter(_ -> wasReconciled.equals(Optional.of(lastReconciled)))
                            .orElseGet(read);
            wasReconciled = Optional.of(lastReconciled);
            written = Optional.of(known);
            return known;
        }
    }

    private final ChildReader children;
    private final DefaultConfiguration defaults;
    private final SpecValidators validators;
    private final Function<FlinkDeployment, URI> address;

    /**
     * @param validators are asked beside the built-in rules
     * @param address where a resource's JobManager answers; never taken from what the user wrote
     */
    ResourceReader(
            ChildReader children,
            DefaultConfiguration defaults,
            SpecValidators validators,
            Function<FlinkDeployment, URI> address) {
        this.children = children;
        this.defaults = defaults;
        this.validators = validators;
        this.address = address;
    }

    KnownResource known(FlinkDeployment resource, Instant now) {
        ChildResources found = children.cached();
        var reading = new Reading();
        ChildResources there = certain(resource, found, reading, now);
        FlinkDeploymentStatus status =
                there.equals(found)
                        ? reading.status(() -> status(resource, found, now))
                        : status(resource, there, now);
        Optional<LastReconciledSpec> lastReconciled =
                LastReconciledSpec.from(status.reconciliationStatus());
        Optional<LastReconciledSpec> runs = LastReconciledSpec.running(status);
        SpecView written = written(resource, lastReconciled, reading);
        AutoscalerOverrides asked = asked(resource, found, lastReconciled, written);
        SpecView spec = asked.in(written, wanted -> effective(resource, wanted));
        Options running = running(resource.getMetadata().getNamespace(), status, runs);
        return new KnownResource(
                resource,
                found,
                withTaskManagers(cluster(resource, there, now), there, runs, running),
                status,
                lastReconciled,
                runs,
                spec,
                spec.parallelism(lastReconciled).byVertex(),
                asked.holdOf(spec, wanted -> effective(resource, wanted)),
                running,
                there.standingTaskManagers(),
                address.apply(resource),
                now);
    }

    /** Where nothing else does, the events of a pod may say why its JobManager does not start. */
    private ClusterView cluster(FlinkDeployment resource, ChildResources there, Instant now) {
        ClusterView seen = ClusterReader.of(there, now);
        boolean starts =
                !isDeleting(resource)
                        && seen.problem().isEmpty()
                        && seen.jobManager() instanceof JobManagerView.Present
                        && !isAvailable(seen);
        return Optional.of(there.pods())
                .filter(_ -> starts)
                .flatMap(pods -> PodProblems.waitingForVolumes(pods, now))
                .flatMap(pod -> withFailedMount(seen, pod, now))
                .orElse(seen);
    }

    /** A volume may come late; that one is missing is told at once, and a problem only later. */
    private Optional<ClusterView> withFailedMount(ClusterView seen, Pod pod, Instant now) {
        return failedMount(pod)
                .map(
                        it ->
                                PodProblems.mayYetBeMounted(pod, now)
                                        ? seen.withDelay(it)
                                        : seen.withProblem(it));
    }

    /**
     * Nobody but who scaled them to none gives a job its TaskManagers back, unless it is reactive.
     */
    static ClusterView withTaskManagers(
            ClusterView seen,
            ChildResources there,
            Optional<LastReconciledSpec> runs,
            Options running) {
        boolean keepsItsSize =
                runs.map(LastReconciledSpec::spec)
                        .filter(it -> it.mode() == DeploymentMode.STANDALONE)
                        .filter(it -> it.job().isPresent() && !running.isReactive())
                        .isPresent();
        return there.taskManagers()
                .filter(_ -> keepsItsSize && seen.problem().isEmpty() && isAvailable(seen))
                .flatMap(DeploymentProblems::scaledToZero)
                .map(seen::withTaskManagersProblem)
                .orElse(seen);
    }

    private Optional<PodProblem> failedMount(Pod pod) {
        return children.mountFailure(pod)
                .map(message -> PodProblem.failedMount(pod.getMetadata().getName(), message));
    }

    private static FlinkDeploymentStatus status(
            FlinkDeployment resource, ChildResources childResources, Instant now) {
        return Optional.ofNullable(resource.getStatus())
                .map(
                        stored ->
                                isDeleting(resource)
                                        ? FlinkDeploymentStatus.of(stored)
                                        : ApacheStatusMigration.read(
                                                stored, childResources.jobManager(), now))
                .orElse(FlinkDeploymentStatus.NEW);
    }

    private static boolean isDeleting(FlinkDeployment resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    /**
     * What the caches hold, unless much hangs on it. Where nobody can have made a cluster for the
     * resource yet, nothing does: another's of its name is not touched, and refuses a second.
     */
    private ChildResources certain(
            FlinkDeployment resource, ChildResources found, Reading reading, Instant now) {
        if (found.certain() && ChildResources.isNew(resource) && !isDeleting(resource)) {
            return found;
        }
        Supplier<FlinkDeploymentStatus> status =
                () -> reading.status(() -> status(resource, found, now));
        boolean enough =
                (isDeleting(resource) || saysWhatRuns(resource))
                        && CacheRule.isEnough(
                                ClusterReader.of(found, now),
                                recordedAttempt(resource),
                                status,
                                isDeleting(resource),
                                taken -> spec(resource, found, taken, reading),
                                runs ->
                                        running(
                                                resource.getMetadata().getNamespace(),
                                                status.get(),
                                                runs),
                                now);
        if (enough) {
            return found;
        }
        ChildResources there = children.live(resource);
        return new ChildResources(
                there.jobManager(),
                there.taskManagers(),
                ChildResources.isNew(resource) ? found.pods() : there.pods(),
                there.overrides(),
                there.sessionJobs());
    }

    private SpecView spec(
            FlinkDeployment resource,
            ChildResources found,
            Optional<LastReconciledSpec> lastReconciled,
            Reading reading) {
        SpecView written = written(resource, lastReconciled, reading);
        return asked(resource, found, lastReconciled, written)
                .in(written, wanted -> effective(resource, wanted));
    }

    private SpecView written(
            FlinkDeployment resource,
            Optional<LastReconciledSpec> lastReconciled,
            Reading reading) {
        return reading.written(
                lastReconciled,
                () -> SpecReader.of(resource, lastReconciled, defaults, validators));
    }

    /** What the autoscaler asks for; of a half that is not served yet, what it starts with. */
    private AutoscalerOverrides asked(
            FlinkDeployment resource,
            ChildResources found,
            Optional<LastReconciledSpec> lastReconciled,
            SpecView written) {
        AutoscalerOverrides asked =
                found.overrides()
                        .filter(map -> AutoscalerOverrides.isOf(resource, map))
                        .map(map -> AutoscalerOverrides.of(Optional.of(map)))
                        .orElseGet(
                                () ->
                                        AutoscalerOverrides.of(
                                                StartOverrides.of(
                                                        resource,
                                                        Optional.ofNullable(
                                                                resource.getStatus()))));
        return PairHalf.of(resource)
                .filter(_ -> !isDeleting(resource))
                .flatMap(
                        half ->
                                lastReconciled.map(
                                        before -> held(resource, half, before, written, asked)))
                .orElse(asked);
    }

    /** During a transition neither half gets another size, whoever asks for it. */
    private AutoscalerOverrides held(
            FlinkDeployment resource,
            PairHalf half,
            LastReconciledSpec before,
            SpecView written,
            AutoscalerOverrides asked) {
        AutoscalerOverrides standing = asked.asIn(before.spec(), written);
        boolean isRescaled =
                !asked.in(written, wanted -> effective(resource, wanted))
                        .equals(standing.in(written, wanted -> effective(resource, wanted)));
        return isRescaled && children.isBetweenHalves(resource, half) ? standing : asked;
    }

    private FlinkConfiguration effective(FlinkDeployment resource, FlinkDeploymentSpec spec) {
        return defaults.effective(
                resource.getMetadata().getNamespace(),
                spec.flinkVersion(),
                spec.flinkConfiguration());
    }

    /** If the status does not say what runs, only the API server tells whose a cluster is. */
    private static boolean saysWhatRuns(FlinkDeployment resource) {
        return resource.getStatus() != null
                && resource.getStatus()
                        .path("reconciliationStatus")
                        .path("lastReconciledSpec")
                        .isTextual();
    }

    /** Reads no more of the status than this, because most reconciliations need no more here. */
    private static Optional<String> recordedAttempt(FlinkDeployment resource) {
        return Optional.ofNullable(resource.getStatus())
                .map(stored -> stored.path("attempt").path("id"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
    }

    private Options running(
            String namespace, FlinkDeploymentStatus status, Optional<LastReconciledSpec> runs) {
        return new Options(
                StartOptions.running(
                        runs.map(
                                        before ->
                                                defaults.effective(
                                                        namespace,
                                                        before.spec().flinkVersion(),
                                                        before.spec().flinkConfiguration()))
                                .orElse(FlinkConfiguration.EMPTY),
                        status.attempt().startedWith()));
    }

    private static boolean isAvailable(ClusterView cluster) {
        return cluster.jobManager() instanceof JobManagerView.Present(_, _, var available, _)
                && available;
    }
}
