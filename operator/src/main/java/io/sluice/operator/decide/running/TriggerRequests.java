// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.StateTrigger;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest.SavepointFormat;
import io.sluice.operator.decide.step.SavepointOptions;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.Action;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.SnapshotOptions;
import java.util.Optional;

/** Makes the request for a savepoint or a checkpoint, by the running job's options. */
final class TriggerRequests {
    private static final String INCREMENTAL = "INCREMENTAL";

    private TriggerRequests() {}

    /** {@code formatType} as the wire has it. */
    static String format(Options running, StateKind kind) {
        return switch (kind) {
            case SAVEPOINT ->
                    SavepointOptions.format(running).orElse(SavepointFormat.CANONICAL).name();
            case CHECKPOINT ->
                    running.get(SnapshotOptions.CHECKPOINT_TYPE).equalsIgnoreCase(INCREMENTAL)
                            ? INCREMENTAL
                            : CheckpointRequest.Type.FULL.name();
        };
    }

    /** Why Flink would not even take the request up. */
    static Optional<String> obstacle(StepContext context, StateKind kind) {
        return switch (kind) {
            case SAVEPOINT ->
                    context.running().savepointFolder().isPresent()
                            ? Optional.empty()
                            : Optional.of(
                                    "the running job has no savepoint folder; set "
                                            + FlinkOptions.SAVEPOINT_FOLDER.key()
                                            + " in spec.flinkConfiguration");
            case CHECKPOINT ->
                    TriggerSchedule.isSupported(context, kind)
                            ? Optional.empty()
                            : Optional.of("checkpoints can be asked for since Flink 1.17");
        };
    }

    static Action action(StepContext context, StateKind kind, StateTrigger trigger) {
        String id = trigger.id().orElseThrow();
        return switch (kind) {
            case SAVEPOINT ->
                    new Action.TriggerSavepoint(
                            context.jobId(),
                            new SavepointRequest(
                                    id, context.running().savepointFolder(), savepoint(trigger)));
            case CHECKPOINT ->
                    new Action.TriggerCheckpoint(
                            context.jobId(), new CheckpointRequest(id, type(trigger)));
        };
    }

    private static SavepointFormat savepoint(StateTrigger trigger) {
        return trigger.format().equals(SavepointFormat.NATIVE.name())
                ? SavepointFormat.NATIVE
                : SavepointFormat.CANONICAL;
    }

    /** Flink knows no incremental one by name: it is what the job is configured to make. */
    private static CheckpointRequest.Type type(StateTrigger trigger) {
        return trigger.format().equals(INCREMENTAL)
                ? CheckpointRequest.Type.CONFIGURED
                : CheckpointRequest.Type.FULL;
    }
}
