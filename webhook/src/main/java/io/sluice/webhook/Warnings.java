// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.sluice.api.DeploymentMode;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.FlinkVersion;
import io.sluice.api.JobSpec;
import io.sluice.api.UpgradeMode;
import java.util.List;
import java.util.stream.Stream;

/** What is accepted, and yet worth telling whoever wrote it. */
final class Warnings {
    private Warnings() {}

    static List<String> of(FlinkDeploymentSpec spec) {
        return Stream.of(version(spec), upgradeMode(spec), session(spec), mode(spec))
                .flatMap(warnings -> warnings)
                .toList();
    }

    static String notYet(String kind) {
        return kind + ": stored unchecked; this version of Sluice does not act on it yet";
    }

    private static Stream<String> version(FlinkDeploymentSpec spec) {
        return spec.flinkVersion().stream()
                .filter(version -> version.isSupported() && !version.isAtLeast(FlinkVersion.V1_19))
                .map(
                        version ->
                                "spec.flinkVersion: '%s' is deprecated; move to v1_19 or later"
                                        .formatted(version.wire()));
    }

    private static Stream<String> upgradeMode(FlinkDeploymentSpec spec) {
        return spec.job().map(JobSpec::upgradeMode).stream()
                .filter(mode -> mode != UpgradeMode.STATELESS)
                .map(
                        mode ->
                                "spec.job.upgradeMode: '%s': this version of Sluice starts the job but never restarts it on a spec change, so as not to lose its state"
                                        .formatted(mode.wire()));
    }

    private static Stream<String> session(FlinkDeploymentSpec spec) {
        return spec.job().isPresent()
                ? Stream.empty()
                : Stream.of(
                        "spec.job is missing: this version of Sluice deploys no session clusters");
    }

    private static Stream<String> mode(FlinkDeploymentSpec spec) {
        return spec.mode() == DeploymentMode.NATIVE
                ? Stream.empty()
                : Stream.of("spec.mode: 'standalone': this version of Sluice deploys native only");
    }
}
