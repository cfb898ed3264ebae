// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.Submission;
import io.sluice.operator.act.JobManagerEffects;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.DownloadLimit;
import io.sluice.operator.artifact.Fetched;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.operator.observe.ObservationMemory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The effects on a real session cluster. What takes long is begun, and its end is observed. */
public final class SessionJobEffects {
    private static final Logger LOG = LoggerFactory.getLogger(SessionJobEffects.class);
    private static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(2);

    private final JobManagerRest rest;
    private final ObservationMemory memory;
    private final JobManagerEffects jobs;
    private final BiConsumer<FlinkSessionJob, Action.CreateSnapshot> snapshots;
    private final Artifacts artifacts;
    private final Submissions submissions;
    private final Predicate<Attempted> isCurrent;
    private final Predicate<FlinkSessionJob> mayEnd;
    private final InstantSource clock;

    /**
     * An attempt of a resource as a reconciliation saw it.
     *
     * @param jar the id of the jar that the status has on record while the job may still appear
     */
    public record Attempted(FlinkSessionJob resource, String attempt, String jar) {}

    /**
     * @param snapshots creates a FlinkStateSnapshot
     * @param isCurrent whether the API server has this attempt on record with this jar, and its
     *     cluster takes jobs
     * @param mayEnd whether nothing is lost if the job ends now, as the resource's status asks
     */
    public SessionJobEffects(
            JobManagerRest rest,
            ObservationMemory memory,
            BiConsumer<FlinkSessionJob, Action.CreateSnapshot> snapshots,
            Artifacts artifacts,
            Submissions submissions,
            Predicate<Attempted> isCurrent,
            Predicate<FlinkSessionJob> mayEnd,
            InstantSource clock) {
        this.rest = rest;
        this.memory = memory;
        this.snapshots = snapshots;
        this.jobs = new JobManagerEffects(rest, memory);
        this.artifacts = artifacts;
        this.submissions = submissions;
        this.isCurrent = isCurrent;
        this.mayEnd = mayEnd;
        this.clock = clock;
    }

    /**
     * @param at where the resource's cluster answers
     */
    public void perform(FlinkSessionJob resource, URI at, Action action) {
        String uid = resource.getMetadata().getUid();
        String namespace = resource.getMetadata().getNamespace();
        switch (action) {
            case Action.UploadJar upload ->
                    submissions.begin(
                            namespace,
                            uid,
                            upload.attempt(),
                            () -> guarded(() -> Optional.of(upload(at, upload))));
            case Action.RunJar run ->
                    submissions.begin(
                            namespace,
                            uid,
                            run.attempt(),
                            () -> guarded(() -> run(resource, at, run)));
            case Action.DeleteJar(var jarId) -> said("a jar deleted", rest.deleteJar(at, jarId));
            case Action.OfJob asked -> {
                if (!ends(asked) || mayEnd.test(resource)) {
                    jobs.perform(at, uid, asked);
                }
            }
            case Action.CreateSnapshot creation -> snapshots.accept(resource, creation);
            case Action.ReleaseResource() -> {
                submissions.forget(uid);
                memory.forget(uid);
            }
            case Action.CreateCluster _,
                    Action.DeleteCluster _,
                    Action.StopJobManager _,
                    Action.DeleteTaskManagers _,
                    Action.ProvideTaskManagers _,
                    Action.ProvideServices _,
                    Action.ProvideConfiguration _,
                    Action.PullImages _,
                    Action.DeletePullPod _,
                    Action.ReleaseUnbegun _ ->
                    throw new IllegalArgumentException("a session job has no cluster of its own");
        }
    }

    private static boolean ends(Action.OfJob asked) {
        return switch (asked) {
            case Action.StopWithSavepoint _, Action.CancelJob _ -> true;
            case Action.TriggerSavepoint _,
                    Action.TriggerCheckpoint _,
                    Action.DisposeSavepoint _,
                    Action.ScaleInPlace _ ->
                    false;
        };
    }

    /** Whatever the JobManager says, what comes of it is observed. */
    private static void said(String what, Reply<?> reply) {
        LOG.atDebug().addKeyValue("reply", reply).log(what);
    }

    /**
     * What fails in Sluice itself, such as a class that can't be loaded, is reported and tried
     * again.
     */
    private Optional<SubmissionView> guarded(Supplier<Optional<SubmissionView>> step) {
        try {
            return step.get();
        } catch (RuntimeException | LinkageError defect) {
            LOG.warn("the step of a submission failed", defect);
            return Optional.of(notUploaded("The operator failed: " + defect));
        }
    }

    private SubmissionView upload(URI at, Action.UploadJar upload) {
        return switch (artifacts.fetch(upload.source())) {
            case Fetched.Refused(var limit, var message) ->
                    new SubmissionView.NotUploaded(
                            limit.map(SessionJobEffects::reason).orElse(Reason.SUBMISSION_REFUSED),
                            message,
                            clock.instant(),
                            1);
            case Fetched.Here(var jar) -> upload(at, jar, upload.attempt());
        };
    }

    private static Reason reason(DownloadLimit limit) {
        return switch (limit) {
            case SIZE -> Reason.JAR_TOO_LARGE;
            case TIME -> Reason.JAR_TOO_SLOW;
            case REDIRECTS -> Reason.JAR_REDIRECTS;
            case HEADER -> Reason.JAR_HEADER_TOO_LARGE;
            case ROOM -> Reason.JAR_CACHE_FULL;
        };
    }

    private SubmissionView upload(URI at, Path jar, String attempt) {
        return switch (rest.uploadJar(at, new JarUpload(jar, attempt + ".jar", UPLOAD_TIMEOUT))) {
            case Reply.Ok<String>(var jarId) -> new SubmissionView.Uploaded(jarId);
            case Reply.Refused<String>(var status, var message) ->
                    notUploaded("The JobManager refused the jar: HTTP " + status + ": " + message);
            case Reply.JobUnknown<String> _,
                    Reply.Unreachable<String> _,
                    Reply.TooLarge<String> _ ->
                    new SubmissionView.None();
        };
    }

    /**
     * If no answer comes, nobody knows what became of the request: it is repeated under the same
     * job id.
     */
    private Optional<SubmissionView> run(FlinkSessionJob resource, URI at, Action.RunJar run) {
        if (!isCurrent.test(new Attempted(resource, run.attempt(), run.jarId()))) {
            LOG.atDebug().addKeyValue("attempt", run.attempt()).log("superseded; not run");
            return Optional.of(new SubmissionView.None());
        }
        return switch (rest.runJar(at, run.jarId(), run.request())) {
            case Reply.Ok<Submission>(var submission) ->
                    switch (submission) {
                        case SUBMITTED -> Optional.empty();
                        case KNOWN_ALREADY ->
                                Optional.of(new SubmissionView.KnownAlready(clock.instant()));
                        case NO_SUCH_JAR -> Optional.of(new SubmissionView.JarLost());
                    };
            case Reply.Refused<Submission>(var status, var message) ->
                    Optional.of(
                            new SubmissionView.Refused(
                                    "HTTP " + status + ": " + message, clock.instant()));
            case Reply.JobUnknown<Submission> _,
                    Reply.Unreachable<Submission> _,
                    Reply.TooLarge<Submission> _ ->
                    Optional.of(new SubmissionView.None());
        };
    }

    private SubmissionView notUploaded(String message) {
        return new SubmissionView.NotUploaded(message, clock.instant());
    }
}
