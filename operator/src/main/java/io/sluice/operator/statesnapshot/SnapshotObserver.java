// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RunReader;
import io.sluice.operator.observe.SpecReview;
import io.sluice.operator.statesnapshot.SnapshotObservedState.Limits;
import io.sluice.operator.statesnapshot.SnapshotObservedState.Need;
import io.sluice.operator.statesnapshot.SnapshotRetention.Siblings;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.Redaction;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.rules.config.option.SnapshotOptions;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads a snapshot and its job. Nothing is read of what nothing depends on: a snapshot at rest
 * costs no call.
 *
 * @param address where the JobManager of a cluster answers
 * @param deployments finds a FlinkDeployment in a cache, by namespace and name
 * @param servesPairs whether the operator serves FlinkBlueGreenDeployments
 * @param validators are asked beside the built-in rules
 * @param memory of the disposals that this process asked for, and of how far savepoints are
 * @param history of the snapshots that the operator has made for each job
 */
record SnapshotObserver(
        KubernetesClient client,
        JobManagerRest rest,
        Function<FlinkDeployment, URI> address,
        BiFunction<String, String, Optional<FlinkDeployment>> deployments,
        boolean servesPairs,
        Supplier<DefaultConfiguration> defaults,
        SpecValidators validators,
        ObservationMemory memory,
        SnapshotHistory history,
        InstantSource clock) {
    SnapshotObservedState observe(FlinkStateSnapshot resource) {
        SnapshotObservedState observed = observeAlone(resource);
        return observed.identity().deleting()
                ? observed
                : observed.withSiblings(siblings(resource, observed, defaults.get()));
    }

    /** As if the job had no other snapshot. */
    SnapshotObservedState observeAlone(FlinkStateSnapshot resource) {
        ObjectMeta metadata = resource.getMetadata();
        DefaultConfiguration now = defaults.get();
        Instant time = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        boolean deleting = metadata.getDeletionTimestamp() != null;
        FlinkStateSnapshotSpec spec =
                FlinkStateSnapshotSpec.parse(orEmpty(resource.getSpec()), "spec").value();
        var status = FlinkStateSnapshotStatus.of(orEmpty(resource.getStatus()));
        Optional<SpecView.Invalid> objection =
                !deleting && status.state() == SnapshotState.TRIGGER_PENDING
                        ? new SpecReview(now, validators)
                                .objection(ResourceKind.FLINK_STATE_SNAPSHOT, resource)
                        : Optional.empty();
        SnapshotJob job =
                dependsOnJob(spec, status, objection.isPresent(), deleting)
                        ? job(metadata.getNamespace(), spec, status, now)
                        : SnapshotJob.without(
                                new SnapshotTarget.NotRead(),
                                Redaction.of(FlinkConfiguration.EMPTY));
        AsyncResult answer = answer(spec, status, job);
        memory.savepoints()
                .saw(
                        metadata.getUid(),
                        Optional.of(spec.checkpoint() ? StateKind.CHECKPOINT : StateKind.SAVEPOINT)
                                .filter(_ -> answer instanceof AsyncResult.Pending),
                        () -> statistics(status, job));
        return new SnapshotObservedState(
                identity(metadata, time),
                spec,
                objection,
                status,
                Optional.ofNullable(metadata.getLabels()).orElseGet(Map::of),
                metadata.getFinalizers().contains(SnapshotMarks.FINALIZER),
                job.target(),
                job.options(),
                job.at(),
                redacted(answer, job),
                redacted(disposal(metadata, status, job), job),
                need(metadata, status, job),
                limits(now, metadata.getNamespace()),
                Siblings.NONE,
                Polls.of(now, metadata.getNamespace()),
                time);
    }

    private SnapshotJob job(
            String namespace,
            FlinkStateSnapshotSpec spec,
            FlinkStateSnapshotStatus status,
            DefaultConfiguration now) {
        var jobs = new SnapshotJobReader(client, rest, address, now);
        return status.state() == SnapshotState.COMPLETED
                ? jobs.readForDisposal(namespace, spec.jobReference())
                : jobs.read(namespace, spec.jobReference());
    }

    private Optional<FlinkDeployment> cached(String namespace, JobReference job) {
        return job.kind()
                .filter(ResourceKind.FLINK_DEPLOYMENT::equals)
                .flatMap(_ -> job.name())
                .flatMap(name -> deployments.apply(namespace, name));
    }

    /**
     * The job is read only when a deletion may be due. As long as a cache has limits by which none
     * is, they do: a cache that is late puts a deletion off. What is deleted is beyond the limits
     * that the API server has.
     */
    private Siblings siblings(
            FlinkStateSnapshot resource, SnapshotObservedState observed, DefaultConfiguration now) {
        history.saw(resource, observed, observed.status().state());
        List<SnapshotHistory.Entry> entries =
                Siblings.decidedBy(observed.identity().uid(), history.of(resource, observed));
        if (!SnapshotRetention.isDue(entries, observed.now())) {
            return new Siblings(entries, Optional.empty());
        }
        String namespace = resource.getMetadata().getNamespace();
        Optional<JobReference> job = observed.spec().jobReference();
        var jobs = new SnapshotJobReader(client, rest, address, now);
        return new Siblings(
                entries,
                job.flatMap(it -> cached(namespace, it))
                        .map(it -> jobs.limits(it, observed.kind()))
                        .filter(it -> !SnapshotRetention.deletes(entries, it, observed.now()))
                        .or(() -> jobs.limits(namespace, job, observed.kind())));
    }

    private static SnapshotObservedState.Identity identity(ObjectMeta metadata, Instant now) {
        return new SnapshotObservedState.Identity(
                metadata.getUid(),
                Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                Optional.ofNullable(metadata.getCreationTimestamp())
                        .map(Instant::parse)
                        .orElse(now),
                metadata.getDeletionTimestamp() != null);
    }

    private static boolean dependsOnJob(
            FlinkStateSnapshotSpec spec,
            FlinkStateSnapshotStatus status,
            boolean isHeld,
            boolean deleting) {
        boolean disposes =
                spec.jobReference().isPresent()
                        && spec.savepoint().filter(SavepointSpec::disposeOnDelete).isPresent();
        return switch (status.state()) {
            case TRIGGER_PENDING -> !deleting && !isHeld && spec.jobReference().isPresent();
            case IN_PROGRESS -> !deleting || disposes;
            case COMPLETED ->
                    deleting
                            && disposes
                            && status.path().filter(path -> !path.isEmpty()).isPresent();
            case FAILED, ABANDONED -> false;
        };
    }

    /** Asks for the job on record, or for the resource's own if another operator has asked. */
    private AsyncResult answer(
            FlinkStateSnapshotSpec spec, FlinkStateSnapshotStatus status, SnapshotJob job) {
        if (status.state() != SnapshotState.IN_PROGRESS) {
            return new AsyncResult.NotAsked();
        }
        Optional<String> jobId = askedJob(status, job);
        if (job.at().isEmpty() || jobId.isEmpty() || status.triggerId().isEmpty()) {
            return new AsyncResult.Silent("there is no JobManager to ask");
        }
        URI at = job.at().get();
        String triggerId = status.triggerId().get();
        return spec.checkpoint()
                ? RunReader.answer(
                        rest.checkpoint(at, jobId.get(), triggerId),
                        told -> checkpoint(at, jobId.get(), told))
                : RunReader.savepoint(rest.savepoint(at, jobId.get(), triggerId));
    }

    private static Optional<String> askedJob(FlinkStateSnapshotStatus status, SnapshotJob job) {
        return status.attempt().jobId().or(job::jobId);
    }

    private Optional<Checkpoints> statistics(FlinkStateSnapshotStatus status, SnapshotJob job) {
        return job.at()
                .flatMap(
                        at ->
                                askedJob(status, job)
                                        .flatMap(id -> rest.checkpoints(at, id).answer()));
    }

    private AsyncResult checkpoint(URI at, String jobId, CheckpointStatus told) {
        return switch (told) {
            case CheckpointStatus.InProgress _ -> new AsyncResult.Pending();
            case CheckpointStatus.Failed(var message) -> new AsyncResult.Failed(message);
            case CheckpointStatus.Unknown _ -> new AsyncResult.Unknown();
            case CheckpointStatus.Completed(var id) ->
                    rest.checkpointDetails(at, jobId, id)
                            .answer()
                            .filter(CheckpointRef::isPathTold)
                            .map(SnapshotObserver::made)
                            .orElseGet(() -> new AsyncResult.Done(Optional.empty()));
        };
    }

    private static AsyncResult made(CheckpointRef checkpoint) {
        if (checkpoint.isAddressable()) {
            return new AsyncResult.Done(Optional.of(checkpoint.path()));
        }
        return new AsyncResult.NotKept(
                checkpoint.discarded()
                        ? "Flink has made checkpoint "
                                + checkpoint.id()
                                + " and deleted it since, because newer ones have replaced it."
                                + " A higher state.checkpoints.num-retained keeps it longer, and a"
                                + " savepoint is kept until you delete it."
                        : "Flink keeps checkpoint "
                                + checkpoint.id()
                                + " in memory only. Set execution.checkpointing.dir to have it"
                                + " stored, or create a savepoint.");
    }

    private DisposalResult disposal(
            ObjectMeta metadata, FlinkStateSnapshotStatus status, SnapshotJob job) {
        return job.at()
                .filter(_ -> isDisposed(metadata, status))
                .flatMap(
                        at ->
                                memory.request(metadata.getUid(), status.path().orElse(""))
                                        .map(id -> RunReader.disposal(rest.disposal(at, id))))
                .orElseGet(DisposalResult.NotAsked::new);
    }

    private Need need(ObjectMeta metadata, FlinkStateSnapshotStatus status, SnapshotJob job) {
        boolean isRead = !job.target().equals(new SnapshotTarget.NotRead());
        return isRead && isDisposed(metadata, status)
                ? new NeededSavepoints(client, rest, servesPairs)
                        .of(metadata.getNamespace(), status.path().orElse(""), job)
                : new Need.NotNeeded();
    }

    private static boolean isDisposed(ObjectMeta metadata, FlinkStateSnapshotStatus status) {
        return metadata.getDeletionTimestamp() != null && status.state() == SnapshotState.COMPLETED;
    }

    private static AsyncResult redacted(AsyncResult result, SnapshotJob job) {
        return result instanceof AsyncResult.Failed(var message)
                ? new AsyncResult.Failed(job.redaction().apply(message))
                : result;
    }

    private static DisposalResult redacted(DisposalResult result, SnapshotJob job) {
        return result instanceof DisposalResult.Failed(var message)
                ? new DisposalResult.Failed(job.redaction().apply(message))
                : result;
    }

    private static Limits limits(DefaultConfiguration defaults, String namespace) {
        Options options =
                new Options(
                        defaults.effective(namespace, Optional.empty(), FlinkConfiguration.EMPTY));
        return new Limits(
                options.get(SnapshotOptions.JOB_WAIT),
                options.get(LifecycleOptions.CLEANUP_TIMEOUT));
    }

    private static ObjectNode orEmpty(ObjectNode node) {
        return Optional.ofNullable(node).orElseGet(JsonNodeFactory.instance::objectNode);
    }
}
