// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.trial.program.Kubectl;
import io.sluice.cli.trial.program.Polling;
import io.sluice.cli.trial.program.Tell;
import io.sluice.cli.trial.program.TrialFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExampleJobTest {
    private Instant now = Trials.BEGAN;
    private final StringWriter out = new StringWriter();
    private final ScriptedPrograms programs = new ScriptedPrograms();

    @Test
    void saysHowManyRecordsWereLost() {
        programs.printing("-o json", deployment("STABLE", "ImageNotPulled", "no-such-image"))
                .printing(
                        "jobs/overview",
                        "{\"jobs\": [{\"jid\": \"a1\", \"tasks\": {\"total\": 2, \"running\": 2}}]}")
                .printing("a1/checkpoints", "{\"latest\": {\"completed\": {\"id\": 3}}}")
                .printing(
                        "subtasks/metrics",
                        "[{\"id\": \"work.processed\", \"sum\": 40.0}, {\"id\": \"work.deviation\", \"sum\": 3.0}]")
                .printing(
                        "jobs/a1", "{\"vertices\": [{\"id\": \"v\", \"name\": \"work -> sink\"}]}");

        assertThatThrownBy(() -> job(Example.STATEFUL).breakImage())
                .hasMessage("of the records so far 3 were lost (below zero: counted twice)");
    }

    @Test
    void saysWhatTheResourceAndTheEventsSayOfAJobThatDoesNotRun() {
        programs.printing(
                        "get events",
                        """
                        {"items": [{"type": "Warning", "reason": "BackOff", "message": "no image",
                         "involvedObject": {"kind": "Pod", "name": "first-1"}}]}
                        """)
                .printing("field-selector", "{\"items\": []}")
                .printing(
                        "-o json",
                        deployment("DEPLOYED", "PodProblem", "pod first-1: ImagePullBackOff"));

        assertThatThrownBy(() -> job(Example.FIRST).run(Optional.empty()))
                .hasMessage("waited 10 minutes for the job to run")
                .isInstanceOfSatisfying(
                        TrialFailure.class,
                        failed ->
                                assertThat(failed.details())
                                        .contains(
                                                "first: DEPLOYED RUNNING · PodProblem: pod first-1:"
                                                        + " ImagePullBackOff",
                                                "Warning BackOff Pod first-1: no image")
                                        .anyMatch(
                                                line -> line.contains("describe flinkdep first")));
    }

    private static String deployment(String lifecycle, String reason, String message) {
        return """
        {"metadata": {"generation": 2}, "spec": {"image": "flink:1.20"},
         "status": {"observedGeneration": 2, "lifecycleState": "%s",
          "jobStatus": {"state": "RUNNING", "jobId": "a1"},
          "conditions": [{"type": "Ready", "status": "True", "reason": "%s", "message": "%s"}]}}
        """
                .formatted(lifecycle, reason, message);
    }

    private ExampleJob job(Example example) {
        var tell = new Tell(new PrintWriter(out, true), () -> now);
        var polling = new Polling(tell, () -> now, pause -> now = now.plus(pause));
        return new ExampleJob(new Kubectl(programs, "mine"), tell, polling, example);
    }
}
