// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * What a FlinkDeployment says of its job. Texts are empty where it says nothing.
 *
 * @param isSettled whether the condition Ready is true at the present generation, and the state of
 *     the lifecycle STABLE
 * @param lifecycle the state of the lifecycle
 * @param state of the job, as Flink calls it
 * @param reason of the condition Ready
 * @param message of the condition Ready
 * @param downtime of the last upgrade, for people
 */
record JobStatus(
        boolean isSettled,
        String lifecycle,
        String state,
        String jobId,
        String image,
        long restartNonce,
        String reason,
        String message,
        String downtime) {
    static JobStatus of(JsonNode deployment) {
        JsonNode status = deployment.path("status");
        JsonNode ready =
                status.path("conditions")
                        .valueStream()
                        .filter(each -> each.path("type").asText().equals("Ready"))
                        .findFirst()
                        .orElse(MissingNode.getInstance());
        String lifecycle = status.path("lifecycleState").asText();
        boolean isObserved =
                deployment.at("/metadata/generation").asLong(0)
                        == status.path("observedGeneration").asLong(-1);
        return new JobStatus(
                isObserved
                        && ready.path("status").asText().equals("True")
                        && lifecycle.equals("STABLE"),
                lifecycle,
                status.at("/jobStatus/state").asText(),
                status.at("/jobStatus/jobId").asText(),
                deployment.at("/spec/image").asText(),
                deployment.at("/spec/restartNonce").asLong(0),
                ready.path("reason").asText(),
                ready.path("message").asText(),
                status.at("/lastUpgrade/downtime").asText());
    }

    /** In one line, for people. */
    String text() {
        String states = (lifecycle + " " + state).strip();
        return reason.isEmpty() ? states : states + " · " + reason + ": " + message;
    }
}
