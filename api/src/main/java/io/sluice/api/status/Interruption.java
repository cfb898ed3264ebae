// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.spec.UpgradeMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * {@code status.attempt.interruption}: an upgrade has taken down a job that ran, and no job of the
 * resource has been seen to run since. It is recorded in the status write that precedes the request
 * to stop the job, and is kept over the attempts that follow, until {@link LastUpgrade} takes its
 * place. So it outlives the operator's process.
 *
 * @param since when the operator was about to ask the job to stop, by the operator's clock, in
 *     whole milliseconds
 * @param mode the {@code spec.job.upgradeMode} of the spec that the job was stopped for
 */
public record Interruption(Instant since, UpgradeMode mode) {
    public Interruption {
        since = since.truncatedTo(ChronoUnit.MILLIS);
    }

    static Optional<Interruption> read(Fields fields) {
        return fields.string("since")
                .flatMap(StatusJson::instant)
                .flatMap(
                        since ->
                                fields.choice("upgradeMode", UpgradeMode.WORDS)
                                        .map(mode -> new Interruption(since, mode)));
    }

    void writeTo(ObjectNode node) {
        node.put("since", since.toString()).put("upgradeMode", mode.wire());
    }
}
