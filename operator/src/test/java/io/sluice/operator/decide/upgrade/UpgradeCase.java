// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.UpgradeMode;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.upgrade.UpgradePlan.Age;
import io.sluice.operator.decide.upgrade.UpgradePlan.Checkpoint;
import io.sluice.operator.decide.upgrade.UpgradePlan.Job;
import io.sluice.operator.decide.upgrade.UpgradePlan.JobManager;
import io.sluice.operator.model.StateView.Retention;

/** A job that runs in an upgrade mode, or what differs from it. */
record UpgradeCase(
        UpgradeMode mode,
        Job job,
        JobManager jobManager,
        boolean recovers,
        RestorableState known,
        boolean newVersion,
        boolean fallsBack,
        boolean prefersCancel,
        boolean hasFolder,
        Age age,
        Retention retention) {
    static UpgradeCase running(UpgradeMode mode) {
        return new UpgradeCase(
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
                new Retention.Told(CheckpointRetention.RETAINED));
    }

    UpgradePlan.Situation build() {
        return new UpgradePlan.Situation(
                mode,
                job,
                jobManager,
                recovers,
                known,
                newVersion,
                fallsBack,
                prefersCancel,
                hasFolder,
                age,
                retention,
                Checkpoint.MADE);
    }

    UpgradeCase with(Job next) {
        return new UpgradeCase(
                mode,
                next,
                jobManager,
                recovers,
                known,
                newVersion,
                fallsBack,
                prefersCancel,
                hasFolder,
                age,
                retention);
    }

    UpgradeCase with(JobManager next) {
        return new UpgradeCase(
                mode,
                job,
                next,
                recovers,
                known,
                newVersion,
                fallsBack,
                prefersCancel,
                hasFolder,
                age,
                retention);
    }

    UpgradeCase with(RestorableState next) {
        return new UpgradeCase(
                mode,
                job,
                jobManager,
                recovers,
                next,
                newVersion,
                fallsBack,
                prefersCancel,
                hasFolder,
                age,
                retention);
    }

    UpgradeCase with(Age next) {
        return new UpgradeCase(
                mode,
                job,
                jobManager,
                recovers,
                known,
                newVersion,
                fallsBack,
                prefersCancel,
                hasFolder,
                next,
                retention);
    }

    UpgradeCase recoverable() {
        return new UpgradeCase(
                mode,
                job,
                jobManager,
                true,
                known,
                newVersion,
                fallsBack,
                prefersCancel,
                hasFolder,
                age,
                retention);
    }

    UpgradeCase onNewVersion() {
        return new UpgradeCase(
                mode,
                job,
                jobManager,
                recovers,
                known,
                true,
                fallsBack,
                prefersCancel,
                hasFolder,
                age,
                retention);
    }

    UpgradeCase withoutFallback() {
        return new UpgradeCase(
                mode,
                job,
                jobManager,
                recovers,
                known,
                newVersion,
                false,
                prefersCancel,
                hasFolder,
                age,
                retention);
    }

    UpgradeCase cancelling() {
        return new UpgradeCase(
                mode,
                job,
                jobManager,
                recovers,
                known,
                newVersion,
                fallsBack,
                true,
                hasFolder,
                age,
                retention);
    }

    UpgradeCase withoutFolder() {
        return new UpgradeCase(
                mode,
                job,
                jobManager,
                recovers,
                known,
                newVersion,
                fallsBack,
                prefersCancel,
                false,
                age,
                retention);
    }

    UpgradeCase with(Retention next) {
        return new UpgradeCase(
                mode,
                job,
                jobManager,
                recovers,
                known,
                newVersion,
                fallsBack,
                prefersCancel,
                hasFolder,
                age,
                next);
    }
}
