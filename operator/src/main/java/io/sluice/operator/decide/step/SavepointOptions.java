// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.flink.rest.request.StopRequest.SavepointFormat;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.rules.config.option.SnapshotOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * Says which spec each option of a stop with a savepoint is taken from. The JobManager that makes
 * the savepoint runs with the former spec, and the job goes on with the wanted one.
 *
 * <pre>
 *   savepoint folder, format, drain     the wanted spec where it names them, else the running one
 *   folder of every second try          the running spec, should it name another one
 *   execution.checkpointing.timeout     the running spec: its JobManager keeps to that
 *   high availability                   both: what the former left has to be what the next one reads
 *   kept results                        the running spec, see {@link StepContext#leavesEnded}
 *   retention of checkpoints            neither: the JobManager is asked, see {@code UpgradePlan}
 * </pre>
 *
 * @param running the effective configuration of what runs
 * @param wanted what the wanted spec itself names, without defaults
 * @param next the effective configuration of the wanted spec
 */
public record SavepointOptions(Options running, Options wanted, Options next) {
    public static SavepointOptions of(StepContext context) {
        return new SavepointOptions(
                context.running(),
                new Options(context.spec().flinkConfiguration()),
                new Options(context.effective()));
    }

    /**
     * Where the savepoint goes. A job that runs without a folder for it may be given one by the
     * very change that it is stopped for.
     */
    public Optional<String> folder() {
        return wanted.savepointFolder()
                .or(() -> running.savepointFolder())
                .or(() -> next.savepointFolder());
    }

    /**
     * Where a try puts the savepoint. The running JobManager may be unable to write to a folder
     * that the wanted spec names, so that every second try goes to the former one.
     *
     * @param tries how many there have been, this one included
     */
    public Optional<String> folder(int tries) {
        return tries % 2 == 0 ? running.savepointFolder().or(this::folder) : folder();
    }

    public SavepointFormat format() {
        return format(wanted).or(() -> format(running)).orElse(SavepointFormat.CANONICAL);
    }

    public boolean drain() {
        return (wanted.isSet(LifecycleOptions.DRAIN) ? wanted : running)
                .get(LifecycleOptions.DRAIN);
    }

    /** How long the savepoint may take before Flink gives it up. */
    public Duration limit() {
        return running.get(FlinkOptions.CHECKPOINT_TIMEOUT);
    }

    /** The format of savepoints that a configuration names. */
    public static Optional<SavepointFormat> format(Options options) {
        return options.value(SnapshotOptions.SAVEPOINT_FORMAT)
                .map(
                        name ->
                                SavepointFormat.NATIVE.name().equalsIgnoreCase(name)
                                        ? SavepointFormat.NATIVE
                                        : SavepointFormat.CANONICAL);
    }
}
