// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.RawResource;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.Reply;
import io.sluice.operator.model.SavepointLocation;
import io.sluice.operator.reconcile.Controller;
import io.sluice.operator.statesnapshot.SnapshotObservedState.Need;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a job of the namespace needs a savepoint: was restored from it, may be restored from it,
 * or has no later one on record. Resources are read in pages, straight from the API server: a cache
 * that is late may not have the edit that names the savepoint.
 *
 * @param servesPairs whether the operator serves FlinkBlueGreenDeployments, whose CRD is then there
 */
public record NeededSavepoints(KubernetesClient client, JobManagerRest rest, boolean servesPairs) {
    private static final String FILE = "file:";

    /** Where a spec names what a job is started from; the second one is a pair's. */
    private static final Map<String, String> OF_SPEC =
            Map.of(
                    "/job/initialSavepointPath", "spec.job.initialSavepointPath",
                    "/template/spec/job/initialSavepointPath",
                            "spec.template.spec.job.initialSavepointPath");

    /** Where a status names what a job is or may be restored from. */
    private static final Map<String, String> OF_STATUS =
            Map.of(
                    "/jobStatus/upgradeSavepointPath", "status.jobStatus.upgradeSavepointPath",
                    "/jobStatus/savepointInfo/lastSavepoint/location",
                            "status.jobStatus.savepointInfo.lastSavepoint",
                    "/attempt/lastCheckpoint", "status.attempt.lastCheckpoint",
                    "/attempt/replaced/lastCheckpoint", "status.attempt.replaced.lastCheckpoint",
                    "/transition/savepoint/path", "status.transition.savepoint",
                    "/registration/path", "status.registration");

    /** Specs that a status holds, as text. */
    private static final Map<String, String> SPECS_OF_STATUS =
            Map.of(
                    "/reconciliationStatus/lastReconciledSpec", "the last reconciled spec",
                    "/reconciliationStatus/lastStableSpec", "the last stable spec",
                    "/lastReconciledSpec", "the last reconciled spec",
                    "/activeSpec", "the spec of the active half",
                    "/transition/spec", "the spec of the transition");

    /**
     * @param job the snapshot's own, whose JobManager knows what it was restored from
     */
    Need of(String namespace, String location, SnapshotJob job) {
        String path = normal(location);
        Optional<String> named =
                named(FlinkDeployment.class, namespace, path)
                        .or(() -> named(FlinkSessionJob.class, namespace, path))
                        .or(
                                () ->
                                        servesPairs
                                                ? named(
                                                        FlinkBlueGreenDeployment.class,
                                                        namespace,
                                                        path)
                                                : Optional.empty());
        return named.<Need>map(Need.Needed::new).orElseGet(() -> ofRun(path, job));
    }

    private Need ofRun(String path, SnapshotJob job) {
        return job.at()
                .flatMap(at -> job.jobId().map(id -> ofRun(path, at, id, job.target())))
                .orElseGet(Need.NotNeeded::new);
    }

    private Need ofRun(String path, URI at, String jobId, SnapshotTarget target) {
        return switch (rest.checkpoints(at, jobId)) {
            case Reply.Ok<Checkpoints>(var checkpoints) ->
                    checkpoints
                            .restored()
                            .map(CheckpointRef::path)
                            .map(NeededSavepoints::normal)
                            .filter(path::equals)
                            .<Need>map(_ -> new Need.Needed("the running job was restored from it"))
                            .orElseGet(Need.NotNeeded::new);
            case Reply.JobUnknown<Checkpoints> _ -> unlisted(target);
            case Reply.Refused<Checkpoints> _,
                    Reply.Unreachable<Checkpoints> _,
                    Reply.TooLarge<Checkpoints> _ ->
                    new Need.Unread();
        };
    }

    /**
     * A JobManager that has just started does not know the job that it recovers, from what the job
     * was restored from if there is no checkpoint.
     */
    private static Need unlisted(SnapshotTarget target) {
        return switch (target) {
            case SnapshotTarget.Up _, SnapshotTarget.Busy _ -> new Need.Unread();
            case SnapshotTarget.NotRead _,
                    SnapshotTarget.Gone _,
                    SnapshotTarget.Leaving _,
                    SnapshotTarget.AtRest _,
                    SnapshotTarget.Ended _ ->
                    new Need.NotNeeded();
        };
    }

    private <R extends RawResource> Optional<String> named(
            Class<R> kind, String namespace, String path) {
        String next = "";
        do {
            ListOptions page =
                    next.isEmpty()
                            ? new ListOptionsBuilder().withLimit(Controller.PAGE).build()
                            : new ListOptionsBuilder()
                                    .withLimit(Controller.PAGE)
                                    .withContinue(next)
                                    .build();
            KubernetesResourceList<R> found =
                    client.resources(kind).inNamespace(namespace).list(page);
            Optional<String> named =
                    found.getItems().stream().flatMap(it -> named(it, path).stream()).findFirst();
            if (named.isPresent()) {
                return named;
            }
            next = Optional.ofNullable(found.getMetadata().getContinue()).orElse("");
        } while (!next.isEmpty());
        return Optional.empty();
    }

    /** The field by which the resource names the savepoint at {@code location}, if it does. */
    public static Optional<String> named(RawResource resource, String location) {
        String path = normal(location);
        Optional<ObjectNode> status = Optional.ofNullable(resource.getStatus());
        Stream<String> fields =
                Stream.concat(
                        Optional.ofNullable(resource.getSpec()).stream()
                                .flatMap(spec -> inSpec(spec, path)),
                        status.stream().flatMap(it -> named(it, path)));
        return fields.findFirst()
                .map(
                        field ->
                                resource.getKind()
                                        + " "
                                        + resource.getMetadata().getName()
                                        + " needs it, as "
                                        + field
                                        + " says");
    }

    private static Stream<String> named(ObjectNode status, String path) {
        return Stream.concat(
                OF_STATUS.entrySet().stream()
                        .filter(field -> isAt(status, field.getKey(), path))
                        .map(Map.Entry::getValue),
                SPECS_OF_STATUS.entrySet().stream()
                        .filter(
                                field ->
                                        ReconciledSpec.decode(status.at(field.getKey()).asText())
                                                .filter(
                                                        it ->
                                                                inSpec(it.spec(), path)
                                                                        .findAny()
                                                                        .isPresent())
                                                .isPresent())
                        .map(Map.Entry::getValue));
    }

    private static Stream<String> inSpec(ObjectNode spec, String path) {
        return OF_SPEC.entrySet().stream()
                .filter(field -> isAt(spec, field.getKey(), path))
                .map(Map.Entry::getValue);
    }

    private static boolean isAt(ObjectNode node, String pointer, String path) {
        String text = node.at(pointer).asText("");
        return !text.isEmpty() && normal(text).equals(path);
    }

    /** Without the scheme that the spec of a pair's half lacks. */
    private static String normal(String location) {
        String path = SavepointLocation.normal(location);
        return path.startsWith(FILE) ? path.substring(FILE.length()) : path;
    }
}
