// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.rules.cron.CronAnnotations;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One run of a cron job: a FlinkDeployment that the template owns, and that says itself which
 * template it belongs to and which time it stands for. Nothing else remembers it.
 *
 * @param fire the time it stands for
 * @param deleting whether its deletion has begun
 * @param job the job's state as its own status has it
 */
@RecordBuilder
record CronRun(
        String name,
        String uid,
        Instant fire,
        Phase phase,
        boolean deleting,
        Optional<JobState> job)
        implements CronRunBuilder.With {
    /** Names the template, on each of its runs. */
    static final String TEMPLATE_LABEL = "sluice.io/cron-template";

    /** Holds the time a run stands for. */
    static final String FIRE_ANNOTATION = "sluice.io/cron-fire-time";

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    /** How far a run is. */
    enum Phase {
        ACTIVE,
        SUCCEEDED,
        FAILED
    }

    /** A resource as a run of {@code template}; empty if it is none. */
    static Optional<CronRun> of(FlinkDeployment found, FlinkDeployment template) {
        var metadata = found.getMetadata();
        boolean owned =
                metadata.getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getUid().equals(template.getMetadata().getUid()));
        FlinkDeploymentStatus status =
                Optional.ofNullable(found.getStatus())
                        .map(FlinkDeploymentStatus::of)
                        .orElse(FlinkDeploymentStatus.NEW);
        return fire(found)
                .filter(_ -> owned)
                .map(
                        fire ->
                                new CronRun(
                                        metadata.getName(),
                                        metadata.getUid(),
                                        fire,
                                        phase(status),
                                        metadata.getDeletionTimestamp() != null,
                                        status.jobStatus().state()));
    }

    /** Whether a job of it may run: one that is being removed has to have ended for certain. */
    boolean isActive() {
        return phase == Phase.ACTIVE || (deleting && job.filter(JobState::isTerminal).isEmpty());
    }

    /** What the API server is asked to create for the run at {@code fire}. */
    static FlinkDeployment manifest(FlinkDeployment template, String name, Instant fire) {
        var run = new FlinkDeployment();
        run.getMetadata().setName(name);
        run.getMetadata().setNamespace(template.getMetadata().getNamespace());
        Map<String, String> labels = copy(template.getMetadata().getLabels());
        labels.put(TEMPLATE_LABEL, template.getMetadata().getName());
        run.getMetadata().setLabels(labels);
        Map<String, String> annotations = copy(template.getMetadata().getAnnotations());
        annotations.keySet().removeIf(key -> key.startsWith(CronAnnotations.EXPRESSION));
        annotations.remove(LAST_APPLIED);
        annotations.put(FIRE_ANNOTATION, fire.toString());
        run.getMetadata().setAnnotations(annotations);
        run.getMetadata()
                .setOwnerReferences(
                        List.of(
                                new OwnerReferenceBuilder()
                                        .withApiVersion(ApiVersion.TEXT)
                                        .withKind("FlinkDeployment")
                                        .withName(template.getMetadata().getName())
                                        .withUid(template.getMetadata().getUid())
                                        .withController(true)
                                        .withBlockOwnerDeletion(true)
                                        .build()));
        run.setSpec(template.getSpec().deepCopy());
        return run;
    }

    private static Map<String, String> copy(
            @org.jspecify.annotations.Nullable Map<String, String> map) {
        return new TreeMap<>(Optional.ofNullable(map).orElseGet(Map::of));
    }

    /**
     * A run whose job is gone for good has failed as one whose job said so. As long as its
     * JobManager answers, main() may yet submit the job: then it is not over.
     */
    private static Phase phase(FlinkDeploymentStatus status) {
        if (status.jobStatus().state().equals(Optional.of(JobState.FINISHED))) {
            return Phase.SUCCEEDED;
        }
        boolean ended = status.jobStatus().state().filter(JobState::isTerminal).isPresent();
        boolean mayYetRun = status.jobManagerDeploymentStatus() == JobManagerDeploymentState.READY;
        boolean failed = status.lifecycleState().equals(Optional.of(LifecycleState.FAILED));
        return ended || (failed && !mayYetRun) ? Phase.FAILED : Phase.ACTIVE;
    }

    private static Optional<Instant> fire(FlinkDeployment found) {
        return Optional.ofNullable(found.getMetadata().getAnnotations())
                .flatMap(all -> Optional.ofNullable(all.get(FIRE_ANNOTATION)))
                .flatMap(
                        text -> {
                            try {
                                return Optional.of(Instant.parse(text));
                            } catch (DateTimeParseException foreign) {
                                return Optional.empty();
                            }
                        });
    }
}
