// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.trial.FlinkRest.Count;
import io.sluice.cli.trial.program.Events;
import io.sluice.cli.trial.program.Kubectl;
import io.sluice.cli.trial.program.Polling;
import io.sluice.cli.trial.program.Programs.Outcome;
import io.sluice.cli.trial.program.Tell;
import io.sluice.cli.trial.program.TrialFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The example on the cluster: created, upgraded, and given a wrong image. */
final class ExampleJob {
    /** The image of the job has to be pulled, which may be slow. */
    private static final Duration START = Duration.ofMinutes(10);

    private static final Duration ACCEPTANCE = Duration.ofSeconds(30);
    private static final Duration CHANGE = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMinutes(2);
    private static final String KIND = "flinkdeployments.flink.apache.org";

    /** A name that no registry will ever have. */
    private static final String WRONG_IMAGE = "registry.invalid/no-such-image:none";

    /** The reason of the condition Ready while the former spec runs on for want of an image. */
    private static final String NOT_PULLED = "ImageNotPulled";

    private final Kubectl kubectl;
    private final Tell tell;
    private final Polling polling;
    private final Example example;
    private final FlinkRest rest;

    ExampleJob(Kubectl kubectl, Tell tell, Polling polling, Example example) {
        this.kubectl = kubectl;
        this.tell = tell;
        this.polling = polling;
        this.example = example;
        this.rest = new FlinkRest(kubectl, example);
    }

    /**
     * Creates it, and waits until it runs.
     *
     * @param image instead of that of its file
     */
    void run(Optional<String> image) {
        tell.step("A job: " + example.file() + ", in the namespace " + Trial.NAME);
        deleteOthers();
        image.ifPresent(each -> tell.say("with spec.image: " + each));
        apply(ExampleManifest.of(example, image));
        tell.say("the FlinkDeployment is created; to see it:");
        tell.command(
                kubectl.command(
                        "get", "flinkdep", example.resource(), "-n", Trial.NAME, "-o", "yaml"));
        JobStatus status = settled("the job to run", START, _ -> true);
        tell.seen("job " + status.jobId() + " is " + status.state() + ", and the resource STABLE");
    }

    /** An API server needs a moment until it knows the certificate of a new webhook. */
    private void apply(JsonNode list) {
        boolean applied =
                polling.until(
                        "the example to be accepted",
                        ACCEPTANCE,
                        () -> "",
                        () -> kubectl.apply(list).succeeded());
        if (applied) {
            return;
        }
        Outcome last = kubectl.apply(list);
        if (!last.succeeded()) {
            throw failure("the example is refused: " + last.complaint());
        }
    }

    private void deleteOthers() {
        String[] others = {
            KIND,
            "-n",
            Trial.NAME,
            "-l",
            Trial.LABEL + "=" + Trial.NAME,
            "--field-selector",
            "metadata.name!=" + example.resource()
        };
        boolean isAlone =
                Kubectl.items(kubectl.read(with(others, "get", "-o", "json"))).findAny().isEmpty();
        if (isAlone) {
            return;
        }
        tell.say("the example of an earlier trial is deleted first");
        String[] deletion = with(others, "delete", "--timeout=180s");
        Outcome deleted =
                polling.meanwhile(
                        "the former example to be gone",
                        CHANGE,
                        () -> "",
                        () -> kubectl.waiting(CHANGE, deletion));
        if (!deleted.succeeded()) {
            throw new TrialFailure("the former example is not gone: " + deleted.complaint());
        }
    }

    private static String[] with(String[] subject, String verb, String... options) {
        List<String> words = new ArrayList<>(List.of(verb));
        words.addAll(List.of(subject));
        words.addAll(List.of(options));
        return words.toArray(String[]::new);
    }

    /** Upgrades it by its savepoint, and compares what its state counts. */
    void upgrade() {
        tell.step("The job is upgraded, with its state");
        String former = current().jobId();
        Count before = countedAfterCheckpoint(former);
        patch("{\"spec\":{\"restartNonce\":" + (current().restartNonce() + 1) + "}}");
        JobStatus status =
                settled("the upgraded job to run", CHANGE, now -> !now.jobId().equals(former));
        tell.seen(
                "job "
                        + status.jobId()
                        + " runs in place of "
                        + former
                        + (status.downtime().isEmpty()
                                ? ""
                                : "; no job ran for " + status.downtime()));
        tell.say("restored from " + rest.restoredFrom(status.jobId()));
        compare(before, status.jobId());
    }

