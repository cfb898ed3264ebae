// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.observe.ApacheStatusMigration;
import io.sluice.operator.observe.JobReader;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RunReader;
import io.sluice.operator.observe.SessionClusterLinks;
import io.sluice.operator.observe.SpecReader;
import io.sluice.operator.observe.StateReader;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.defaults.Defaults;
import io.sluice.rules.diff.SpecDiff;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Violation;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads a session job, its cluster's resource, and what the cluster's JobManager says of it. */
public final class SessionJobObserver {
    /** What caches hold of what a session job hangs on. */
    public record RelatedResources(
            Optional<FlinkDeployment> cluster, Optional<ConfigMap> overrides) {}

    private final Function<FlinkSessionJob, RelatedResources> around;
    private final JobManagerRest rest;
    private final URI at;
    private final DefaultConfiguration defaults;
    private final SpecValidators validators;
    private final Submissions submissions;
    private final ObservationMemory memory;
    private final SnapshotReader snapshots;
    private final InstantSource clock;

    public SessionJobObserver(
            Function<FlinkSessionJob, RelatedResources> around,
            JobManagerRest rest,
            URI at,
            DefaultConfiguration defaults,
            SpecValidators validators,
            Submissions submissions,
            ObservationMemory memory,
            SnapshotReader snapshots,
            InstantSource clock) {
        this.around = around;
        this.rest = rest;
        this.at = at;
        this.defaults = defaults;
        this.validators = validators;
        this.submissions = submissions;
        this.memory = memory;
        this.snapshots = snapshots;
        this.clock = clock;
    }

    public ObservedState observe(FlinkSessionJob resource) {
        var metadata = resource.getMetadata();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        FlinkDeploymentStatus left = status(resource, now);
        RelatedResources found = around.apply(resource);
        SessionClusterView cluster =
                SessionClusterLinks.of(resource.cluster().orElse(""), found.cluster(), defaults);
        boolean ready = cluster.state() == SessionClusterView.State.READY;
        Optional<String> jobId = left.jobStatus().jobId().filter(_ -> ready);
        JobView job = jobId.map(id -> JobReader.job(rest, at, id)).orElseGet(JobView.NotAsked::new);
        FlinkDeploymentStatus status = ApacheStatusMigration.asked(left, job);
        Optional<LastReconciledSpec> lastReconciled =
                LastReconciledSpec.from(status.reconciliationStatus());
        AutoscalerOverrides asked = AutoscalerOverrides.of(found.overrides()).parallelismOnly();
        Function<FlinkDeploymentSpec, FlinkConfiguration> effective =
                wanted -> effective(metadata.getNamespace(), cluster, wanted.flinkConfiguration());
        SpecView spec = asked.in(spec(resource, found.cluster(), lastReconciled), effective);
        Map<String, Integer> overrides = spec.parallelism(lastReconciled).byVertex();
        StopView stopped =
                status.attempt()
                        .stop()
                        .filter(StopStatus::isUnderWay)
                        .flatMap(stop -> jobId.map(id -> StateReader.stop(rest, at, id, stop)))
                        .orElseGet(StopView.NotAsked::new);
        Options running = running(metadata.getNamespace(), cluster, lastReconciled);
        boolean ends = cluster.beingReplaced() || restarts(status, lastReconciled, spec);
        boolean inPlace = running.isScaledInPlace(cluster.version());
        ScalingView scaling =
                jobId.map(id -> JobReader.scaling(rest, at, id, overrides, inPlace, job))
                        .orElseGet(ScalingView.NotAsked::new);
        var state =
                new StateView(
                        Set.of(),
                        stopped,
                        StateReader.lastIfItMatters(
                                rest, at, job, ends, running, memory, metadata.getUid()),
                        StateReader.retentionIfItMatters(
                                rest,
                                at,
                                job,
                                metadata.getDeletionTimestamp() == null
                                        && StateReader.mayCancel(
                                                status, spec, running, ends, now)));
        return new ObservedState(
                new ObservedState.Identity(
                        metadata.getNamespace(),
                        metadata.getName(),
                        metadata.getUid(),
                        Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                        metadata.getDeletionTimestamp() != null),
                new Target.SessionJob(
                        cluster, submissions.of(metadata.getUid(), status.attempt().id())),
                spec,
                status,
                lastReconciled,
                defaults,
                cluster(ready, status.attempt().id()),
                job,
                overrides,
                scaling,
                state,
                Optional.empty(),
                Optional.empty(),
                ObservedState.Polls.of(defaults, metadata.getNamespace()),
                now,
                run(resource, status, job, at, now, state)
                        .withSnapshots(
                                snapshots.of(
                                        resource,
                                        status.jobStatus().log(),
                                        job,
                                        ends,
                                        running,
                                        now)),
                asked.holdOf(spec, effective));
    }

