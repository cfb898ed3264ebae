// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.snapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.JobLog;
import io.sluice.api.status.RequestedSnapshot;
import io.sluice.api.status.StateTrigger;
import io.sluice.api.status.TriggerType;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.RunView.SnapshotView;
import io.sluice.operator.model.RunView.Snapshots;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.SnapshotOptions;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the FlinkStateSnapshots of a job straight from the API server: those that its status has on
 * record; before an upgrade, those for which Flink was asked; and before the first periodic one
 * that the status would have on record, those of another operator. A job that has requested none
 * and that is not about to be ended costs no request.
 *
 * @param client empty if the operator serves no FlinkStateSnapshots: their CRD is not installed, or
 *     it may not watch them
 * @param refused the creations that were refused
 */
public record SnapshotReader(Optional<KubernetesClient> client, RefusedSnapshots refused) {
    /** Of an operator that serves none. */
    public static final SnapshotReader NONE =
            new SnapshotReader(Optional.empty(), new RefusedSnapshots());

    /**
     * Reads what a decision about {@code resource} depends on.
     *
     * @param resource a FlinkDeployment or FlinkSessionJob
     * @param log what its status has on record
     * @param job as its JobManager has told it
     * @param mayEnd whether the reconciliation may come to end the job
     * @param running the options that the job runs with
     */
    public Snapshots of(
            HasMetadata resource,
            JobLog log,
            JobView job,
            boolean mayEnd,
            Options running,
            Instant now) {
        if (client.isEmpty()) {
            return Snapshots.NONE;
        }
        KubernetesClient api = client.get();
        Map<String, SnapshotView> requested = new TreeMap<>();
        for (StateKind kind : StateKind.values()) {
            log.of(kind)
                    .trigger()
                    .flatMap(StateTrigger::snapshot)
                    .map(RequestedSnapshot::name)
                    .ifPresent(
                            name ->
                                    requested.put(
                                            name,
                                            view(
                                                    api,
                                                    resource.getMetadata().getNamespace(),
                                                    resource.getMetadata().getUid(),
                                                    reference(resource),
                                                    name)));
        }
        boolean isUp = job instanceof JobView.Seen seen && seen.isUp();
        Map<StateKind, Instant> periodic = new EnumMap<>(StateKind.class);
        for (StateKind kind : StateKind.values()) {
            if (isUp && isFirstDue(resource, log, kind, running, now)) {
                lastPeriodic(api, resource, kind).ifPresent(last -> periodic.put(kind, last));
            }
        }
        return new Snapshots(
                true, requested, isUp && mayEnd ? inProgress(api, resource) : List.of(), periodic);
    }

    /** Whether the operator serves FlinkStateSnapshots. */
    public boolean serves() {
        return client.isPresent();
    }

    /**
     * Reads one that was to be created.
     *
     * @param uid of the resource that was to create it
     * @param job that it is of
     */
    public SnapshotView named(String namespace, String uid, JobReference job, String name) {
        return client.map(api -> view(api, namespace, uid, job, name))
                .orElseGet(SnapshotView.NotRead::new);
    }

    /** Whether a periodic one would be due of a job whose status tells of none. */
    private static boolean isFirstDue(
            HasMetadata resource, JobLog log, StateKind kind, Options running, Instant now) {
        Instant created = Instant.parse(resource.getMetadata().getCreationTimestamp());
        return log.of(kind).lastPeriodic().isEmpty()
                && log.of(kind).trigger().isEmpty()
                && running.get(SnapshotOptions.interval(kind))
                        .flatMap(schedule -> schedule.due(created, now))
                        .isPresent();
    }

    /** When the newest periodic one was created, whatever became of it. */
    private static Optional<Instant> lastPeriodic(
            KubernetesClient api, HasMetadata resource, StateKind kind) {
        return api
                .resources(FlinkStateSnapshot.class)
                .inNamespace(resource.getMetadata().getNamespace())
                .withLabel(FlinkStateSnapshot.TRIGGER_TYPE_LABEL, TriggerType.PERIODIC.wire())
                .list()
                .getItems()
                .stream()
                .filter(it -> isOf(resource, it))
                .filter(it -> (kind == StateKind.CHECKPOINT) == spec(it).checkpoint())
                .map(it -> Instant.parse(it.getMetadata().getCreationTimestamp()))
                .max(Comparator.naturalOrder());
    }

    private SnapshotView view(
            KubernetesClient api, String namespace, String uid, JobReference job, String name) {
        Optional<FlinkStateSnapshot> found =
                Optional.ofNullable(
                        api.resources(FlinkStateSnapshot.class)
                                .inNamespace(namespace)
                                .withName(name)
                                .get());
        if (found.isEmpty()) {
            return refused.of(uid, name)
                    .<SnapshotView>map(SnapshotView.Refused::new)
                    .orElseGet(SnapshotView.Absent::new);
        }
        return isOf(job, found.get())
                ? view(status(found.get()))
                : new SnapshotView.Refused("one of this name belongs to another job");
    }

    private static SnapshotView view(FlinkStateSnapshotStatus status) {
        return switch (status.state()) {
            case TRIGGER_PENDING -> new SnapshotView.Waiting();
            case IN_PROGRESS -> new SnapshotView.InProgress();
            case COMPLETED -> new SnapshotView.Complete(status.path());
            case FAILED, ABANDONED -> new SnapshotView.Failed(status.error().orElse(""));
        };
    }

    /** The label with the job's name is set before Flink is asked. */
    private static List<String> inProgress(KubernetesClient api, HasMetadata resource) {
        var all =
                api.resources(FlinkStateSnapshot.class)
                        .inNamespace(resource.getMetadata().getNamespace());
        List<FlinkStateSnapshot> found =
                FlinkStateSnapshot.jobLabel(resource.getMetadata().getName())
                        .map(name -> all.withLabel(FlinkStateSnapshot.JOB_NAME_LABEL, name).list())
                        .orElseGet(all::list)
                        .getItems();
        return found.stream()
                .filter(it -> isOf(resource, it))
                .filter(it -> status(it).state() == SnapshotState.IN_PROGRESS)
                .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                .map(it -> it.getMetadata().getName())
                .toList();
    }

    private static boolean isOf(HasMetadata resource, FlinkStateSnapshot snapshot) {
        return isOf(reference(resource), snapshot);
    }

    private static boolean isOf(JobReference job, FlinkStateSnapshot snapshot) {
        return spec(snapshot).jobReference().equals(Optional.of(job));
    }

    private static JobReference reference(HasMetadata resource) {
        return new JobReference(
                Optional.ofNullable(ResourceKind.WORDS.get(resource.getKind())),
                Optional.of(resource.getMetadata().getName()));
    }

    private static FlinkStateSnapshotSpec spec(FlinkStateSnapshot snapshot) {
        return FlinkStateSnapshotSpec.parse(orEmpty(snapshot.getSpec()), "spec").value();
    }

    private static FlinkStateSnapshotStatus status(FlinkStateSnapshot snapshot) {
        return FlinkStateSnapshotStatus.of(orEmpty(snapshot.getStatus()));
    }

    private static ObjectNode orEmpty(ObjectNode node) {
        return Optional.ofNullable(node).orElseGet(JsonNodeFactory.instance::objectNode);
    }
}