    /** Gives it an image that can't be pulled, which does not stop it, and takes it back. */
    void breakImage() {
        tell.step("A spec with an image that can't be pulled: the job is not stopped for it");
        JobStatus former = current();
        Optional<Count> before =
                example.keepsState()
                        ? Optional.of(countedAfterCheckpoint(former.jobId()))
                        : Optional.empty();
        patch("{\"spec\":{\"image\":\"" + WRONG_IMAGE + "\"}}");
        await(
                "the status to say that the image can't be pulled",
                LOOK,
                () -> find().filter(now -> now.reason().equals(NOT_PULLED)).isPresent());
        JobStatus wrong = current();
        tell.seen("the condition Ready says what is wrong: " + wrong.reason());
        tell.say(wrong.message());
        patch("{\"spec\":{\"image\":\"" + former.image() + "\"}}");
        JobStatus status =
                settled(
                        "the spec to be as before",
                        CHANGE,
                        now -> now.image().equals(former.image()));
        if (!status.jobId().equals(former.jobId())) {
            throw failure("the job was stopped for an image that can't be pulled");
        }
        tell.seen("job " + status.jobId() + " has run all the while, in " + status.image());
        before.ifPresent(count -> compare(count, status.jobId()));
    }

    private Count countedAfterCheckpoint(String jobId) {
        await("a checkpoint", LOOK, () -> rest.hasCheckpoint(jobId));
        await("what the job counts", LOOK, () -> rest.count(jobId).isPresent());
        return rest.count(jobId).orElseThrow(() -> failure("the job does not say what it counts"));
    }

    private void compare(Count before, String jobId) {
        await(
                "the count to pass " + before.records(),
                LOOK,
                () ->
                        rest.count(jobId)
                                .filter(now -> now.records() >= before.records())
                                .isPresent());
        Count now =
                rest.count(jobId).orElseThrow(() -> failure("the job does not say what it counts"));
        if (now.lost() != 0) {
            throw failure(
                    "of the records so far "
                            + now.lost()
                            + " were lost (below zero: counted twice)");
        }
        tell.seen(
                "its state counts records: "
                        + before.records()
                        + " before, "
                        + now.records()
                        + " now; none lost, none counted twice");
    }

    private void patch(String patch) {
        String[] arguments = {
            "patch", KIND, example.resource(), "-n", Trial.NAME, "--type=merge", "-p", patch
        };
        tell.command(kubectl.command(arguments));
        Outcome patched = kubectl.run(arguments);
        if (!patched.succeeded()) {
            throw failure("the edit is refused: " + patched.complaint());
        }
    }

    private JobStatus settled(String what, Duration limit, Predicate<JobStatus> also) {
        await(
                what,
                limit,
                () ->
                        find().filter(JobStatus::isSettled)
                                .filter(also)
                                .filter(now -> rest.runs(now.jobId()))
                                .isPresent());
        return current();
    }

    private void await(String what, Duration limit, BooleanSupplier holds) {
        if (!polling.until(what, limit, () -> find().map(JobStatus::text).orElse(""), holds)) {
            throw failure("waited " + limit.toMinutes() + " minutes for " + what);
        }
    }

    private Optional<JobStatus> find() {
        return kubectl.find("get", KIND, example.resource(), "-n", Trial.NAME, "-o", "json")
                .map(JobStatus::of);
    }

    private JobStatus current() {
        return JobStatus.of(
                kubectl.read("get", KIND, example.resource(), "-n", Trial.NAME, "-o", "json"));
    }

    /** With what the resource and the events say, and what to do. */
    private TrialFailure failure(String what) {
        List<String> details = new ArrayList<>();
        find().ifPresent(now -> details.add(example.resource() + ": " + now.text()));
        details.addAll(Events.last(kubectl, Trial.NAME));
        details.add("");
        details.add("docs/troubleshoot.md explains each reason. Look at:");
        details.add(
                Tell.typed(
                        kubectl.command(
                                "describe", "flinkdep", example.resource(), "-n", Trial.NAME)));
        details.add(
                Tell.typed(
                        kubectl.command(
                                "logs", "-n", Trial.NAME, "deployment/" + example.resource())));
        return new TrialFailure(what, details);
    }
}
