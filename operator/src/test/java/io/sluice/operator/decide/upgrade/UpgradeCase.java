// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.spec.UpgradeMode;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.upgrade.UpgradePlan.Age;
import io.sluice.operator.decide.upgrade.UpgradePlan.Checkpoint;
import io.sluice.operator.decide.upgrade.UpgradePlan.Job;
import io.sluice.operator.decide.upgrade.UpgradePlan.JobManager;
import io.sluice.operator.model.StateView.Retention;

/** A job that runs in an upgrade mode, or what differs from it. */
record UpgradeCase(UpgradePlan.Situation build) {
    static UpgradeCase running(UpgradeMode mode) {
        return new UpgradeCase(
                new UpgradePlan.Situation(
                        mode,
                        Job.RUNNING,
                        JobManager.READY,
                        false,
                        new RestorableState.Unread(""),
                        false,
                        true,
                        false,
                        true,
                        Age.FINE,
                        new Retention.Known(CheckpointRetention.RETAINED),
                        Checkpoint.MADE));
    }

    UpgradeCase with(Job next) {
        return new UpgradeCase(build.withJob(next));
    }

    UpgradeCase with(JobManager next) {
        return new UpgradeCase(build.withJobManager(next));
    }

    UpgradeCase with(RestorableState next) {
        return new UpgradeCase(build.withKnown(next));
    }

    UpgradeCase with(Age next) {
        return new UpgradeCase(build.withAge(next));
    }

    UpgradeCase recoverable() {
        return new UpgradeCase(build.withRecoverable(true));
    }

    UpgradeCase onNewVersion() {
        return new UpgradeCase(build.withNewVersion(true));
    }

    UpgradeCase withoutFallback() {
        return new UpgradeCase(build.withFallsBack(false));
    }

    UpgradeCase cancelling() {
        return new UpgradeCase(build.withPrefersCancel(true));
    }

    UpgradeCase withoutFolder() {
        return new UpgradeCase(build.withHasSavepointFolder(false));
    }

    UpgradeCase with(Retention next) {
        return new UpgradeCase(build.withRetention(next));
    }
}