    private static FlinkDeploymentStatus status(FlinkSessionJob resource, Instant now) {
        FlinkDeploymentStatus stored = SessionJobStatus.of(resource);
        return resource.getStatus() == null || resource.getMetadata().getDeletionTimestamp() != null
                ? stored
                : ApacheStatusMigration.readHosted(stored, resource.getStatus(), now);
    }

    private RunView run(
            FlinkSessionJob resource,
            FlinkDeploymentStatus status,
            JobView job,
            URI at,
            Instant now,
            StateView state) {
        Instant created =
                Optional.ofNullable(resource.getMetadata().getCreationTimestamp())
                        .map(Instant::parse)
                        .orElse(now);
        var reading = new RunReader(rest, at, resource.getMetadata().getUid(), memory, now);
        return job instanceof JobView.NotAsked
                ? reading.unasked(created, status.jobStatus(), state)
                : reading.of(created, status.jobStatus(), job, true, state);
    }

    /**
     * Whether the reconciliation may come to end the job: then the age of its checkpoints may
     * matter.
     */
    public static boolean restarts(
            FlinkDeploymentStatus status,
            Optional<LastReconciledSpec> lastReconciled,
            SpecView spec) {
        boolean changes =
                lastReconciled.isPresent()
                        && spec.changes(lastReconciled.get().spec(), SpecDiff.Effect.SCALE);
        return changes || status.reconciliationStatus().state() == ReconciliationState.UPGRADING;
    }

    private static ClusterView cluster(boolean ready, Optional<String> attempt) {
        return ready
                ? new ClusterView(
                        new JobManagerView.Present("", attempt, true, true), 1, Optional.empty())
                : ClusterView.NONE;
    }

    private Options running(
            String namespace,
            SessionClusterView cluster,
            Optional<LastReconciledSpec> lastReconciled) {
        return new Options(
                effective(
                        namespace,
                        cluster,
                        lastReconciled
                                .map(before -> before.spec().flinkConfiguration())
                                .orElse(FlinkConfiguration.EMPTY)));
    }

    private FlinkConfiguration effective(
            String namespace, SessionClusterView cluster, FlinkConfiguration own) {
        return defaults.effective(namespace, cluster.version(), cluster.configuration(), own);
    }

    /**
     * By the same rules and validators as in the webhook; a session job's fields are a part of a
     * deployment's.
     */
    private SpecView spec(
            FlinkSessionJob resource,
            Optional<FlinkDeployment> cluster,
            Optional<LastReconciledSpec> lastReconciled) {
        ObjectNode raw =
                Defaults.apply(
                        Optional.ofNullable(resource.getSpec())
                                .orElseGet(JsonNodeFactory.instance::objectNode));
        ObjectNode whole = document(resource.getMetadata().getName(), raw);
        whole.set(
                "status",
                Optional.ofNullable(resource.getStatus())
                        .orElseGet(JsonNodeFactory.instance::objectNode));
        List<Violation> violations =
                new Reviewer(defaults)
                        .problems(
                                new ReviewRequest(
                                        ResourceKind.FLINK_SESSION_JOB,
                                        resource.getMetadata().getNamespace(),
                                        resource.getMetadata().getName(),
                                        whole),
                                lookup(resource, cluster));
        return violations.isEmpty()
                ? SpecReader.validated(
                        resource,
                        lastReconciled,
                        new SpecView.Valid(FlinkDeploymentSpec.parse(raw, "spec").value(), raw),
                        validators)
                : SpecView.Invalid.of(
                        raw,
                        Reason.SPEC_INVALID,
                        violations.stream().map(Violation::text).toList());
    }

    /** Finds the cluster of the job only: no other cluster was read. */
    private static Lookup lookup(FlinkSessionJob resource, Optional<FlinkDeployment> cluster) {
        return (_, _, name) ->
                resource.cluster().filter(name::equals).isPresent()
                        ? answer(cluster)
                        : new Lookup.Unknown();
    }

    private static Lookup.Answer answer(Optional<FlinkDeployment> cluster) {
        return cluster.filter(found -> found.getSpec() != null)
                .<Lookup.Answer>map(
                        found ->
                                new Lookup.Found(
                                        document(found.getMetadata().getName(), found.getSpec())))
                .orElseGet(Lookup.Absent::new);
    }

    private static ObjectNode document(String name, ObjectNode spec) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.putObject("metadata").put("name", name);
        document.set("spec", spec);
        return document;
    }
}
