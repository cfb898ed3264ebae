// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Fields;
import java.util.List;
import java.util.Optional;

/** {@code spec.job}: the job to run, for an application cluster or a session job. */
public record JobSpec(
        Optional<String> jarUri,
        Optional<String> entryClass,
        List<String> args,
        Optional<Integer> parallelism,
        DesiredJobState state,
        UpgradeMode upgradeMode,
        Optional<String> initialSavepointPath,
        Optional<Boolean> allowNonRestoredState,
        Optional<Long> savepointTriggerNonce,
        Optional<Long> checkpointTriggerNonce,
        Optional<Long> savepointRedeployNonce,
        Optional<Long> autoscalerResetNonce) {

    public JobSpec {
        args = List.copyOf(args);
    }

    static JobSpec read(Fields fields) {
        return new JobSpec(
                fields.string("jarURI"),
                fields.string("entryClass"),
                fields.strings("args"),
                fields.int32("parallelism"),
                fields.choice("state", DesiredJobState.WORDS).orElse(DesiredJobState.RUNNING),
                fields.choice("upgradeMode", UpgradeMode.WORDS).orElse(UpgradeMode.STATELESS),
                fields.string("initialSavepointPath"),
                fields.bool("allowNonRestoredState"),
                fields.int64("savepointTriggerNonce"),
                fields.int64("checkpointTriggerNonce"),
                fields.int64("savepointRedeployNonce"),
                fields.int64("autoscalerResetNonce"));
    }
}
