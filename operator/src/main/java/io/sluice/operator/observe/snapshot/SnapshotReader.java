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
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.RunView.SnapshotView;
import io.sluice.operator.model.RunView.Snapshots;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the FlinkStateSnapshots of a job straight from the API server: those that its status has on
 * record, and, before an upgrade, those for which Flink was asked. A job that has requested none
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
     */
    public Snapshots of(HasMetadata resource, JobLog log, JobView job, boolean mayEnd) {
        return client.map(api -> read(api, resource, log, job, mayEnd)).orElse(Snapshots.NONE);
    }

    private Snapshots read(
            KubernetesClient api, HasMetadata resource, JobLog log, JobView job, boolean mayEnd) {
        Map<String, SnapshotView> requested = new TreeMap<>();
        for (StateKind kind : StateKind.values()) {
            log.of(kind)
                    .trigger()
                    .flatMap(StateTrigger::snapshot)
                    .map(RequestedSnapshot::name)
                    .ifPresent(name -> requested.put(name, view(api, resource, name)));
        }
        boolean mayInterrupt = mayEnd && job instanceof JobView.Seen seen && seen.isUp();
        return new Snapshots(true, requested, mayInterrupt ? inProgress(api, resource) : List.of());
    }

    private SnapshotView view(KubernetesClient api, HasMetadata resource, String name) {
        Optional<FlinkStateSnapshot> found =
                Optional.ofNullable(
                        api.resources(FlinkStateSnapshot.class)
                                .inNamespace(resource.getMetadata().getNamespace())
                                .withName(name)
                                .get());
        if (found.isEmpty()) {
            return refused.of(resource.getMetadata().getUid(), name)
                    .<SnapshotView>map(SnapshotView.Refused::new)
                    .orElseGet(SnapshotView.Absent::new);
        }
        return isOf(resource, found.get())
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
        FlinkStateSnapshotSpec spec =
                FlinkStateSnapshotSpec.parse(orEmpty(snapshot.getSpec()), "spec").value();
        return spec.jobReference()
                .filter(it -> it.name().equals(Optional.of(resource.getMetadata().getName())))
                .flatMap(JobReference::kind)
                .map(ResourceKind::wire)
                .equals(Optional.of(resource.getKind()));
    }

    private static FlinkStateSnapshotStatus status(FlinkStateSnapshot snapshot) {
        return FlinkStateSnapshotStatus.of(orEmpty(snapshot.getStatus()));
    }

    private static ObjectNode orEmpty(ObjectNode node) {
        return Optional.ofNullable(node).orElseGet(JsonNodeFactory.instance::objectNode);
    }
}
